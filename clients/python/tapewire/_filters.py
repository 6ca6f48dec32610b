"""Filters as a query. A misspelt one would send items that nobody asked for: the service ignores what it does not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ._types import FeedsQuery, FeedStatsQuery, SubscriptionFilters, SubscriptionFiltersTags

NAMES = {"symbols": "symbol", "exchanges": "exchange", "aggregators": "aggregator", "providers": "provider"}


def to_query(filters: SubscriptionFilters) -> dict[str, Any]:
    """The filters of a stream or a replay, by their names in a query."""
    tags = filters.get("tags") or {}
    _check(filters, SubscriptionFilters)
    _check(tags, SubscriptionFiltersTags)
    flat = {name: value for name, value in filters.items() if name != "tags"}
    return {NAMES.get(name, name): value for name, value in {**flat, **tags}.items()}


def checked(query: FeedsQuery | FeedStatsQuery, known: type) -> Mapping[str, Any]:
    _check(query, known)
    return cast(Mapping[str, Any], query)


def _check(given: Mapping[str, Any], known: type) -> None:
    unknown = sorted(given.keys() - known.__annotations__.keys())
    if unknown:
        raise TypeError(f"no such filter: {', '.join(unknown)}; there are {', '.join(known.__annotations__)}")
