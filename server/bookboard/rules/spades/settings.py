"""The 32 settings of Spades, each declared once with its default, in the order of the document."""

from typing import Annotated, Literal

from msgspec import Struct

from bookboard.rules.declare import Declared, numbers, off_or, unlimited_or
from bookboard.rules.game import Choice
from bookboard.rules.partnership import SEAT_CHOICES, Seat

TieBreaker = Literal["highest_score", "fewer_bags_first", "highest_score_then_fewer_bags"]
Variation = Literal["exactly_10", "at_least_10", "double_points"]
AutomaticLoss = Literal["automatic_loss"]

TIMES = "\N{MULTIPLICATION SIGN}"


class SpadesSettings(Struct, frozen=True, gc=False):
    score_limit: Annotated[
        int,
        Declared(
            label="Score limit",
            group="Game",
            help="The first side to reach this score wins. Scores are compared once a hand is fully scored; if both "
            "sides are there after the same hand, the tie breaker decides.",
            source="Spades rules, section Score limit",
            choices=numbers(250, 300, 350, 500),
            low=100,
            high=5000,
            unit="points",
        ),
    ] = 300
    tie_breaker: Annotated[
        TieBreaker,
        Declared(
            label="Tie breaker",
            group="Game",
            help="Who wins when both sides reach the score limit, or both the set limit, in the same hand. “Fewer "
            "bags first” puts the bags of the whole game ahead of the score; “Highest score, then fewer bags” asks "
            "them only when the scores are level, also when time runs out. What stays level plays another hand.",
            source="Spades rules, section Tie breaker",
            choices=(
                Choice("highest_score", "Highest score wins"),
                Choice("fewer_bags_first", "Fewer bags first"),
                Choice("highest_score_then_fewer_bags", "Highest score, then fewer bags"),
            ),
        ),
    ] = "highest_score"
    time_limit_minutes: Annotated[
        int | None,
        Declared(
            label="Time limit",
            group="Game",
            help="When time runs out, the hand being played is the last one and the higher score after it wins. Level "
            "scores play at least one extra hand. A side that reaches the score limit before that wins as usual.",
            source="Spades rules, section Time limit",
            choices=off_or(30, 60, 90),
            low=5,
            high=240,
            unit="min",
        ),
    ] = None
    first_dealer: Annotated[
        Seat,
        Declared(
            label="First dealer",
            group="Game",
            help="The seat that deals the first hand. The deal moves clockwise after each one: South, West, North, "
            "East. The player on the dealer's left bids first.",
            source="Spades rules, section First dealer",
            choices=SEAT_CHOICES,
        ),
    ] = "south"
    minimum_bid: Annotated[
        int,
        Declared(
            label="Minimum bid",
            group="Bidding",
            help="The least a side's two players can bid between them. A nil adds nothing, so a nil bidder's partner "
            "bids the minimum alone. Blind bids have a minimum of their own.",
            source="Spades rules, section Minimum bid",
            choices=numbers(1, 2, 3, 4, 5),
            unit="books",
        ),
    ] = 4
    first_hand_bids_itself: Annotated[
        bool,
        Declared(
            label="First hand bids itself",
            group="Bidding",
            help="Nobody bids in the first hand: each book is worth 10 points to the side that took it. It has no "
            "sets and no bags, and counts for neither the set limit nor shot back to back.",
            source="Spades rules, section First hand bids itself",
        ),
    ] = True
    nil: Annotated[
        int | None,
        Declared(
            label="Nil",
            group="Nil",
            help="What a player earns for promising to take no book and keeping to it, and loses otherwise. A renege "
            "by the nil bidder fails the nil. The partner's bid is scored separately. Off: nobody can bid nil.",
            source="Spades rules, section Nil",
            choices=off_or(50, 100),
            unit="points",
        ),
    ] = 50
    count_books_from_nil_loss: Annotated[
        bool,
        Declared(
            label="Count books from nil loss",
            group="Nil",
            help="On: the books that a failed nil bidder took help the partner's bid. Off: they do not, though they "
            "stay books of the side and can be bags.",
            source="Spades rules, section Count books from nil loss",
            hidden_when=({"nil": None},),
        ),
    ] = True
    include_bags_for_successful_nil: Annotated[
        bool,
        Declared(
            label="Include bags for successful nil",
            group="Nil",
            help="Whether the bags of a hand in which the side's nil held enter its running total, which leads to the "
            "bag penalty and is what the tie breakers count.",
            source="Spades rules, section Include bags for successful nil",
            hidden_when=({"nil": None},),
            idle_when=({"nil": None, "blind_nil": None},),
        ),
    ] = True
    blind_nil: Annotated[
        int | None,
        Declared(
            label="Blind nil",
            group="Nil",
            help="What a nil bid without looking at the cards earns, or loses when it fails. It needs the blind bid "
            "gap but is not one of the side's blinds. Off: it is scored as a regular nil, "
            "but still needs the gap.",
            source="Spades rules, section Blind nil",
            choices=off_or(100, 200),
            unit="points",
            hidden_when=({"nil": None},),
            idle_when=({"nil": None, "blind_nil": None},),
        ),
    ] = 100
    minimum_blind_bid: Annotated[
        int,
        Declared(
            label="Minimum blind bid",
            group="Blind",
            help="The least a side can bid without looking at its cards. A blind bid pays double when made and costs "
            "more when lost; it earns no bag points and cannot set off a bag penalty in its hand.",
            source="Spades rules, section Minimum blind bid",
            choices=numbers(5, 6, 7, 8),
            unit="books",
        ),
    ] = 6
    blind_bid_gap: Annotated[
        int,
        Declared(
            label="Blind bid gap",
            group="Blind",
            help="How many points a side must be behind before it can bid blind. At 0 either side can at any time.",
            source="Spades rules, section Blind bid gap",
            choices=numbers(0, 50, 100),
            unit="points",
        ),
    ] = 100
    include_bags_for_blind_check: Annotated[
        bool,
        Declared(
            label="Include bags for blind check",
            group="Blind",
            help="Off: the points that each side's bags scored are taken out of both scores before the gap is "
            "measured.",
            source="Spades rules, section Include bags for blind check",
            hidden_when=({"blind_bid_gap": 0},),
        ),
    ] = True
    max_team_blinds: Annotated[
        int | None,
        Declared(
            label="Max team blinds",
            group="Blind",
            help="How often a side can bid blind in a game, made or not. Blind nils are not counted.",
            source="Spades rules, section Max team blinds",
            choices=unlimited_or(1, 2),
            low=1,
            high=20,
        ),
    ] = None
    blind_loss_penalty: Annotated[
        int,
        Declared(
            label="Blind loss penalty",
            group="Blind",
            help="How many times the bid a blind bid costs that takes too few books. A made one always pays double.",
            source="Spades rules, section Blind loss penalty",
            choices=(Choice(1, f"Single bid ({TIMES}1)"), Choice(2, f"Double bid ({TIMES}2)")),
        ),
    ] = 2
    include_bags_for_successful_blind: Annotated[
        bool,
        Declared(
            label="Include bags for successful blind",
            group="Blind",
            help="Whether the bags of a made blind bid enter the running total. They never score points.",
            source="Spades rules, section Include bags for successful blind",
        ),
    ] = True
    bag_penalty: Annotated[
        int | None,
        Declared(
            label="Bag penalty",
            group="Bags",
            help="Each time a side's bags reach another multiple of this limit it loses ten times the limit. Bags past "
            "it carry over, and one hand can cost more than one penalty.",
            source="Spades rules, section Bag penalty",
            choices=off_or(3, 5, 7, 10),
            unit="bags",
        ),
    ] = 5
    max_bag_penalties: Annotated[
        int | None,
        Declared(
            label="Max bag penalties",
            group="Bags",
            help="The most bag penalties a side can take in a game. Later bags cost nothing more.",
            source="Spades rules, section Max bag penalties",
            choices=unlimited_or(1, 2),
            low=1,
            high=20,
            hidden_when=({"bag_penalty": None},),
        ),
    ] = None
    forgive_bags_on_set: Annotated[
        bool,
        Declared(
            label="Forgive bags on set",
            group="Bags",
            help="A side is given no bags in a hand in which the other side took fewer books than it bid: no points, "
            "and none in the total.",
            source="Spades rules, section Forgive bags on set",
            hidden_when=({"bag_penalty": None, "one_point_bags": False},),
            idle_when=({"bag_penalty": None, "one_point_bags": False, "tie_breaker": "highest_score"},),
        ),
    ] = False
    one_point_bags: Annotated[
        bool,
        Declared(
            label="1-point bags",
            group="Bags",
            help="Each book over the bid scores 1 point. Off: bags score nothing but still count toward the penalty.",
            source="Spades rules, section 1-point bags",
        ),
    ] = True
    ten_for_200: Annotated[
        bool,
        Declared(
            label="10-for-200",
            group="Bonuses",
            help="A bid of 10 pays 200 instead of 100, and costs a penalty of its own when missed. The variation says "
            "which bids and books win it. A bid that wins it scores no bag points and is not doubled by a blind.",
            source="Spades rules, section 10-for-200",
        ),
    ] = False
    ten_for_200_variation: Annotated[
        Variation,
        Declared(
            label="10-for-200 variation",
            group="Bonuses",
            help="Exactly 10 books: bid 10 and take neither more nor less. At least 10 books: bid 10 and take 10 or "
            "more. Double points: every made bid of 10 or more pays 20 a book bid. Other bids are scored as usual.",
            source="Spades rules, section 10-for-200 variation",
            choices=(
                Choice("exactly_10", "Exactly 10 books"),
                Choice("at_least_10", "At least 10 books"),
                Choice("double_points", "Bid 10 or more, double points"),
            ),
            hidden_when=({"ten_for_200": False},),
        ),
    ] = "exactly_10"
    ten_for_200_penalty: Annotated[
        int | None,
        Declared(
            label="10-for-200 penalty",
            group="Bonuses",
            help="What a missed 10-for-200 bid costs. Off: the same as any other missed bid.",
            source="Spades rules, section 10-for-200 penalty",
            choices=off_or(100, 200),
            unit="points",
            hidden_when=({"ten_for_200": False},),
        ),
    ] = 200
    include_bags_for_successful_ten_for_200: Annotated[
        bool,
        Declared(
            label="Include bags for successful 10-for-200",
            group="Bonuses",
            help="Whether the extra books of a made 10-for-200 bid enter the running total of bags.",
            source="Spades rules, section Include bags for successful 10-for-200",
            hidden_when=({"ten_for_200": False},),
            idle_when=({"ten_for_200": False}, {"ten_for_200_variation": "exactly_10"}),
        ),
    ] = False
    first_seven: Annotated[
        int | None,
        Declared(
            label="First 7",
            group="Bonuses",
            help="What a side earns for winning the first 7 books of a hand, whether or not it makes its bid. Mark "
            "the side when you enter the books.",
            source="Spades rules, section First 7",
            choices=off_or(100, 200),
            unit="points",
        ),
    ] = None
    renege_penalty: Annotated[
        int | AutomaticLoss,
        Declared(
            label="Renege penalty",
            group="Penalties",
            help="How many books a caught renege takes from its side before the hand is scored. Automatic loss: the "
            "first one recorded ends the game at once.",
            source="Spades rules, section Renege penalty",
            choices=(Choice("automatic_loss", "Automatic loss"), *numbers(3, 4, 5)),
            unit="books",
        ),
    ] = 3
    renege_award: Annotated[
        int,
        Declared(
            label="Renege award",
            group="Penalties",
            help="How many books the other side is credited for a renege. It scores no bag points in that hand. What "
            "the penalty takes and the award does not give counts for nobody.",
            source="Spades rules, section Renege award",
            choices=numbers(0, 1, 3, 4, 5),
            unit="books",
            hidden_when=({"renege_penalty": "automatic_loss"},),
        ),
    ] = 3
    underbid_penalty: Annotated[
        int | None,
        Declared(
            label="Underbid penalty",
            group="Penalties",
            help="Winning this many books over the bid at the table sets the side: it loses 10 a book bid, blind or "
            "not. A 10-for-200 bid is not an underbid.",
            source="Spades rules, section Underbid penalty",
            choices=off_or(1, 2, 3, 4),
            unit="books",
        ),
    ] = None
    boston: Annotated[
        bool,
        Declared(
            label="Boston",
            group="Instant win and loss",
            help="A side that wins all 13 books of a hand, without a renege of its own, wins the game at once, "
            "whatever the score.",
            source="Spades rules, section Boston",
        ),
    ] = False
    shot_back_to_back: Annotated[
        int | None,
        Declared(
            label="Shot back to back",
            group="Instant win and loss",
            help="A side that is set this many times in a row loses; making a bid starts the count again. If both "
            "sides get there together the higher score wins, and level scores play on.",
            source="Spades rules, section Shot back to back",
            choices=off_or(2, 3),
            unit="sets",
        ),
    ] = None
    set_limit: Annotated[
        int | None,
        Declared(
            label="Set limit",
            group="Instant win and loss",
            help="A side that is set this many times in the whole game loses, in a row or not. If both sides get there "
            "together the tie breaker decides; if it cannot, play goes on.",
            source="Spades rules, section Set limit",
            choices=off_or(2, 3),
            low=1,
            high=20,
            unit="sets",
        ),
    ] = None
    lowest_allowed_score: Annotated[
        int | None,
        Declared(
            label="Lowest allowed score",
            group="Instant win and loss",
            help="A side below this score after a hand loses; one that is exactly on it plays on. If both are below, "
            "the higher score wins, and level scores play on.",
            source="Spades rules, section Lowest allowed score",
            choices=off_or(-100, -200),
            low=-2000,
            high=-50,
            unit="points",
        ),
    ] = None
