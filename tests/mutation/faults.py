"""Faults to plant in the rules, each with the rule that it breaks and that some test citing it must notice."""

from typing import NamedTuple

from tests.coverage_table import Rule


class Fault(NamedTuple):
    """`old` stands exactly once in the file, which is named from `rules/`."""

    file: str
    old: str
    new: str
    breaks: Rule


def spades(section: str, sentence: int) -> Rule:
    return ("spades", section, sentence)


def bid_whist(section: str, sentence: int) -> Rule:
    return ("bid whist", section, sentence)


def pack(sentence: int) -> Rule:
    return ("pack", "The Scoring", sentence)


def tournament(section: str, sentence: int) -> Rule:
    return ("tournament", section, sentence)


SCORE = "spades/score.py"
ENDS = "spades/ends.py"
ENTRY = "spades/entry.py"
BOARD = "spades/board.py"
SETTINGS = "spades/settings.py"

POINTS = [
    Fault(
        SCORE,
        'Line("first_hand", 10 * mine.books',
        'Line("first_hand", mine.books',
        spades("First hand bids itself", 3),
    ),
    Fault(SCORE, 'Line("made", 10 * bid', 'Line("made", 10 * mine.counting', spades("1-point bags", 3)),
    Fault(SCORE, 'Line("set", -10 * bid', 'Line("set", -10 * (bid - mine.counting)', spades("Set limit", 5)),
    Fault(SCORE, 'Line("made_blind", 20 * bid', 'Line("made_blind", 10 * bid', spades("Blind loss penalty", 4)),
    Fault(SCORE, "-10 * bid * times", "-20 * bid", spades("Blind loss penalty", 3)),
    Fault(SCORE, "counting < bid, covered", "counting <= bid, covered", spades("Set limit", 5)),
    Fault(SCORE, 'Line(f"{rule}_failed", -value', 'Line(f"{rule}_failed", 0', spades("Nil", 4)),
    Fault(SCORE, 'Line(f"{rule}_made", value', 'Line(f"{rule}_made", 50', spades("Blind nil", 4)),
    Fault(SCORE, 'Line(f"{rule}_reneged", -value', 'Line(f"{rule}_reneged", 0', spades("Nil", 5)),
    Fault(SCORE, "nil.is_blind and settings.blind_nil is not None", "nil.is_blind", spades("Blind nil", 6)),
    Fault(SCORE, "if settings.count_books_from_nil_loss and", "if", spades("Count books from nil loss", 2)),
    Fault(
        SCORE,
        "settings.count_books_from_nil_loss and settings.nil is not None",
        "settings.count_books_from_nil_loss",
        "S3",
    ),
    Fault(SCORE, "max(books - _left_out(settings, mine), 0)", "books", "S4"),
    Fault(SCORE, 'case "double_points" if not mine.is_short', 'case "double_points" if mine.books >= bid', "S4"),
    Fault(SCORE, "bags = mine.books - (mine.hand.bid or 0)", "bags = mine.counting - (mine.hand.bid or 0)", "S4"),
    Fault(SCORE, "line.points\n            penalty", "line.points // 2\n            penalty", "S8"),
    Fault(SCORE, 'Line("first_seven", settings.first_seven)', 'Line("first_seven", 100)', spades("First 7", 3)),
    Fault(SCORE, "if hand.won_first_seven and", "if not is_set and hand.won_first_seven and", spades("First 7", 5)),
]
REGULARS = [
    Fault(SCORE, "covered = settings.ten_for_200 and (bid == 10", "covered = (bid == 10", spades("10-for-200", 1)),
    Fault(SCORE, "(bid > 10 and", "(bid > 11 and", spades("10-for-200 variation", 9)),
    Fault(
        SCORE,
        'bid > 10 and settings.ten_for_200_variation == "double_points"',
        "bid > 10",
        spades("10-for-200 variation", 8),
    ),
    Fault(
        SCORE,
        "not mine.is_short and mine.books > 10",
        "not mine.is_short and mine.books > 11",
        spades("10-for-200 variation", 4),
    ),
    Fault(SCORE, 'Line("ten_for_200", 200', 'Line("ten_for_200", 10 * bid', spades("10-for-200", 2)),
    Fault(SCORE, 'Line("double_points", 20 * bid', 'Line("double_points", 200', spades("10-for-200 variation", 6)),
    Fault(
        SCORE,
        '"ten_for_200_missed", -settings.ten_for_200_penalty',
        '"ten_for_200_missed", -200',
        spades("10-for-200 penalty", 3),
    ),
    Fault(SCORE, 'penalty, {"books": mine.books}), False, False', 'penalty, {"books": mine.books}), False, True', "S8"),
    Fault(
        SCORE,
        "lost if settings.ten_for_200_penalty is None",
        "0 if settings.ten_for_200_penalty is None",
        spades("10-for-200 penalty", 4),
    ),
    Fault(SCORE, "or mine.is_ten_for_200 or mine.credited_for", "or mine.credited_for", spades("10-for-200", 6)),
    Fault(
        SCORE,
        "if over >= settings.underbid_penalty",
        "if over > settings.underbid_penalty",
        spades("Underbid penalty", 3),
    ),
    Fault(SCORE, 'Line("underbid", -10 * bid', 'Line("underbid", -10 * over', spades("Underbid penalty", 4)),
    Fault(SCORE, "settings.underbid_penalty is not None and bid > 0", "settings.underbid_penalty is not None", "S1"),
    Fault(SCORE, "mine.hand.won - _books_lost(settings, mine.hand)", "mine.books", "S9"),
]
BAGS = [
    Fault(SCORE, "if mine.books > hand.bid", "if mine.books > hand.bid + 1", spades("1-point bags", 2)),
    Fault(SCORE, "settings.one_point_bags and not", "not", spades("1-point bags", 4)),
    Fault(SCORE, "not (mine.hand.is_blind or", "not (", spades("Minimum blind bid", 6)),
    Fault(SCORE, "mine.is_ten_for_200 or mine.credited_for)", "mine.is_ten_for_200)", spades("Renege penalty", 5)),
    Fault(
        SCORE, "settings.forgive_bags_on_set and theirs.is_short", "theirs.is_short", spades("Forgive bags on set", 1)
    ),
    Fault(
        SCORE,
        "settings.forgive_bags_on_set and theirs.is_short",
        "settings.forgive_bags_on_set",
        spades("Forgive bags on set", 2),
    ),
    Fault(SCORE, "Bags(lines=[Line(", "Bags(bags, 0, bags, lines=[Line(", spades("Forgive bags on set", 4)),
    Fault(
        SCORE,
        "mine.hand.is_blind and not settings.include_bags_for_successful_blind",
        "False",
        spades("Include bags for successful blind", 2),
    ),
    Fault(
        SCORE,
        "mine.is_ten_for_200 and not settings.include_bags_for_successful_ten_for_200",
        "False",
        spades("Include bags for successful 10-for-200", 2),
    ),
    Fault(SCORE, "not any(nil.kept for nil in mine.hand.nils)", "not mine.hand.nils", "S6"),
    Fault(SCORE, "bags_total % limit + bags >= limit", "bags_total % limit + bags > limit", spades("Bag penalty", 3)),
    Fault(SCORE, 'Line("bag_penalty", -10 * limit', 'Line("bag_penalty", -50', spades("Bag penalty", 3)),
    Fault(SCORE, "before.bags_total + bags + 1, limit)", "first + 1, limit)", spades("Bag penalty", 5)),
    Fault(SCORE, "total = before.bags_total + bags.entering", "total = bags.entering", spades("Bag penalty", 4)),
    Fault(SCORE, "if mine.hand.is_blind:\n            lines", "if False:\n            lines", "S7"),
    Fault(SCORE, "taken >= most", "taken > most", spades("Max bag penalties", 5)),
]
RENEGES = [
    Fault(SCORE, "settings.renege_award * len(theirs.reneges)", "settings.renege_award * bool(theirs.reneges)", "S10"),
    Fault(SCORE, "penalty * len(mine.reneges)", "3 * len(mine.reneges)", spades("Renege penalty", 3)),
    Fault(SCORE, "books += settings.renege_award", "books += 3", spades("Renege award", 4)),
    Fault(SCORE, "books = min(max(books, 0), BOOKS)", "books = min(books, BOOKS)", "S10"),
    Fault(SCORE, "books = min(max(books, 0), BOOKS)", "books = max(books, 0)", "S10"),
    Fault(
        SCORE, "hand.north_south.won == BOOKS and not hand.north_south.reneges", "hand.north_south.won == BOOKS", "S10"
    ),
    Fault(ENTRY, "not nil_books.get(seat) and seat not in reneges", "not nil_books.get(seat)", spades("Nil", 5)),
    Fault(
        ENDS,
        'Outcome(OTHER[carry.forfeited_by], "renege")',
        'Outcome(carry.forfeited_by, "renege")',
        spades("Renege penalty", 6),
    ),
]
BIDS = [
    Fault(
        ENTRY,
        "settings.first_hand_bids_itself and carry.hands == 0",
        "carry.hands == 0",
        spades("First hand bids itself", 1),
    ),
    Fault(ENTRY, "if bid.total < minimum and", "if bid.total <= minimum and", spades("Minimum bid", 3)),
    Fault(
        ENTRY,
        "settings.minimum_blind_bid if is_blind else settings.minimum_bid",
        "settings.minimum_bid",
        spades("Minimum blind bid", 8),
    ),
    Fault(ENTRY, "if (is_blind or bid.has_blind_nil) and", "if is_blind and", spades("Blind nil", 8)),
    Fault(ENTRY, "side) >= settings.blind_bid_gap", "side) > settings.blind_bid_gap", spades("Blind bid gap", 4)),
    Fault(ENTRY, "settings.blind_bid_gap == 0 or", "", spades("Blind bid gap", 5)),
    Fault(ENTRY, "behind - (theirs.bag_points - mine.bag_points)", "behind", spades("Include bags for blind check", 2)),
    Fault(
        ENTRY,
        "mine.blinds < settings.max_team_blinds",
        "mine.blinds <= settings.max_team_blinds",
        spades("Max team blinds", 5),
    ),
    Fault(
        ENTRY,
        'if is_blind and "too_many_blinds"',
        'if (is_blind or bid.has_blind_nil) and "too_many_blinds"',
        spades("Max team blinds", 7),
    ),
    Fault(ENTRY, "not (is_blind_nil and settings.blind_nil is not None)", "True", "S3"),
    Fault(
        ENTRY,
        "if bid in (NIL, BLIND_NIL):\n            nils",
        "if bid in (NIL, BLIND_NIL):\n            total += 1\n            nils",
        "S1",
    ),
]
ENDINGS = [
    Fault(
        ENDS,
        "north_south, east_west = carry.north_south.score >= limit",
        "north_south, east_west = carry.north_south.score > limit",
        spades("Score limit", 5),
    ),
    Fault(ENDS, "if north_south and east_west:", "if north_south or east_west:", spades("Tie breaker", 5)),
    Fault(
        ENDS,
        "fewer_bags(carry) or higher_score(carry)",
        "higher_score(carry) or fewer_bags(carry)",
        spades("Tie breaker", 9),
    ),
    Fault(
        ENDS, "return fewer_bags(carry) or higher_score(carry)", "return fewer_bags(carry)", spades("Tie breaker", 10)
    ),
    Fault(
        ENDS, "return higher_score(carry) or fewer_bags(carry)", "return higher_score(carry)", spades("Tie breaker", 13)
    ),
    Fault(ENDS, "carry.hands > time_expired_after:", "carry.hands >= time_expired_after:", spades("Time limit", 7)),
    Fault(ENDS, "extra_hands > 0 and", "", spades("Time limit", 12)),
    Fault(
        ENDS,
        'extra_hands > 0 and settings.tie_breaker == "highest_score_then_fewer_bags"',
        "extra_hands > 0",
        spades("Time limit", 10),
    ),
    Fault(ENDS, "        return time_limit(", "        return score_limit(settings, carry) or time_limit(", "S13"),
    Fault(
        ENDS,
        "carry.north_south.sets_in_a_row >= most",
        "carry.north_south.sets >= most",
        spades("Shot back to back", 4),
    ),
    Fault(
        ENDS,
        '"shot_back_to_back", higher_score',
        '"shot_back_to_back", fewer_bags_first',
        spades("Shot back to back", 7),
    ),
    Fault(ENDS, "carry.north_south.sets >= most", "carry.north_south.sets_in_a_row >= most", spades("Set limit", 7)),
    Fault(ENDS, '"set_limit", tie_breaker', '"set_limit", higher_score', spades("Set limit", 9)),
    Fault(
        ENDS, "carry.north_south.score < lowest", "carry.north_south.score <= lowest", spades("Lowest allowed score", 6)
    ),
    Fault(ENDS, "sets(settings, carry)\n        or (None", "None\n        or (None", "S12"),
    Fault(ENDS, "settings.boston and carry.sweep is not None", "carry.sweep is not None", spades("Boston", 1)),
    Fault(
        SCORE,
        "elif contract.is_made:\n            run = 0",
        "elif contract.is_made:\n            run = run",
        spades("Shot back to back", 4),
    ),
    Fault(
        SCORE,
        "is_set, run = False, before.sets_in_a_row",
        "is_set, run = True, before.sets_in_a_row + 1",
        spades("First hand bids itself", 4),
    ),
    Fault(
        "partnership.py",
        '("south", "west", "north", "east")\n',
        '("south", "east", "north", "west")\n',
        spades("First dealer", 4),
    ),
    Fault("partnership.py", "SEATS.index(dealer) + 1", "SEATS.index(dealer)", spades("First dealer", 5)),
]
TOURNAMENT = [
    Fault("tournament.py", "settings.lowest_allowed_score + 1", "settings.lowest_allowed_score", "T2"),
    Fault("tournament.py", " and carry.sweep.bid == BOOKS", "", tournament("Winning the Game", 4)),
    Fault(
        "tournament.py",
        "score = settings.score_limit if side == winner else had",
        "score = had + settings.score_limit if side == winner else had",
        tournament("Winning the Game", 5),
    ),
    Fault(
        "tournament.py",
        "if side == winner else had",
        "if side == winner else scored.sides[side].score",
        tournament("Winning the Game", 6),
    ),
    Fault("tournament.py", "off_or(3, 5, 7, 8, 10)", "off_or(3, 5, 7, 10)", tournament("Sandbags", 7)),
    Fault(BOARD, "mine.bags_total % limit", "mine.bags_total", "T1"),
]
BID_WHIST = [
    Fault(
        "bid_whist.py",
        'Line("made_contract", above',
        'Line("made_contract", hand.level',
        bid_whist("Made, set, and the defenders", 2),
    ),
    Fault(
        "bid_whist.py",
        'Line("set_contract", -hand.level',
        'Line("set_contract", above - hand.level',
        bid_whist("Made, set, and the defenders", 6),
    ),
    Fault(
        "bid_whist.py",
        'Line("set_no_trump", -2 *',
        'Line("set_no_trump", -',
        bid_whist("No Trump doubles in both directions", 1),
    ),
    Fault(
        "bid_whist.py",
        'Line("made_no_trump", 2 * above',
        'Line("made_no_trump", above',
        bid_whist("No Trump doubles in both directions", 2),
    ),
    Fault(
        "bid_whist.py",
        'Line("boston_bonus", 4 * above',
        'Line("boston_bonus", (8 if is_no_trump else 4) * above',
        bid_whist("No Trump doubles in both directions", 4),
    ),
    Fault(
        "bid_whist.py",
        "if above < hand.level",
        "if above <= hand.level",
        bid_whist("What a contract actually promises", 3),
    ),
    Fault("bid_whist.py", "score >= settings.target", "score > settings.target", bid_whist("Winning the match", 1)),
    Fault("bid_whist.py", "score <= -settings.target", "score < -settings.target", bid_whist("Worked example", 2)),
    Fault("bid_whist.py", "and 1 <= books <= BOOKS", "and 0 <= books <= BOOKS", "B2"),
]
PACK = [
    Fault("pack.py", "elif 2 * hand.cards[hand.declarer] > sum", "elif 2 * hand.cards[hand.declarer] >= sum", "P1"),
    Fault("pack.py", 'Line("pack", 1, facts)', 'Line("pack", 2, facts)', pack(4)),
    Fault("pack.py", 'rule, penalty = "all_tricks", 2', 'rule, penalty = "all_tricks", 1', pack(8)),
    Fault("pack.py", "min(penalty, carry.scores[player])", "penalty", pack(7)),
    Fault("pack.py", "2 if len(winners) == 1 else 1", "2", pack(11)),
    Fault("pack.py", "2 if len(winners) == 1 else 1", "1", pack(10)),
    Fault("pack.py", "if hand.swept_by == declarer == hand.dealer", "if hand.swept_by == declarer", pack(15)),
    Fault("pack.py", 'Line("dealer_all_tricks", 1)', 'Line("dealer_all_tricks", 0)', pack(14)),
    Fault("pack.py", "hand.cards[declarer] == dealt and hand.swept_by is None", "False", pack(16)),
    Fault("pack.py", "hand.swept_by == player and declarer == hand.dealer", "hand.swept_by == player", pack(17)),
    Fault("pack.py", "holder if final_trick in (None, holder) else None", "holder", "P3"),
    Fault("pack.py", "if len(leaders) == 1 else None", "", "P6"),
    Fault(
        "pack.py", "player for player in hand.cards if player != declarer", "player for player in hand.cards", pack(10)
    ),
]
FAULTS = [*POINTS, *REGULARS, *BAGS, *RENEGES, *BIDS, *ENDINGS, *TOURNAMENT, *BID_WHIST, *PACK]
