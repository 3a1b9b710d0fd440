"""Figures: each takes a frame and returns its axes, and all look alike."""

from tricklab.figures.balance import by_distance, effects, striking, worth
from tricklab.figures.general import distribution, estimates, heat, lines
from tricklab.figures.shriving import contrasts
from tricklab.figures.style import STYLE

__all__ = [
    "STYLE",
    "by_distance",
    "contrasts",
    "distribution",
    "effects",
    "estimates",
    "heat",
    "lines",
    "striking",
    "worth",
]
