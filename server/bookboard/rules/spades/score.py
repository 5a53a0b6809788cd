"""Scoring one hand of Spades, in lines: reneges, nils, the bid, its bags and their penalty, the first seven books."""

from msgspec import Struct

from bookboard.rules.game import HandResult
from bookboard.rules.model import Line, SideResult
from bookboard.rules.partnership import BOOKS, EAST_WEST, NORTH_SOUTH, SIDE_OF, Seat
from bookboard.rules.spades.hand import Carry, Hand, Nil, SideCarry, SideHand, Sweep
from bookboard.rules.spades.settings import SpadesSettings

LINE_RULES = (
    "first_hand",
    "renege",
    "renege_award",
    "renege_loss",
    "nil_made",
    "nil_failed",
    "nil_reneged",
    "blind_nil_made",
    "blind_nil_failed",
    "blind_nil_reneged",
    "nil_books_left_out",
    "made",
    "made_blind",
    "set",
    "set_blind",
    "underbid",
    "ten_for_200",
    "double_points",
    "ten_for_200_missed",
    "ten_for_200_over",
    "bags",
    "bags_without_points",
    "bags_forgiven",
    "bags_left_out",
    "bag_penalty",
    "bag_penalty_capped",
    "bag_penalty_blind",
    "first_seven",
)


class Played(Struct, frozen=True, gc=False):
    """A side's hand once the reneges of both sides are applied."""

    hand: SideHand
    credited_for: tuple[Seat, ...]
    """The other side's reneges."""
    books: int
    counting: int
    """The books that count toward the bid: without those of an uncounted failed nil (S4)."""
    is_short: bool
    """Fewer counting books than the bid."""
    is_ten_for_200: bool
    """The 10-for-200 rule decides the points of this bid."""


class Contract(Struct, frozen=True, gc=False):
    """What became of a bid. One that is neither made nor set leaves a run of sets as it is (S8)."""

    line: Line
    is_made: bool
    is_set: bool


class Bags(Struct, frozen=True, gc=False):
    """A made hand's overtricks, after forgiveness, and what they do."""

    shown: int = 0
    points: int = 0
    entering: int = 0
    """How many of them enter the running total."""
    penalties: int = 0
    lines: list[Line] = []


NO_BAGS = Bags()


def score(settings: SpadesSettings, carry: Carry, hand: Hand) -> HandResult[Carry]:
    if hand.forfeited_by is not None:
        return _score_forfeit(carry, hand, hand.forfeited_by)
    ns = _apply_reneges(settings, hand.north_south, hand.east_west)
    ew = _apply_reneges(settings, hand.east_west, hand.north_south)
    ns_result, ns_carry = _score_side(settings, carry.north_south, ns, ew)
    ew_result, ew_carry = _score_side(settings, carry.east_west, ew, ns)
    return HandResult(
        {NORTH_SOUTH: ns_result, EAST_WEST: ew_result},
        Carry(carry.hands + 1, ns_carry, ew_carry, _find_sweep(hand)),
    )


def _apply_reneges(settings: SpadesSettings, mine: SideHand, theirs: SideHand) -> Played:
    """All reneges of the hand together; a side's books stay within 0 and 13 (S10)."""
    books = mine.won
    if mine.reneges or theirs.reneges:
        books += settings.renege_award * len(theirs.reneges) - _books_lost(settings, mine)
        books = min(max(books, 0), BOOKS)
    bid = mine.bid
    if bid is None:
        return Played(mine, theirs.reneges, books, books, False, False)
    counting = max(books - _left_out(settings, mine), 0) if mine.nils else books
    covered = settings.ten_for_200 and (bid == 10 or (bid > 10 and settings.ten_for_200_variation == "double_points"))
    return Played(mine, theirs.reneges, books, counting, counting < bid, covered)


def _books_lost(settings: SpadesSettings, mine: SideHand) -> int:
    penalty = settings.renege_penalty
    return 0 if penalty == "automatic_loss" else penalty * len(mine.reneges)


def _left_out(settings: SpadesSettings, mine: SideHand) -> int:
    """The books of failed nils that do not count toward the partner's bid (S3, S4)."""
    if settings.count_books_from_nil_loss and settings.nil is not None:
        return 0
    return sum(nil.books for nil in mine.nils)


def _score_side(
    settings: SpadesSettings, before: SideCarry, mine: Played, theirs: Played
) -> tuple[SideResult, SideCarry]:
    hand = mine.hand
    lines = _renege_lines(settings, mine) if hand.reneges or mine.credited_for else []
    bags = NO_BAGS
    is_set, run = False, before.sets_in_a_row
    if hand.bid is None:
        lines.append(Line("first_hand", 10 * mine.books, {"books": mine.books}))
    else:
        if hand.nils:
            lines += _nil_lines(settings, mine)
        contract = _judge(settings, mine, hand.bid)
        lines.append(contract.line)
        is_set = contract.is_set
        if is_set:
            run += 1
        elif contract.is_made:
            run = 0
            if mine.books > hand.bid:
                bags = _score_bags(settings, before, mine, theirs)
                lines += bags.lines
    if hand.won_first_seven and settings.first_seven is not None:
        lines.append(Line("first_seven", settings.first_seven))
    points = 0
    for line in lines:
        points += line.points
    score = before.score + points
    total = before.bags_total + bags.entering
    figures = {"bags": bags.shown, "bags_total": total, "set": is_set}
    return SideResult(points, score, tuple(lines), figures), SideCarry(
        score,
        total,
        before.bag_points + bags.points,
        before.penalties + bags.penalties,
        before.sets + is_set,
        run,
        before.blinds + hand.is_blind,
    )


# Reneges and nils


def _renege_lines(settings: SpadesSettings, mine: Played) -> list[Line]:
    """Each with the books that it really took or gave, a side having neither fewer than none nor more than all."""
    hand, gained = mine.hand, settings.renege_award
    lost = 0 if settings.renege_penalty == "automatic_loss" else settings.renege_penalty
    sum_of_all = hand.won + gained * len(mine.credited_for) - lost * len(hand.reneges)
    return [
        *_shares("renege", hand.reneges, lost, too_much=-sum_of_all),
        *_shares("renege_award", mine.credited_for, gained, too_much=sum_of_all - BOOKS),
    ]


def _shares(rule: str, seats: tuple[Seat, ...], books: int, *, too_much: int) -> list[Line]:
    left = books * len(seats) - max(too_much, 0)
    lines = []
    for seat in seats:
        share = min(books, left)
        left -= share
        lines.append(Line(rule, 0, {"seat": seat, "books": share}))
    return lines


def _nil_lines(settings: SpadesSettings, mine: Played) -> list[Line]:
    lines = [_nil_line(settings, nil) for nil in mine.hand.nils]
    left_out = mine.books - mine.counting
    if left_out:
        lines.append(Line("nil_books_left_out", 0, {"books": left_out}))
    return lines


def _nil_line(settings: SpadesSettings, nil: Nil) -> Line:
    """A blind nil has its own value unless that is Off; then it is scored as a regular one (S3)."""
    is_blind = nil.is_blind and settings.blind_nil is not None
    value = (settings.blind_nil if is_blind else settings.nil) or 0
    rule = "blind_nil" if is_blind else "nil"
    if nil.kept:
        return Line(f"{rule}_made", value, {"seat": nil.seat})
    if nil.books:
        return Line(f"{rule}_failed", -value, {"seat": nil.seat, "books": nil.books})
    return Line(f"{rule}_reneged", -value, {"seat": nil.seat})


# The bid


def _judge(settings: SpadesSettings, mine: Played, bid: int) -> Contract:
    if mine.is_ten_for_200:
        return _judge_ten_for_200(settings, mine, bid)
    if mine.is_short:
        return _lose(settings, mine, bid)
    if settings.underbid_penalty is not None and bid > 0:
        over = _books_taken(settings, mine) - bid
        if over >= settings.underbid_penalty:
            return Contract(Line("underbid", -10 * bid, {"bid": bid, "over": over}), False, True)
    facts = _facts(mine, bid)
    if mine.hand.is_blind:
        return Contract(Line("made_blind", 20 * bid, facts), True, False)
    return Contract(Line("made", 10 * bid, facts), True, False)


def _judge_ten_for_200(settings: SpadesSettings, mine: Played, bid: int) -> Contract:
    facts = _facts(mine, bid)
    match settings.ten_for_200_variation:
        case "double_points" if not mine.is_short:
            return Contract(Line("double_points", 20 * bid, facts), True, False)
        case "exactly_10" if not mine.is_short and mine.books > 10:
            lost = _lose(settings, mine, bid).line.points
            penalty = lost if settings.ten_for_200_penalty is None else -settings.ten_for_200_penalty
            return Contract(Line("ten_for_200_over", penalty, {"books": mine.books}), False, False)
        case _ if not mine.is_short:
            return Contract(Line("ten_for_200", 200, facts), True, False)
        case _ if settings.ten_for_200_penalty is None:
            return _lose(settings, mine, bid)
        case _:
            return Contract(Line("ten_for_200_missed", -settings.ten_for_200_penalty, facts), False, True)


def _facts(mine: Played, bid: int) -> dict[str, int]:
    """The books that count toward the bid, and how many of the side's do not (S4)."""
    facts = {"bid": bid, "books": mine.counting}
    if mine.books > mine.counting:
        facts["uncounted"] = mine.books - mine.counting
    return facts


def _lose(settings: SpadesSettings, mine: Played, bid: int) -> Contract:
    facts = _facts(mine, bid)
    if mine.hand.is_blind:
        times = settings.blind_loss_penalty
        return Contract(Line("set_blind", -10 * bid * times, {**facts, "times": times}), False, True)
    return Contract(Line("set", -10 * bid, facts), False, True)


def _books_taken(settings: SpadesSettings, mine: Played) -> int:
    """What an underbid is measured on (S9): won at the table, less own reneges and uncounted nil books."""
    return mine.hand.won - _books_lost(settings, mine.hand) - _left_out(settings, mine.hand)


# Bags


def _score_bags(settings: SpadesSettings, before: SideCarry, mine: Played, theirs: Played) -> Bags:
    """The books over a made bid, those of an uncounted nil among them (S4)."""
    bags = mine.books - (mine.hand.bid or 0)
    facts = {"bags": bags}
    if settings.forgive_bags_on_set and theirs.is_short:
        return Bags(lines=[Line("bags_forgiven", 0, facts)])
    points = _bag_points(settings, mine, bags)
    lines = [Line("bags" if points else "bags_without_points", points, facts)]
    if not _enter_the_total(settings, mine):
        lines.append(Line("bags_left_out", 0, facts))
        return Bags(bags, points, lines=lines)
    penalties = 0
    limit = settings.bag_penalty
    if limit is not None and before.bags_total % limit + bags >= limit:
        charges = _penalty_lines(settings, before, mine, bags)
        penalties = sum(line.rule == "bag_penalty" for line in charges)
        lines += charges
    return Bags(bags, points, bags, penalties, lines)


def _bag_points(settings: SpadesSettings, mine: Played, bags: int) -> int:
    """None for a blind bid, a made 10-for-200, or the side that wins a renege."""
    scoring = settings.one_point_bags and not (mine.hand.is_blind or mine.is_ten_for_200 or mine.credited_for)
    return bags if scoring else 0


def _enter_the_total(settings: SpadesSettings, mine: Played) -> bool:
    """Every include switch that applies to the hand must be on (S6)."""
    if mine.hand.is_blind and not settings.include_bags_for_successful_blind:
        return False
    if mine.is_ten_for_200 and not settings.include_bags_for_successful_ten_for_200:
        return False
    return settings.include_bags_for_successful_nil or not any(nil.kept for nil in mine.hand.nils)


def _penalty_lines(settings: SpadesSettings, before: SideCarry, mine: Played, bags: int) -> list[Line]:
    """A line for each multiple of the limit that the running total crosses in this hand (S7)."""
    limit = settings.bag_penalty or 1
    taken, most = before.penalties, settings.max_bag_penalties
    lines = []
    first = before.bags_total // limit * limit + limit
    for reached in range(first, before.bags_total + bags + 1, limit):
        facts = {"reached": reached, "limit": limit}
        if mine.hand.is_blind:
            lines.append(Line("bag_penalty_blind", 0, facts))
        elif most is not None and taken >= most:
            lines.append(Line("bag_penalty_capped", 0, facts))
        else:
            taken += 1
            lines.append(Line("bag_penalty", -10 * limit, facts))
    return lines


# Ends that a hand holds


def _find_sweep(hand: Hand) -> Sweep | None:
    """A side with all 13 books won at the table that did not renege (S10)."""
    if hand.north_south.won == BOOKS and not hand.north_south.reneges:
        return Sweep(NORTH_SOUTH, hand.north_south.bid)
    if hand.east_west.won == BOOKS and not hand.east_west.reneges:
        return Sweep(EAST_WEST, hand.east_west.bid)
    return None


def _score_forfeit(carry: Carry, hand: Hand, seat: Seat) -> HandResult[Carry]:
    """The hand of an automatic loss scores nothing (S11)."""
    loser = SIDE_OF[seat]
    ns_result, ns_carry = _stand(carry.north_south, hand.north_south, seat if loser == NORTH_SOUTH else None)
    ew_result, ew_carry = _stand(carry.east_west, hand.east_west, seat if loser == EAST_WEST else None)
    return HandResult(
        {NORTH_SOUTH: ns_result, EAST_WEST: ew_result},
        Carry(carry.hands + 1, ns_carry, ew_carry, forfeited_by=loser),
    )


def _stand(before: SideCarry, hand: SideHand, reneged: Seat | None) -> tuple[SideResult, SideCarry]:
    lines = (Line("renege_loss", 0, {"seat": reneged}),) if reneged else ()
    figures = {"bags": 0, "bags_total": before.bags_total, "set": False}
    return SideResult(0, before.score, lines, figures), SideCarry(
        before.score,
        before.bags_total,
        before.bag_points,
        before.penalties,
        before.sets,
        before.sets_in_a_row,
        before.blinds + hand.is_blind,
    )
