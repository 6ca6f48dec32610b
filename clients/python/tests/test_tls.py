from __future__ import annotations

import os
import ssl
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler

from tapewire import ConnectionFailed, Item, TimedOut

from .support import client, respond, server
from .test_stream import begin, feed, subscribed


def of_server() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.environ["TEST_CERTIFICATE"], os.environ["TEST_CERTIFICATE_KEY"])
    return context


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=os.environ["TEST_CERTIFICATE"])
    # A certificate that vouches for itself is no authority; Python 3.13 looks.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


class Tls(unittest.TestCase):
    def test_calls_and_the_stream_by_https_with_an_authority_of_ones_own(self) -> None:
        def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
            if "stream" in handler.path:
                begin(handler, subscribed("e.0"), feed(1))
                handler.connection.recv(1)
            else:
                respond(handler, 200, b'{"tier": "pro"}')

        with server(answer, of_server()) as (url, _), client(base_url=url, ssl_context=trusting()) as tw:
            self.assertEqual([tw.me()["tier"] for _call in range(2)], ["pro", "pro"])
            stream = tw.stream()
            self.assertIsInstance(next(stream), Item)
            ended = threading.Thread(target=lambda: list(stream))
            ended.start()
            stream.close()
            ended.join(10)
        self.assertFalse(ended.is_alive())

    def test_the_timeout_covers_a_body_that_trickles(self) -> None:
        def trickle(handler: BaseHTTPRequestHandler, _: int) -> None:
            handler.send_response(200)
            handler.end_headers()
            for _byte in range(100):
                handler.wfile.write(b" ")
                time.sleep(0.05)

        with server(trickle, of_server()) as (url, _), self.assertRaises(TimedOut):
            client(base_url=url, ssl_context=trusting(), timeout_s=0.5, max_retries=0).me()

    def test_a_certificate_that_nobody_vouches_for_is_an_error_at_once_for_a_stream_too(self) -> None:
        with server(lambda handler, _: respond(handler, 200), of_server()) as (url, requests):
            tw = client(base_url=url, max_retries=0)
            with self.assertRaisesRegex(ConnectionFailed, "CERTIFICATE_VERIFY_FAILED"):
                tw.me()
            with self.assertRaisesRegex(ConnectionFailed, "cannot be trusted"):
                next(tw.stream())
        self.assertEqual(requests, [])
