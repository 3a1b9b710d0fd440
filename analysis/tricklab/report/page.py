"""A report's page: a template of this folder, in the style that all reports share."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup


def render(template: str, context: dict[str, Any]) -> str:
    """The HTML of a template with its context; a name that the context lacks is an error."""
    folder = Path(str(resources.files(__package__)))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    style = Markup((folder / "style.css").read_text(encoding="utf-8"))
    return environment.get_template(template).render(context, style=style)
