import pytest
from tests.room.table import HOST_TOKEN, INVITED_TOKEN, RECOVERY, Table, played

from bookboard.log.actors import Actor, hash_token
from bookboard.log.refusals import Refusal
from bookboard.room import commands as c
from bookboard.room.access import HOST, role_of
from bookboard.room.decide import HOST_COMMANDS
from bookboard.room.views import view_of

TOKEN = "a-phone-made-token-0123456789"


def test_the_one_who_opens_a_table_is_its_host(table: Table) -> None:
    assert table.actor(HOST_TOKEN).role == "host"
    assert table.room.state.people[table.room.state.host] == "Holly"


def test_without_a_token_one_is_a_spectator(table: Table) -> None:
    assert table.actor(None) == Actor("spectator")


def test_a_token_that_is_not_the_tables_is_nobody(table: Table) -> None:
    with pytest.raises(AssertionError):
        table.actor("somebody-elses-token-0123456789")


def test_a_spectator_changes_nothing(table: Table) -> None:
    assert table.refused(table.note(bids={"west": 4}), table.actor(None)) == "read_only"


def test_the_invited_claim_a_seat_before_they_do_anything_else(table: Table) -> None:
    assert table.refused(table.note(bids={"west": 4}), table.actor(INVITED_TOKEN)) == "seat_needed"


def test_claiming_a_seat_makes_a_player_of_the_tokens_bearer(table: Table) -> None:
    wes = table.join("Wes", "west", TOKEN)
    assert wes.role == "player"
    assert table.room.state.seats == {"west": wes.person}
    assert table.room.state.people[wes.person or ""] == "Wes"


def test_a_table_has_room_for_a_shared_tablet(table: Table) -> None:
    assert table.join("Tablet", None).role == "player"
    assert table.room.state.seats == {}


def test_a_claim_sent_again_changes_nothing(table: Table) -> None:
    wes = table.join("Wes", "west", TOKEN)
    assert table.already(c.ClaimSeat("west", "Wes", TOKEN), table.actor(INVITED_TOKEN)).by == wes.person


def test_a_taken_seat_says_whose_it_is_and_can_be_taken_over(table: Table) -> None:
    table.join("Wes", "west")
    claim = c.ClaimSeat("west", "Wendy", TOKEN)
    decided = table.decide(claim, table.actor(INVITED_TOKEN))
    assert decided == Refusal("seat_taken", {"seat": "west", "name": "Wes"}, field="seat")
    table.do(c.ClaimSeat("west", "Wendy", TOKEN, replace=True), table.actor(INVITED_TOKEN))
    assert table.room.state.seats["west"] == table.actor(TOKEN).person


def test_a_player_who_moves_leaves_the_old_seat(table: Table) -> None:
    wes = table.join("Wes", "west")
    table.do(c.ClaimSeat("east", "Wes"), wes)
    assert table.room.state.seats == {"east": wes.person}


def test_the_host_plays_too(table: Table) -> None:
    table.do(c.ClaimSeat("north", "Holly"))
    assert table.room.state.seats["north"] == table.host.person


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        (c.ClaimSeat("attic", "Wes", TOKEN), "unknown_seat"),
        (c.ClaimSeat("west", " \u202e\u200b ", TOKEN), "name_needed"),
        (c.ClaimSeat("west", "Wes", "short"), "weak_token"),
        (c.ClaimSeat("west", "Wes"), "weak_token"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_claim_that_cannot_be(table: Table, claim: c.ClaimSeat, code: str) -> None:
    assert table.refused(claim, table.actor(INVITED_TOKEN)) == code


@pytest.mark.parametrize("token", [INVITED_TOKEN, HOST_TOKEN, "babab-dodod-fufuf-gigig-hahah-jojoj-kukuk-lilil"])
def test_a_token_that_is_good_for_something_else_makes_no_player(table: Table, token: str) -> None:
    wes = table.join("Wes", "west")
    for actor in (table.actor(INVITED_TOKEN), wes):
        if token != HOST_TOKEN or actor is wes:
            assert table.refused(c.ClaimSeat(None, "Eve", token), actor) == "token_taken"


def test_a_table_keeps_only_so_many_people(table: Table) -> None:
    for number in range(63):
        table.join(f"Guest {number}", None)
    assert table.refused(c.ClaimSeat(None, "One more", TOKEN), table.actor(INVITED_TOKEN)) == "table_full"


def test_who_is_removed_makes_room_for_another(table: Table) -> None:
    for number in range(63):
        table.join(f"Guest {number}", None, token_of(number))
    table.do(c.RemovePerson(table.actor(token_of(7)).person or ""))
    table.join("One more", None, TOKEN)
    assert table.refused(c.ClaimSeat(None, "Guest 7", token_of(7)), table.actor(INVITED_TOKEN)) == "table_full"
    table.do(c.RemovePerson(table.actor(token_of(8)).person or ""))
    assert table.join("Guest 7, again", None, token_of(7)).role == "player"


def test_names_of_the_removed_are_kept_for_the_game_and_not_without_end(table: Table) -> None:
    wes = table.join("Wes", "west", TOKEN)
    table.do(table.enter(**played((5, 5), 8)), wes)
    table.do(c.RemovePerson(wes.person or ""))
    for number in range(254):
        passing = table.join(f"Guest {number}", None, token_of(number))
        table.do(c.RemovePerson(passing.person or ""))
    assert table.refused(c.ClaimSeat(None, "One more", token_of(999)), table.actor(INVITED_TOKEN)) == "table_full"
    assert table.room.state.people[wes.person or ""] == "Wes"
    table.do(c.EndGame(1, 2))
    table.do(c.NextGame(1))
    assert list(table.room.state.people.values()) == ["Holly"]
    assert table.join("One more", None, token_of(999)).role == "player"


def token_of(number: int) -> str:
    return f"guest-{number:03}-token-0123456789"


def test_a_seat_can_be_left(table: Table) -> None:
    wes = table.join("Wes", "west")
    table.do(c.LeaveSeat("west"), wes)
    assert table.room.state.seats == {}
    table.already(c.LeaveSeat("west"), wes)
    assert table.refused(c.LeaveSeat("attic"), wes) == "unknown_seat"


def test_players_name_their_sides(table: Table) -> None:
    wes = table.join("Wes", "west")
    table.do(c.NameSides({"east_west": "The Reneges"}), wes)
    assert table.room.state.side_names == {"east_west": "The Reneges"}
    table.already(c.NameSides({"east_west": "The  Reneges "}), wes)
    assert table.refused(c.NameSides({"north_south": "the reneges"}), wes) == "name_taken"
    assert table.refused(c.NameSides({"up_down": "x"}), wes) == "unknown_side"
    table.do(c.NameSides({"east_west": ""}), wes)
    assert table.room.state.side_names == {}


def test_the_host_names_the_table(table: Table) -> None:
    table.do(c.NameTable("Table 7"))
    assert table.room.state.name == "Table 7"
    table.already(c.NameTable("Table 7"))
    assert table.refused(c.NameTable("\u0007")) == "name_needed"


@pytest.mark.parametrize("command", HOST_COMMANDS)
def test_what_only_the_host_may_do(table: Table, command: type[c.AnyCommand]) -> None:
    assert len(HOST_COMMANDS) == 13
    made: dict[type, c.AnyCommand] = {
        c.HandOver: c.HandOver("x"),
        c.NameTable: c.NameTable("x"),
        c.InvitePlayers: c.InvitePlayers(TOKEN),
        c.RemovePerson: c.RemovePerson("x"),
        c.SetPrivacy: c.SetPrivacy(private=True),
        c.SetRules: c.SetRules(1, "spades", {}),
        c.EndGame: c.EndGame(1, 1),
        c.ExtendClock: c.ExtendClock(1, 5, 9),
    }
    wes = table.join("Wes", "west")
    sent = made.get(command) or command(1)  # type: ignore[call-arg, arg-type]
    assert table.refused(sent, wes) == "host_only"


def test_the_host_hands_over(table: Table) -> None:
    wes = table.join("Wes", "west", TOKEN)
    table.do(c.HandOver(wes.person or ""))
    assert table.actor(TOKEN).role == "host"
    assert table.actor(HOST_TOKEN).role == "player"
    table.already(c.HandOver(wes.person or ""), table.actor(TOKEN))
    assert table.refused(c.HandOver("nobody"), table.actor(TOKEN)) == "unknown_person"


@pytest.mark.parametrize("typed", [RECOVERY, RECOVERY.upper(), RECOVERY.replace(" ", "-"), f"  {RECOVERY} "])
def test_the_recovery_phrase_brings_the_host_back(table: Table, typed: str) -> None:
    assert table.actor(typed) == Actor("host", table.room.state.host)


def test_no_secret_is_kept_as_it_is(table: Table) -> None:
    table.join("Wes", "west", TOKEN)
    for secret in (HOST_TOKEN, INVITED_TOKEN, RECOVERY, TOKEN):
        assert secret not in repr(table.room.state)
        assert secret not in repr(table.log)


# ── who may still come in ────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_invitation_takes_the_place_of_the_old(table: Table) -> None:
    table.do(c.InvitePlayers(TOKEN))
    assert table.actor(TOKEN).role == "invited"
    assert role_of(table.room.state, hash_token(INVITED_TOKEN)) is None
    table.already(c.InvitePlayers(TOKEN))
    assert table.refused(c.InvitePlayers("short")) == "weak_token"
    assert table.refused(c.InvitePlayers(HOST_TOKEN)) == "token_taken"


def test_a_removed_person_has_no_seat_and_no_say_but_keeps_the_name(table: Table) -> None:
    wes = table.join("Wes", "west", TOKEN)
    table.do(c.RemovePerson(wes.person or ""))
    assert role_of(table.room.state, hash_token(TOKEN)) is None
    assert table.room.state.seats == {}
    assert table.room.state.people[wes.person or ""] == "Wes"
    table.already(c.RemovePerson(wes.person or ""))
    assert view_of(table.room).people.gone == [wes.person]
    assert table.refused(c.RemovePerson("nobody")) == "unknown_person"
    assert table.refused(c.RemovePerson(table.room.state.host)) == "host_stays"


def test_a_private_table_is_watched_with_a_token_only(table: Table) -> None:
    table.do(c.SetPrivacy(private=True, token=TOKEN))
    assert role_of(table.room.state, None) is None
    assert table.actor(TOKEN) == Actor("spectator")
    assert table.actor(HOST_TOKEN).role == "host"
    table.already(c.SetPrivacy(private=True, token=TOKEN))
    table.do(c.SetPrivacy(private=False))
    assert table.actor(None) == Actor("spectator")
    assert role_of(table.room.state, hash_token(TOKEN)) is None
    table.already(c.SetPrivacy(private=False))


def test_there_is_always_a_host_who_can_act(table: Table) -> None:
    wes = table.join("Wes", "west")
    table.do(c.RemovePerson(wes.person or ""))
    assert table.refused(c.HandOver(wes.person or "")) == "unknown_person"
    table.already(c.RemovePerson(wes.person or ""))
    back = table.join("Wes", "west")
    table.do(c.HandOver(back.person or ""))
    host = Actor(HOST, back.person)
    assert table.refused(c.RemovePerson(back.person or ""), host) == "host_stays"


def test_a_seat_is_taken_over_from_whom_the_sender_saw_there(table: Table) -> None:
    wes, kim = table.join("Wes", "west"), table.join("Kim", None)
    over = c.ClaimSeat("west", "Kim", replace=wes.person or "")
    table.do(c.LeaveSeat("west", wes.person), wes)
    bea = table.join("Bea", "west")
    table.already(c.LeaveSeat("west", wes.person))
    assert table.refused(over, kim) == "seat_taken"
    table.do(c.ClaimSeat("west", "Kim", replace=bea.person or ""), kim)
    assert table.room.state.seats == {"west": kim.person}
