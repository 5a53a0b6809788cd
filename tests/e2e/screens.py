"""What a person does with each page, by what it says: roles, names, and the `data-score` of a side's score."""

import asyncio
import re
from collections.abc import Iterable

from playwright.async_api import Locator, Page, expect
from playwright.async_api import TimeoutError as TookTooLong

SCORES = """() => Object.fromEntries([...document.querySelectorAll('[data-score]')].map(
    (place) => [place.dataset.score, Number(place.textContent.replace('\\u2212', '-').replaceAll(',', ''))]))"""
SHOWS = (
    f"(wanted) => {{ const shown = ({SCORES})(); return Object.keys(wanted).every((k) => shown[k] === wanted[k]); }}"
)
PATIENCE_MS = 30_000

expect.set_options(timeout=PATIENCE_MS)


class Screen:
    """One page on one device; `name` is what failures call it."""

    def __init__(self, name: str, page: Page) -> None:
        self.name = name
        self.page = page

    async def scores(self) -> dict[str, int]:
        shown: dict[str, int] = await self.page.evaluate(SCORES)
        return shown

    async def shows(self, scores: dict[str, int], *, within_ms: float = PATIENCE_MS) -> bool:
        try:
            await self.page.wait_for_function(SHOWS, arg=scores, timeout=within_ms)
        except TookTooLong:
            return False
        return True

    async def says(self, text: str | re.Pattern[str]) -> None:
        await expect(self.page.get_by_text(text).first).to_be_visible()

    async def lost_the_line(self) -> None:
        await self.says(re.compile("Connection lost at"))

    async def is_back(self) -> None:
        await expect(self.page.get_by_text("Connection lost")).to_have_count(0)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    async def tap(self, name: str | re.Pattern[str]) -> None:
        await self.button(name).click()


async def all_say(screens: Iterable[Screen], text: str | re.Pattern[str]) -> None:
    await asyncio.gather(*(screen.says(text) for screen in screens))


class Home(Screen):
    async def open_table(
        self, *, host: str, table: str, sides: dict[str, str] | None = None, rules: dict[str, str | int] | None = None
    ) -> tuple[str, str]:
        """The table's code and the recovery phrase. A rule is chosen by its label; a number that is not offered is
        typed.
        """
        await self.page.get_by_label("Your name").fill(host)
        await self.page.get_by_label("Table name").fill(table)
        for position, name in (sides or {}).items():
            await self.page.get_by_label(f"Name for {position}").fill(name)
        if rules:
            await self.page.get_by_role("group").filter(has_text="Score limit").locator("summary").first.click()
        for label, value in (rules or {}).items():
            await self._set_rule(label, value)
        await self.tap("Open the table")
        title = self.page.get_by_role("heading", name=re.compile("Table .* is open"))
        code = (await title.inner_text()).split()[1]
        phrase = await self.page.locator("[translate=no]").inner_text()
        return code, phrase.strip()

    async def set_rule(self, label: str, value: str | int) -> None:
        await self.page.get_by_text("Rules", exact=True).click()
        await self._set_rule(label, value)

    async def keep_rules(self, name: str) -> None:
        await self.tap_to_keep()
        await self.page.get_by_label("Name for these rules").fill(name)
        await self.tap("Save")
        await self.says(f"Saved on this device as “{name}”.")

    async def tap_to_keep(self) -> None:
        await self.page.get_by_text("Save or share these rules").click()

    async def open_rules(self, path: str) -> None:
        await self.tap_to_keep()
        await self.page.get_by_label("Open a file of rules").set_input_files(path)

    async def choose_game_file(self, path: str, *, host: str) -> None:
        card = self.page.locator("section").filter(has_text="Continue from a file")
        await card.get_by_label("Choose a file").set_input_files(path)
        await card.get_by_label("Your name").fill(host)

    async def open_table_from(self, path: str, *, host: str) -> str:
        """The code of a table with the game in a file."""
        await self.choose_game_file(path, host=host)
        await self.tap("Open a table with this game")
        title = self.page.get_by_role("heading", name=re.compile("Table .* is open"))
        return (await title.inner_text()).split()[1]

    async def _set_rule(self, label: str, value: str | int) -> None:
        rule = self.page.get_by_role("group", name=label, exact=True)
        offered = rule.get_by_role("button", name=str(value), exact=True)
        if not await rule.is_visible():
            await self._unfold(label)
        if await offered.count():
            await offered.click()
        else:
            other = rule.get_by_label(f"{label}, another number")
            await other.fill(str(value))
            await other.blur()

    async def _unfold(self, label: str) -> None:
        groups = self.page.locator("details:not([open])").filter(
            has=self.page.locator(f'[role=group][aria-label="{label}"]')
        )
        await groups.last.locator("summary").last.click()

    async def go_to_table(self) -> None:
        await self.page.get_by_role("link", name="I've saved them. Go to the table").click()


class Phone(Screen):
    """`sides` and `players` are what the table calls them."""

    def __init__(self, name: str, page: Page, sides: dict[str, str], players: dict[str, str]) -> None:
        super().__init__(name, page)
        self._called: dict[str, str] = {**sides, **players}

    # ── coming to the table ───────────────────────────────────────────────────────────────────────────────────────

    async def sit_down(self, name: str, seat: str) -> None:
        """On a phone that was invited."""
        await self.page.get_by_label("Your name").fill(name)
        await self.tap(re.compile(rf"\b{seat.title()} free$"))
        await self.tap(f"Sit at {seat.title()}")
        await self.says("(you)")

    async def sit_here(self, seat: str) -> None:
        """On the host's phone, which knows a name already."""
        place = self.page.get_by_role("listitem").filter(has_text=re.compile(rf"^\s*{seat.title()}\b"))
        await place.get_by_role("button", name="Sit here").click()
        await self.says("(you)")

    async def lie_on_the_table(self, name: str) -> None:
        """As the table's shared device."""
        await self.page.get_by_label("Your name").fill(name)
        await self.tap("Shared table device")
        await self.tap("Use as shared device")
        await self.says(re.compile("Waiting for players|Everyone's here"))

    async def start_game(self, number: int) -> None:
        await self.tap(f"Start game {number}")

    # ── a hand ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def is_at(self, step: str, hand: int) -> None:
        """`step` is Bids or Books."""
        await expect(self.page.get_by_role("heading", name=f"Hand {hand}: {step.lower()}", exact=True)).to_be_visible()

    async def bids_by(self, way: str) -> None:
        await self.tap(way.title())

    async def bid(self, of: str, bid: int | str) -> None:
        """The bid of a seat or a side, whichever way this phone takes them."""
        await self._aim(of)
        if isinstance(bid, int):
            await self.tap(str(bid))
        else:
            await self.tap({"nil": "Nil", "blind_nil": "Blind nil"}[bid])

    async def bid_blind(self, side: str) -> None:
        await self.tap("Team blind…")
        await self.tap(self._called[side])
        await expect(self.button(f"{self._called[side]} blind ×")).to_be_visible()

    async def tap_books(self, side: str, books: int) -> None:
        """This side's; the other one's follow."""
        await self._aim(side)
        await self.tap(str(books))

    async def tap_nil_books(self, seat: str, books: int) -> None:
        await self.tap(re.compile(rf"^{seat.title()}'s nil"))
        await self.tap(str(books))

    async def is_ready_to_enter(self, hand: int) -> None:
        await expect(self.button(f"Enter hand {hand}")).to_be_enabled()

    async def enter(self, hand: int) -> None:
        await self.tap(f"Enter hand {hand}")

    async def has_entered(self, hand: int) -> None:
        await self.says(re.compile(rf"Hand {hand} is in"))

    async def ask_who_reneged(self) -> None:
        await self.tap("Renege…")
        await expect(self.button("Nobody")).to_be_visible()

    async def blame(self, seat: str) -> None:
        await self.tap(self._called[seat])

    async def knows_renege(self, seat: str) -> None:
        await expect(self.button(f"Renege {seat.title()} ×")).to_have_count(1)

    async def _aim(self, name: str) -> None:
        await self.tap(re.compile(rf"^{re.escape(self._called[name])}\b(?!.*(×|to bid$))"))

    # ── afterwards ────────────────────────────────────────────────────────────────────────────────────────────────

    async def begin_to_correct(self, hand: int) -> None:
        await self.tap("Sheet")
        await self.tap(re.compile(rf"^Hand {hand} "))
        await self.tap(f"Correct hand {hand}")
        await self.says(f"Correct hand {hand}")

    async def correct(self, hand: int) -> None:
        await self.tap(f"Correct hand {hand}")

    async def take_back(self, hand: int) -> None:
        await self.tap("Undo")
        await self.tap(f"Undo hand {hand}")

    async def open_menu(self) -> None:
        await self.tap("Table")

    async def make_private(self) -> None:
        await self.open_menu()
        await self.tap("Invite players and watchers")
        await self.tap("Make the table private")
        await self.tap("Make the table private")
        await self.says("Who may watch has changed.")

    async def recover(self, phrase: str) -> None:
        await self.page.get_by_label("Recovery phrase").fill(phrase)
        await self.tap("Become host here")

    async def kept(self, what: str) -> str:
        """What this phone keeps for its table: `invite`, `watch`."""
        code = self.page.url.split("/")[4]
        kept: str = await self.page.evaluate("(key) => JSON.parse(localStorage[key])", f"bookboard.{what}.{code}")
        return kept


class Display(Screen):
    pass


class Watch(Screen):
    async def sheet_scores(self) -> list[list[str]]:
        """What the score sheet says of each hand: each side's score after it."""
        rows = self.page.get_by_role("table", name="Score sheet").get_by_role("row")
        heads = [text.strip() for text in await rows.first.get_by_role("columnheader").all_inner_texts()]
        places = [place for place, head in enumerate(heads) if head == "score"]
        hands = rows.filter(has=self.page.get_by_role("button"))
        return [
            [(await row.get_by_role("cell").nth(place).inner_text()).strip() for place in places]
            for row in await hands.all()
        ]
