"""Items as a table, where pandas is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ._stream import Item

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]

COLUMNS = (
    "id",
    "seq",
    "revision",
    "status",
    "title",
    "source",
    "provider_id",
    "type",
    "event",
    "language",
    "link",
)
SCORES = (
    "actionability",
    "actionability_score",
    "sentiment_score",
    "sentiment_short",
    "sentiment_long",
    "sentiment_conviction",
)
TIMES = ("published_at", "updated_at", "at")


def to_dataframe(items: Iterable[Item | Mapping[str, Any]]) -> pandas.DataFrame:
    """One row per item of a list, a stream or a replay: scores as columns, symbols as a list.

    Raises ImportError without pandas, which this package does not install.
    """
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]

    frame: pandas.DataFrame = pandas.DataFrame(
        [_row(one) for one in items], columns=[*TIMES, *COLUMNS[:4], "symbols", *COLUMNS[4:], *SCORES]
    )
    for name in TIMES:
        frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
    return frame


def _row(one: Item | Mapping[str, Any]) -> dict[str, Any]:
    item: Mapping[str, Any] = one.item if isinstance(one, Item) else one
    return {
        **{name: item.get(name) for name in (*TIMES, *COLUMNS)},
        **{name: item["scoring"].get(name) for name in SCORES},
        "symbols": [ref["symbol"] for ref in item["symbols"]],
        "at": one.at if isinstance(one, Item) else None,
    }
