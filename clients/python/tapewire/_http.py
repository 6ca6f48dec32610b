"""Requests: sent once, and again when the failure may pass and the request may be repeated."""

from __future__ import annotations

import gzip
import json
import random
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from secrets import token_hex
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ._types import FieldError

# A longer Retry-After is the caller's to wait for: the end of a day's quota is hours away.
MOST_WAIT_S = 60.0
PASSING = frozenset((408, 429, 502, 503, 504))
# The service closes connections that are idle for 65 s; proxies are less patient.
IDLE_S = 3.0
MOST_IDLE = 8


class TapewireError(Exception):
    """The service refused the request, or failed to answer it. Decide by `code`."""

    def __init__(self, status: int, headers: Message, body: bytes) -> None:
        problem = _problem_in(body)
        super().__init__(f"HTTP {status}: {problem.get('detail', 'the response is no problem document')}")
        self.status = status
        # `http_<status>` when the response is no problem document, as from a proxy.
        self.code: str = problem.get("code", f"http_{status}")
        # The fields of the request that are wrong.
        self.fields: list[FieldError] = problem.get("errors", [])
        # Id of the request in the server's log.
        self.request_id: str | None = problem.get("request_id") or headers.get("X-Request-Id")
        # Seconds that the service asks to wait; None: it does not say.
        self.retry_after: float | None = _retry_after(headers.get("Retry-After"))


class ConnectionFailed(Exception):
    """No complete response arrived. `__cause__` says why."""


class TimedOut(ConnectionFailed):
    """The response did not arrive in time."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None = None

    @property
    def is_safe(self) -> bool:
        """Whether sending it twice does no harm."""
        return self.method != "POST" or "Idempotency-Key" in self.headers


class Http:
    """A service and a key. It keeps connections for a moment, and may be used by several threads."""

    def __init__(
        self, url: str, key: str, *, timeout_s: float, max_retries: int, ssl_context: ssl.SSLContext | None
    ) -> None:
        self._idle: deque[tuple[HTTPConnection, float]] = deque()
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url must be an http(s) address, not '{url}': pass it or set TAPEWIRE_URL")
        self.url = url
        self._host, self._port, self._prefix = (
            parts.hostname,
            parts.port,
            quote(parts.path.rstrip("/"), safe="/%"),
        )
        self._tls = (ssl_context or ssl.create_default_context()) if parts.scheme == "https" else None
        # A key that is read from a file often has the end of its line.
        self._key, self._timeout_s, self._max_retries = key.strip(), timeout_s, max_retries

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        return self.request("GET", path, query=query)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """The JSON of the response. A POST is sent again after a failure only with an idempotency key."""
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        data = None if body is None else json.dumps(body, default=_time_text).encode()
        text = self._send(Request(method, path + query_text(query or {}), headers, data))
        try:
            return json.loads(text)
        except ValueError as error:
            raise ConnectionFailed(f"the response is not JSON: is {self.url} the service's?") from error

    def connect(self, timeout_s: float) -> HTTPConnection:
        """A new connection, open."""
        connection = HTTPConnection(self._host, self._port, timeout=timeout_s)
        if self._tls is not None:
            connection = HTTPSConnection(self._host, self._port, timeout=timeout_s, context=self._tls)
        try:
            connection.connect()
        except BaseException:
            connection.close()
            raise
        return connection

    def ask(self, connection: HTTPConnection, request: Request) -> HTTPResponse:
        """Sends a request and reads the head of its response."""
        headers = {"User-Agent": "tapewire-python/0.1.0", "Authorization": f"Bearer {self._key}"}
        path = self._prefix + request.path
        connection.request(request.method, path, request.body, {**headers, **request.headers})
        return connection.getresponse()

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[0].close()

    __del__ = close

    def _send(self, request: Request) -> bytes:
        retries = self._max_retries if request.is_safe else 0
        attempts = 0
        # How long a first call with the same Idempotency-Key is waited for while it is at work.
        patience_s = self._timeout_s
        while True:
            try:
                return self._attempt(request)
            except (TapewireError, ConnectionFailed) as error:
                wait_s = _wait_while_at_work(error)
                if wait_s is not None and wait_s <= patience_s:
                    patience_s -= wait_s
                else:
                    wait_s = _wait_before(error, attempts)
                    if attempts >= retries or wait_s is None:
                        raise
                    attempts += 1
            time.sleep(wait_s)

    def _attempt(self, request: Request) -> bytes:
        until = time.monotonic() + self._timeout_s
        kept = self._kept() if request.is_safe else None
        if kept is not None:
            # The service may have ended it meanwhile, which says nothing of a new one.
            with suppress(ConnectionFailed):
                return self._exchange(kept, request, until)
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise self._failure(request, TimeoutError())
        try:
            connection = self.connect(left_s)
        except (OSError, HTTPException) as error:
            raise self._failure(request, error) from error
        return self._exchange(connection, request, until)

    def _exchange(self, connection: HTTPConnection, request: Request, until: float) -> bytes:
        late = threading.Event()
        # A timeout of the socket begins anew with every byte.
        timer = threading.Timer(until - time.monotonic(), _cut, (connection.sock, late))
        timer.daemon = True
        timer.start()
        try:
            response = self.ask(connection, request)
            data = response.read()
            # A body without a length ends with the connection, also when we cut that.
            if late.is_set():
                raise TimeoutError
        except (OSError, HTTPException) as error:
            connection.close()
            raise self._failure(request, TimeoutError() if late.is_set() else error) from error
        except BaseException:
            connection.close()
            raise
        finally:
            timer.cancel()
        self._keep(connection)
        if response.headers.get("Content-Encoding") == "gzip":
            data = gzip.decompress(data)
        if 200 <= response.status < 300:
            return data
        raise TapewireError(response.status, response.headers, data)

    def _failure(self, request: Request, error: Exception) -> ConnectionFailed:
        if isinstance(error, TimeoutError):
            return TimedOut(f"{request.method} {request.path}: no response in {self._timeout_s} s")
        return ConnectionFailed(f"{self.url} does not answer: {error or type(error).__name__}")

    def _keep(self, connection: HTTPConnection) -> None:
        if connection.sock is not None and len(self._idle) < MOST_IDLE:
            self._idle.append((connection, time.monotonic()))
        else:
            connection.close()

    def _kept(self) -> HTTPConnection | None:
        with suppress(IndexError):
            while True:
                connection, since = self._idle.pop()
                if time.monotonic() - since < IDLE_S:
                    return connection
                connection.close()
        return None


def query_text(values: Mapping[str, Any]) -> str:
    """The text of a query with its `?`; empty without values. An empty list restricts nothing, like None."""
    pairs = [(name, _query_value(name, value)) for name, value in values.items()]
    text = urlencode([(name, value) for name, value in pairs if value != ""])
    return f"?{text}" if text else ""


def random_key() -> str:
    """An Idempotency-Key."""
    return token_hex(16)


def backoff_s(attempt: int, *, least: float, most: float) -> float:
    """Full jitter: a random time up to a bound that doubles with each attempt."""
    return random.random() * min(most, least * 2.0 ** min(attempt, 20))


def _query_value(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    if isinstance(value, (str, datetime)):
        return _time_text(value)
    values = [str(one) for one in value]
    if any("," in one for one in values):
        raise ValueError(f"a value of {name} has a comma, which separates values in a query")
    if not all(one.strip() for one in values):
        raise ValueError(f"a value of {name} is empty: leave it out")
    return ",".join(values)


def _time_text(value: Any) -> str:
    """A time as RFC 3339, when it is not text already."""
    if isinstance(value, str):
        return value
    if not isinstance(value, datetime):
        raise TypeError(f"{value!r} cannot be sent")
    if value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone")
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds")[:23] + "Z"


def _wait_while_at_work(error: Exception) -> float | None:
    """The first call may be paid for, and a repeat gets its answer. None: no call with the same key is at work."""
    # The service says when to come again only where that is the conflict.
    return (error.retry_after or None) if isinstance(error, TapewireError) and error.status == 409 else None


def _wait_before(error: Exception, attempt: int) -> float | None:
    """None: another attempt cannot help."""
    if isinstance(error, TapewireError):
        if error.status not in PASSING:
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= MOST_WAIT_S else None
    return backoff_s(attempt, least=0.5, most=8)


def _cut(sock: socket.socket, late: threading.Event) -> None:
    late.set()
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _problem_in(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) and isinstance(value.get("code"), str) else {}


def _retry_after(text: str | None) -> float | None:
    """Retry-After has seconds or a date."""
    if text is None:
        return None
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None
