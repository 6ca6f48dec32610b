"""The routes of a key, by subject."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast
from urllib.parse import quote

from . import _types as t
from ._filters import checked
from ._http import Http, random_key

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list. `cursor` is that of the next page; None on the last page."""

    items: list[T]
    cursor: str | None


def _all(read: Callable[[str | None], Page[T]], cursor: str | None) -> Iterator[T]:
    while True:
        page = read(cursor)
        yield from page.items
        if page.cursor is None:
            return
        cursor = page.cursor


class _Routes:
    def __init__(self, http: Http) -> None:
        self._http = http


class Feeds(_Routes):
    def list(self, **query: Unpack[t.FeedsQuery]) -> Iterator[t.FeedItem]:
        """All items that match, newest first, read page by page. `limit` is the size of a page."""
        asked = checked(query, t.FeedsQuery)
        return _all(lambda cursor: self._page({**asked, "cursor": cursor}), query.get("cursor"))

    def page(self, **query: Unpack[t.FeedsQuery]) -> Page[t.FeedItem]:
        """One page of items, newest first."""
        return self._page(checked(query, t.FeedsQuery))

    def _page(self, query: Mapping[str, Any]) -> Page[t.FeedItem]:
        answer = self._http.get("/v1/feeds", query)
        return Page(answer["data"], answer["next_cursor"])

    def get(self, id: str, *, as_of: t.Instant | None = None) -> t.FeedItemDetail:
        """One item with its analysis per symbol; with `as_of` as it was known then."""
        path = f"/v1/feeds/{_part(id)}"
        return cast(t.FeedItemDetail, self._http.get(path, {"as_of": as_of}))

    def stats(self, **query: Unpack[t.FeedStatsQuery]) -> t.FeedStats:
        """Counts of recent items over time, with the filters of the list."""
        return cast(t.FeedStats, self._http.get("/v1/feeds/stats", checked(query, t.FeedStatsQuery)))

    def text(self, id: str) -> t.ItemText:
        """The text in which offsets of evidence count, in UTF-16 units; `text_withheld` where it may not be shown."""
        return cast(t.ItemText, self._http.get(f"/v1/feeds/{_part(id)}/text"))

    def scores(self, id: str) -> t.ItemScores:
        """Every stored score of the item, oldest first."""
        return cast(t.ItemScores, self._http.get(f"/v1/feeds/{_part(id)}/scores"))

    def score(
        self,
        id: str,
        *,
        model: Literal["flash", "pro"] | None = None,
        detailed: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.Verdict:
        """A new verdict on the stored text; it is not stored. Costs one score call."""
        body = {"model": model, "include_detailed_analysis": detailed}
        path, key = f"/v1/feeds/{_part(id)}/score", idempotency_key or random_key()
        return cast(t.Verdict, self._http.request("POST", path, body=body, idempotency_key=key))


class Webhooks(_Routes):
    """Calls that create or send something are repeated after a failure, with an idempotency key; `test` is not."""

    def list(self) -> t.WebhookList:
        """The endpoints of the account, without their secrets."""
        return cast(t.WebhookList, self._http.get("/v1/webhooks"))

    def create(self, *, idempotency_key: str | None = None, **endpoint: Unpack[t.WebhookCreate]) -> t.Webhook:
        """A new endpoint with its signing secret."""
        return cast(t.Webhook, self._post("", endpoint, idempotency_key))

    def get(self, id: str) -> t.Webhook:
        """One endpoint with its signing secret."""
        return cast(t.Webhook, self._http.get(f"/v1/webhooks/{_part(id)}"))

    def update(self, webhook_id: str, /, **change: Unpack[t.WebhookUpdate]) -> t.Webhook:
        """Absent members do not change."""
        return cast(t.Webhook, self._http.request("PATCH", f"/v1/webhooks/{_part(webhook_id)}", body=change))

    def delete(self, id: str) -> t.WebhookDeletion:
        return cast(t.WebhookDeletion, self._http.request("DELETE", f"/v1/webhooks/{_part(id)}"))

    def rotate(self, id: str, *, idempotency_key: str | None = None) -> t.Webhook:
        """A new secret; the old one signs too for 24 hours."""
        return cast(t.Webhook, self._post(f"/{_part(id)}/rotate", None, idempotency_key))

    def test(self, id: str) -> t.WebhookTest:
        """Sends a test event, and returns what the receiver answered."""
        return cast(t.WebhookTest, self._http.request("POST", f"/v1/webhooks/{_part(id)}/test"))

    def deliveries(
        self,
        id: str,
        *,
        status: Literal["due", "delivered", "failed", "expired"] | None = None,
        limit: int = 100,
    ) -> Iterator[t.WebhookDelivery]:
        """Deliveries of the last 7 days, newest item first, read page by page of `limit`."""
        path = f"/v1/webhooks/{_part(id)}/deliveries"

        def read(cursor: str | None) -> Page[t.WebhookDelivery]:
            query = {"status": status, "limit": limit, "cursor": cursor}
            answer = self._http.get(path, query)
            return Page(answer["data"], answer["next_cursor"])

        return _all(read, None)

    def delivery(self, id: str, delivery_id: str) -> t.WebhookDeliveryDetail:
        """One delivery with its attempts, and its request made again."""
        path = f"/v1/webhooks/{_part(id)}/deliveries/{_part(delivery_id)}"
        return cast(t.WebhookDeliveryDetail, self._http.get(path))

    def resend(self, id: str, delivery_id: str, *, idempotency_key: str | None = None) -> t.WebhookQueued:
        """Sends one delivery again."""
        path = f"/{_part(id)}/deliveries/{_part(delivery_id)}/resend"
        return cast(t.WebhookQueued, self._post(path, None, idempotency_key))

    def recover(self, id: str, *, since: t.Instant, idempotency_key: str | None = None) -> t.WebhookQueued:
        """Sends deliveries again that were given up since a time."""
        return cast(t.WebhookQueued, self._post(f"/{_part(id)}/recover", {"since": since}, idempotency_key))

    def replay(
        self,
        id: str,
        *,
        since: t.Instant | int,
        until: t.Instant | int | None = None,
        idempotency_key: str | None = None,
    ) -> t.WebhookReplayStarted:
        """Sends a range of the log again: `since` to `until`, both included, as times or positions (seq)."""
        body = {"from": since, **({} if until is None else {"to": until})}
        return cast(t.WebhookReplayStarted, self._post(f"/{_part(id)}/replay", body, idempotency_key))

    def stats(self, id: str, *, hours: int | None = None) -> t.WebhookStats:
        """Delivery counts of one endpoint, now and by hour."""
        path = f"/v1/webhooks/{_part(id)}/stats"
        return cast(t.WebhookStats, self._http.get(path, {"hours": hours}))

    def all_stats(self, *, hours: int | None = None) -> t.WebhookStatsList:
        """One row per endpoint of the account."""
        return cast(t.WebhookStatsList, self._http.get("/v1/webhooks/stats", {"hours": hours}))

    def _post(self, path: str, body: object, key: str | None) -> Any:
        return self._http.request(
            "POST", f"/v1/webhooks{path}", body=body, idempotency_key=key or random_key()
        )


class Symbols(_Routes):
    def list(self, *, q: str | None = None, limit: int | None = None) -> t.SymbolList:
        """Tracked symbols, largest first; with `q` those whose ticker or name begins so."""
        return cast(t.SymbolList, self._http.get("/v1/symbols", {"q": q, "limit": limit}))

    def get(self, ticker: str) -> t.SymbolDetail:
        """AAPL, or NASDAQ:AAPL for one exchange."""
        return cast(t.SymbolDetail, self._http.get(f"/v1/symbols/{_part(ticker)}"))


class Sources(_Routes):
    def list(self) -> t.SourceList:
        """Names of sources: the values of the aggregator filter."""
        return cast(t.SourceList, self._http.get("/v1/sources"))

    def get(self, name: str) -> t.SourceDetail:
        return cast(t.SourceDetail, self._http.get(f"/v1/sources/{_part(name)}"))


class Providers(_Routes):
    def list(self) -> t.ProviderList:
        return cast(t.ProviderList, self._http.get("/v1/providers"))

    def get(self, id: str) -> t.Provider:
        return cast(t.Provider, self._http.get(f"/v1/providers/{_part(id)}"))


class Tags(_Routes):
    def list(self) -> t.TagList:
        """Every dimension with its values."""
        return cast(t.TagList, self._http.get("/v1/tags"))

    def get(self, dimension: t.TagDimension) -> t.TagDimensionValues:
        return cast(t.TagDimensionValues, self._http.get(f"/v1/tags/{_part(dimension)}"))


class Events(_Routes):
    def list(self) -> t.EventList:
        """Kinds of events: the values of the event filter."""
        return cast(t.EventList, self._http.get("/v1/events"))


def _part(text: str) -> str:
    """One part of a path. An empty one would be another route."""
    if not isinstance(text, str) or text in ("", ".", ".."):
        raise TypeError(f"{text!r} is no id or name")
    return quote(text, safe="")
