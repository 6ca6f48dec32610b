"""The stream by server-sent events, resumed over lost connections; and the past by GET /v1/replay."""

from __future__ import annotations

import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from http.client import HTTPException, HTTPResponse
from typing import Any, Literal, Union

from ._filters import to_query
from ._http import ConnectionFailed, Http, Request, TapewireError, backoff_s, query_text
from ._types import Instant, Latency, StreamItem, SubscriptionFilters


@dataclass(frozen=True, slots=True)
class Item:
    """One item. `cursor` is where a stream resumes after it."""

    item: StreamItem
    cursor: str
    seq: int
    latency: Latency
    # When the stream sent it: in a replay the time of then, which is that of the log.
    at: str
    # Asked for by `snapshot`.
    snapshot: bool = False
    # Live items of the account today, this one included; None in a replay.
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """Items between two cursors may be missing."""

    from_cursor: str
    to_cursor: str
    # cursor_unknown: another log. cursor_expired: no longer stored. quota: the day's cap was reached.
    reason: Literal["cursor_unknown", "cursor_expired", "quota"]


@dataclass(frozen=True, slots=True)
class Quota:
    """The day's cap of live items is reached."""

    limit: int
    reset_at: datetime


@dataclass(frozen=True, slots=True)
class State:
    """The connection has changed. Sent only when asked for by `states`."""

    state: Literal["connecting", "live", "waiting"]
    # Failed attempts in a row.
    attempt: int
    # Why the last connection ended; empty: none has.
    reason: str = ""


Event = Union[Item, Gap, Quota, State]


class StreamClosed(Exception):
    """The service ended the stream, and connecting again would not help."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"The stream was closed ({code}){': ' if reason else ''}{reason}")
        # A close code or an HTTP status.
        self.code = code


class Stream(Iterator[Event]):
    """A stream that goes on over lost connections, until `close`. One thread reads it; any may close it."""

    def __init__(
        self,
        http: Http,
        *,
        filters: SubscriptionFilters,
        after: str | None,
        snapshot: int | None,
        states: bool,
        silence_s: float,
    ) -> None:
        if filters.get("providers"):
            raise ValueError("server-sent events have no filter of providers: filter by item['provider_id']")
        self._query = to_query(filters)
        query_text(self._query)  # What no query can say fails here, not in the loop.
        self._http, self._snapshot, self._states, self._silence_s = http, snapshot, states, silence_s
        # After everything that was handled: the place to resume. An event is handled when the next one is asked for.
        self.cursor: str | None = after
        self._received = after
        self._attempt = 0
        self._reason = ""
        self._hint_s: float | None = None
        # Where delivery stopped at the day's cap; None: the cap is not reached.
        self._stopped: str | None = None
        self._closed = threading.Event()
        self._socket: socket.socket | None = None
        self._events = self._run()

    def __next__(self) -> Event:
        if self._closed.is_set():
            raise StopIteration
        self.cursor = self._received
        try:
            return next(self._events)
        except KeyboardInterrupt:
            # It ends the generator. Whoever goes on, in a notebook, goes on from the same place.
            self._events = self._run()
            raise

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection at once, and the loop when it asks for the next event."""
        self._closed.set()
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _run(self) -> Iterator[Event]:
        while not self._closed.is_set():
            yield from self._tell("connecting")
            self._hint_s = None
            try:
                yield from self._connection()
                self._reason = "the connection ended"
            except TapewireError as error:
                if 400 <= error.status < 500 and error.status not in (408, 429):
                    raise StreamClosed(error.status, str(error)) from error
                self._hint_s, self._reason = error.retry_after, str(error)
            except ssl.SSLCertVerificationError as error:
                raise ConnectionFailed(f"{self._http.url} cannot be trusted: {error}") from error
            except (OSError, HTTPException) as error:
                self._reason = str(error) or type(error).__name__
            if self._closed.is_set():
                return
            wait_s = backoff_s(self._attempt, least=0.5, most=30) if self._hint_s is None else self._hint_s
            self._attempt += 1
            yield from self._tell("waiting")
            self._closed.wait(wait_s)

    def _tell(self, state: Literal["connecting", "live", "waiting"]) -> Iterator[State]:
        if self._states:
            yield State(state, self._attempt, self._reason)

    def _connection(self) -> Iterator[Event]:
        # The greeting has half of the time of silence.
        connection = self._http.connect(self._silence_s / 2)
        self._socket = connection.sock
        try:
            if self._closed.is_set():
                return
            begin = {"snapshot": self._snapshot} if self._received is None else {"after": self._received}
            path = f"/v1/stream/sse{query_text({**self._query, **begin})}"
            response = self._http.ask(connection, Request("GET", path, {"Accept": "text/event-stream"}))
            if response.status != 200:
                raise TapewireError(response.status, response.headers, response.read())
            self._socket.settimeout(self._silence_s)
            for frame in _frames(response):
                yield from self._event(frame)
        finally:
            self._socket = None
            connection.close()

    def _event(self, frame: dict[str, Any]) -> Iterator[Event]:
        kind = frame["type"]
        if kind == "feed":
            self._attempt = 0
            yield from self._item(frame)
        elif kind == "heartbeat":
            self._attempt = 0
            # While the cap is reached, items are passed over.
            if self._stopped is None:
                self.cursor = self._received = frame["cursor"]
        elif kind == "subscribed":
            yield from self._subscribed(frame)
        elif kind == "quota_exceeded" and self._stopped is None:
            self._stopped = self._received or ""
            now = datetime.now(timezone.utc)
            midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
            yield Quota(frame["limit"], midnight)
        elif kind == "error" and "retry_after_ms" in frame:
            self._hint_s = frame["retry_after_ms"] / 1_000
        elif kind == "close":
            code = frame["code"]
            if code in (1002, 1007, 1009) or 4500 <= code < 5000:
                raise StreamClosed(code, frame["reason"])

    def _subscribed(self, frame: dict[str, Any]) -> Iterator[Event]:
        yield from self._tell("live")
        after = self._received
        if frame["resumed"]:
            self._stopped = None
        elif after is None:
            self.cursor = self._received = frame["cursor"]
        else:
            self._received = frame["cursor"]
            yield Gap(after, frame["cursor"], frame.get("reason", "cursor_unknown"))

    def _item(self, frame: dict[str, Any]) -> Iterator[Event]:
        cursor = frame["cursor"]
        if self._stopped is not None and not frame["snapshot"]:
            stopped, self._stopped = self._stopped, None
            yield Gap(stopped, cursor, "quota")
        self._received = cursor
        latency = frame["latency"]
        at = latency["publish_time"]
        yield Item(frame["data"], cursor, frame["seq"], latency, at, frame["snapshot"], frame["count"])


def _frames(response: HTTPResponse) -> Iterator[dict[str, Any]]:
    rest = b""
    while chunk := response.read1(65_536):
        *blocks, rest = (rest + chunk).split(b"\n\n")
        for block in blocks:
            # None: a comment, or the time to wait before a reconnection, which the error frame tells as well.
            data = re.search(rb"^data: ?(.*)$", block, re.MULTILINE)
            if data is None:
                continue
            try:
                frame = json.loads(data[1])
            except ValueError as error:
                raise HTTPException("a frame is not JSON") from error
            yield frame


def replay(
    http: Http,
    filters: SubscriptionFilters,
    *,
    since: Instant | None,
    until: Instant | None,
    after: str | None,
    speed: float | Literal["max"],
    limit: int,
) -> Iterator[Item]:
    """A stretch of the log, oldest first; see `Tapewire.replay`."""
    span: dict[str, Any] = {"since": since, "until": until, "after": after, "limit": limit}
    begin: tuple[float, float] | None = None
    while True:
        page = http.request("GET", "/v1/replay", query={**to_query(filters), **span})
        for entry in page["data"]:
            if speed != "max":
                logged_s = _seconds(entry["logged_at"])
                begin = begin or (logged_s, time.monotonic())
                # Times of neighbours may be out of order by as long as scoring took.
                time.sleep(max(0.0, begin[1] + (logged_s - begin[0]) / speed - time.monotonic()))
            yield Item(entry["data"], entry["cursor"], entry["seq"], entry["latency"], entry["logged_at"])
        if page["next_cursor"] is None:
            return
        span["after"] = page["next_cursor"]


def _seconds(time_text: str) -> float:
    return datetime.fromisoformat(time_text.replace("Z", "+00:00")).timestamp()
