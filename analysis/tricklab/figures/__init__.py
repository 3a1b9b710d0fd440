"""Figures: each takes a frame and returns its axes, and all look alike."""

from tricklab.figures.balance import effects, interplay, seats, shares, striking
from tricklab.figures.bids import against_break_even
from tricklab.figures.calibration import bias, margin_curve, margin_search, reliability
from tricklab.figures.general import distribution, estimates, heat, lines
from tricklab.figures.shriving import contrasts
from tricklab.figures.style import STYLE

__all__ = [
    "STYLE",
    "against_break_even",
    "bias",
    "contrasts",
    "distribution",
    "effects",
    "estimates",
    "heat",
    "interplay",
    "lines",
    "margin_curve",
    "margin_search",
    "reliability",
    "seats",
    "shares",
    "striking",
]
