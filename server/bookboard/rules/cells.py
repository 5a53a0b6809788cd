"""A sheet's text as rows of cells, and a cell as a value, whichever spreadsheet saved it last and in which country.

Spreadsheets put their own separators, encodings and ways to write a number where ours stood: `TRUE`, `8.0`, `1,000`.
"""

import codecs
import csv
import io
import re

import msgspec

from bookboard.rules.model import Json, RecordError

_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SEPARATOR_LINE = re.compile(r'\A"?sep=(.)"?\r?\n', re.IGNORECASE)
_FIRST_SEPARATOR = re.compile(r'\A[\s,;|]*"?\w+"? *([,;\t|])')
_NUMBER = re.compile(r"([+-]?)(\d{1,15})(?:[.]0+|,0{1,2})?")
_THOUSANDS = re.compile(
    r"([+-]?)([0-9]{1,3}(?:(?:,[0-9]{3})+(?=[.]0+|\Z)|(?:[.][0-9]{3})+(?=,0+|\Z)|(?:['’ \u00a0\u202f][0-9]{3})+))"  # noqa: RUF001
    r"([.,]0{1,2})?"
)
_WORDS = {"true": True, "false": False}
_MINUS = str.maketrans({"\N{MINUS SIGN}": "-"})


def text_of(given: bytes) -> str:
    """The text in a file: UTF-8, or UTF-16 as spreadsheets and shells on Windows write it. Raises RecordError."""
    encoding = next((name for mark, name in _ENCODINGS if given.startswith(mark)), None)
    if encoding is None:
        zeros = given[:2].find(b"\0")
        encoding = {0: "utf-16-be", 1: "utf-16-le"}.get(zeros, "utf-8")
    try:
        return given.decode(encoding)
    except UnicodeDecodeError as error:
        raise RecordError("malformed") from error


def rows_of(text: str) -> tuple[list[list[str]], str]:
    """The rows, and what separates their cells. Raises RecordError malformed."""
    text = text.removeprefix("\ufeff")
    told = _SEPARATOR_LINE.match(text)
    if told:
        text = text[told.end() :]
    seen = _FIRST_SEPARATOR.match(text)
    separator = told[1] if told else seen[1] if seen else ","
    try:
        return [*csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator)], separator
    except (csv.Error, TypeError, ValueError) as error:  # some characters cannot separate
        raise RecordError("malformed") from error


def value_of(cell: str) -> Json:
    """JSON, else the text itself. Raises RecordError for what is nested too deep."""
    try:
        value: Json = msgspec.json.decode(cell)
    except msgspec.DecodeError:
        return cell
    except RecursionError:
        raise RecordError("malformed") from None
    return value


def saved_value_of(cell: str, separator: str = ",") -> Json:
    """The value that a spreadsheet may have written in its own way; what could mean two numbers stays text."""
    plain = cell.strip().translate(_MINUS)
    if plain.lower() in _WORDS:
        return _WORDS[plain.lower()]
    grouped = _THOUSANDS.fullmatch(plain)
    if grouped:
        sign, digits, decimals = grouped.groups()
        if "." in digits and separator == "," and not decimals:
            return cell  # 1.000 is one where the comma separates cells, and a thousand where it is the decimal sign
        return int(sign + re.sub(r"\D", "", digits))
    whole = _NUMBER.fullmatch(plain) if plain.isascii() else None
    if whole:
        return int(whole[1] + whole[2])
    return value_of(cell)
