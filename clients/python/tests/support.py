"""The service under test, by its address and keys in the environment; and servers that fail on demand."""

from __future__ import annotations

import itertools
import os
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_hex
from typing import Any

from tapewire import Tapewire

numbers = itertools.count(1)
run = token_hex(4)


def client(**options: Any) -> Tapewire:
    return Tapewire(**options)


def push(*items: dict[str, Any]) -> list[dict[str, Any]]:
    with Tapewire(key=os.environ["TAPEWIRE_ADMIN_TOKEN"]) as admin:
        answer = admin.request("POST", "/admin/v1/items", body=list(items))
    return list(answer["data"])


def news(source: str, title: str | None = None, **members: Any) -> dict[str, Any]:
    """An item of a source of the test's own."""
    n = next(numbers)
    told = title or f"Orbitex Robotics raises its full-year guidance by {n}%"
    return {"title": told, "source": source, "external_id": f"{run}-{n}", "symbols": ["DEMO:OBTX"], **members}


def until(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 20
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"not in time: {what}")
        time.sleep(0.01)


@contextmanager
def server(
    answer: Callable[[BaseHTTPRequestHandler, int], None], tls: ssl.SSLContext | None = None
) -> Iterator[tuple[str, list[Any]]]:
    """A server of one behaviour, called with the number of the request. Yields its address and the requests."""
    requests: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            requests.append((self.command, self.path, dict(self.headers), body))
            answer(self, len(requests))

        do_POST = do_DELETE = do_GET

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            pass  # Of connections that the test ends.

    with Server(("127.0.0.1", 0), Handler) as listening:
        if tls is not None:
            listening.socket = tls.wrap_socket(
                listening.socket, server_side=True, do_handshake_on_connect=False
            )
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            scheme = "http" if tls is None else "https"
            yield f"{scheme}://127.0.0.1:{listening.server_port}", requests
        finally:
            listening.shutdown()
            thread.join()


def respond(handler: BaseHTTPRequestHandler, status: int, body: bytes = b"{}", **headers: str) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)
