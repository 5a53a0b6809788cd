"""What is always true of Spades, and which sentence of a table's rules is behind which line and which end."""

from collections.abc import Mapping

BASICS = ("deal", "bid_sum", "made", "set", "lost_bid", "blind", "bag_total", "ends", "host_ends")

EXPLAINED_BY: Mapping[str, tuple[str, ...]] = {
    "first_hand": ("first_hand_bids_itself",),
    "renege": ("renege_penalty",),
    "renege_loss": ("renege_penalty",),
    "nil_made": ("nil",),
    "nil_failed": ("nil",),
    "nil_reneged": ("nil",),
    "blind_nil_made": ("blind_nil",),
    "blind_nil_failed": ("blind_nil",),
    "blind_nil_reneged": ("blind_nil",),
    "nil_books_left_out": ("count_books_from_nil_loss", "nil"),
    "made_blind": ("blind",),
    "set_blind": ("blind_loss_penalty",),
    "underbid": ("underbid_penalty",),
    "double_points": ("ten_for_200_variation",),
    "ten_for_200_over": ("ten_for_200_variation",),
    "ten_for_200_missed": ("ten_for_200_penalty",),
    "bags": ("one_point_bags",),
    "bags_without_points": ("one_point_bags",),
    "bags_forgiven": ("forgive_bags_on_set",),
    "bags_left_out": ("bag_total",),
    "bag_penalty_capped": ("max_bag_penalties",),
    "bag_penalty_blind": ("blind",),
    "time_limit": ("time_limit_minutes",),
    "host": ("host_ends",),
}
"""Those not listed are explained by the setting or the sentence of their own name."""
