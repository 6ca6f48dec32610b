"""A client of one service with one key."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, cast

from ._http import Http, random_key
from ._rest import Events, Feeds, Providers, Sources, Symbols, Tags, Webhooks
from ._stream import Item, Stream, replay
from ._types import Instant, Me, ScoreArtifact, ScoreBatch, SubscriptionFilters, Usage, Verdict


class Tapewire:
    """Reads TAPEWIRE_URL and TAPEWIRE_KEY where no address and no key are given. Threads may share it."""

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        timeout_s: float = 30,
        max_retries: int = 2,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """`timeout_s` is the time of an attempt, its body included."""
        http = Http(
            os.environ.get("TAPEWIRE_URL", "") if base_url is None else base_url,
            os.environ.get("TAPEWIRE_KEY", "") if key is None else key,
            timeout_s=timeout_s,
            max_retries=max_retries,
            ssl_context=ssl_context,
        )
        self._http = http
        self.feeds = Feeds(http)
        self.webhooks = Webhooks(http)
        self.symbols = Symbols(http)
        self.sources = Sources(http)
        self.providers = Providers(http)
        self.tags = Tags(http)
        self.events = Events(http)

    def stream(
        self,
        filters: SubscriptionFilters | None = None,
        *,
        after: str | None = None,
        snapshot: int | None = None,
        states: bool = False,
        silence_s: float = 40,
    ) -> Stream:
        """The items as they are scored: events Item, Gap and Quota, with `states` also State.

        It begins after the cursor `after`, or with the newest `snapshot` items (up to 500), or now. It connects when
        the first event is asked for. A connection that says nothing for `silence_s` is dead: the service sends a
        heartbeat every 15 s. The loop raises StreamClosed when connecting again would not help.
        """
        return Stream(
            self._http,
            filters=filters or {},
            after=after,
            snapshot=snapshot,
            states=states,
            silence_s=silence_s,
        )

    def replay(
        self,
        filters: SubscriptionFilters | None = None,
        *,
        since: Instant | None = None,
        until: Instant | None = None,
        after: str | None = None,
        speed: float | Literal["max"] = "max",
        limit: int = 1000,
    ) -> Iterator[Item]:
        """What a stream carried, each version with its scores of then, oldest first; pro plan and above.

        `since` and `until` are times of the log, or for `until` a cursor; `after` is a cursor and goes before
        `since`. `speed`: 1 plays with the pauses of then, 60 an hour in a minute, max without pauses. `limit` is
        the size of a page.
        """
        if speed != "max" and not speed > 0:
            raise ValueError("speed must be above 0, or max")
        return replay(
            self._http, filters or {}, since=since, until=until, after=after, speed=speed, limit=limit
        )

    def score(
        self,
        artifact: ScoreArtifact,
        *,
        model: Literal["flash", "pro"] | None = None,
        detailed: bool | None = None,
        sentiment: Literal["always", "if_actionable"] | None = None,
        idempotency_key: str | None = None,
    ) -> Verdict:
        """Scores a text of yours; pro plan and above.

        Without `model` flash scores news and ugc, and pro filings and research. `detailed` adds detailed_analysis.
        """
        body = {"artifact": artifact, "options": _options(model, detailed, sentiment)}
        key = idempotency_key or random_key()
        return cast(Verdict, self._http.request("POST", "/v1/score", body=body, idempotency_key=key))

    def score_batch(
        self,
        artifacts: Sequence[ScoreArtifact],
        *,
        model: Literal["flash", "pro"] | None = None,
        detailed: bool | None = None,
        sentiment: Literal["always", "if_actionable"] | None = None,
        idempotency_key: str | None = None,
    ) -> ScoreBatch:
        """Scores up to 100 texts. An invalid one does not fail the others."""
        body = {"artifacts": list(artifacts), "options": _options(model, detailed, sentiment)}
        key = idempotency_key or random_key()
        return cast(ScoreBatch, self._http.request("POST", "/v1/score/batch", body=body, idempotency_key=key))

    def me(self) -> Me:
        """The key, its plan, its limits and today's use."""
        return cast(Me, self._http.get("/v1/me"))

    def usage(self, *, days: int | None = None) -> Usage:
        """The use of each day."""
        return cast(Usage, self._http.get("/v1/usage", {"days": days}))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Any route of the interface, such as `request("GET", "/v1/me")`."""
        return self._http.request(method, path, query=query, body=body, idempotency_key=idempotency_key)

    def close(self) -> None:
        """Closes connections that wait for another request. Streams close themselves."""
        self._http.close()

    def __enter__(self) -> Tapewire:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _options(model: str | None, detailed: bool | None, sentiment: str | None) -> dict[str, Any]:
    return {"model": model, "include_detailed_analysis": detailed, "score_sentiment": sentiment}
