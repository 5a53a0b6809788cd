"""Where the pages and their texts are."""

from functools import cache
from pathlib import Path


@cache
def web_root() -> Path:
    """Inside the package in a wheel, beside `server/` in a checkout."""
    package = Path(__file__).parent
    return next(folder for folder in (package / "web", package.parent.parent / "web") if folder.is_dir())
