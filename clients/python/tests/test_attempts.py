from __future__ import annotations

import gzip
import time
import unittest
from http.server import BaseHTTPRequestHandler

from tapewire import ConnectionFailed, TapewireError, TimedOut

from .support import client, respond, server

me = b'{"tier": "pro"}'


class Attempts(unittest.TestCase):
    def test_failures_that_pass_are_tried_again(self) -> None:
        statuses = {1: 503, 2: 429}

        def answer(handler: BaseHTTPRequestHandler, n: int) -> None:
            respond(handler, statuses.get(n, 200), me, Retry_After="0")

        with server(answer) as (url, requests):
            self.assertEqual(client(base_url=url).me()["tier"], "pro")
        self.assertEqual(len(requests), 3)

    def test_a_retry_after_of_a_minute_or_less_is_waited_for_and_a_longer_one_is_the_callers(self) -> None:
        with server(lambda handler, n: respond(handler, 200 if n > 1 else 429, me, Retry_After="1")) as (
            url,
            _,
        ):
            begun = time.monotonic()
            client(base_url=url).me()
            self.assertGreaterEqual(time.monotonic() - begun, 1)
        with server(lambda handler, _: respond(handler, 429, Retry_After="3600")) as (url, requests):
            with self.assertRaises(TapewireError) as refused:
                client(base_url=url).me()
        self.assertEqual((len(requests), refused.exception.retry_after), (1, 3600.0))
        self.assertEqual(refused.exception.code, "http_429")

    def test_what_will_not_pass_is_sent_once(self) -> None:
        for status in (400, 401, 404, 409, 500):
            with server(lambda handler, _, status=status: respond(handler, status)) as (url, requests):  # type: ignore[misc]
                with self.assertRaises(TapewireError):
                    client(base_url=url).me()
            self.assertEqual(len(requests), 1, status)

    def test_a_post_is_repeated_only_with_its_idempotency_key(self) -> None:
        def cut(handler: BaseHTTPRequestHandler, n: int) -> None:
            if n < 3:
                handler.close_connection = True
            else:
                respond(handler, 200)

        with server(cut) as (url, requests):
            client(base_url=url).webhooks.rotate("x")
        keys = {headers["Idempotency-Key"] for _, _, headers, _ in requests}
        self.assertEqual((len(requests), len(keys)), (3, 1))
        with server(cut) as (url, requests):
            with self.assertRaises(ConnectionFailed):
                client(base_url=url).webhooks.test("x")
        self.assertEqual(len(requests), 1)

    def test_a_call_that_is_still_at_work_is_waited_for_up_to_one_more_timeout(self) -> None:
        running = b'{"code": "idempotency_conflict", "detail": "The first call is still running"}'

        def work(handler: BaseHTTPRequestHandler, n: int) -> None:
            if n == 1:
                handler.close_connection = True
            elif n < 4:
                respond(handler, 409, running, Retry_After="1")
            else:
                respond(handler, 200)

        with server(work) as (url, requests):
            client(base_url=url, max_retries=1).webhooks.rotate("x")
        keys = {headers["Idempotency-Key"] for _, _, headers, _ in requests}
        self.assertEqual((len(requests), len(keys)), (4, 1))
        with server(lambda handler, _: respond(handler, 409, running, Retry_After="1")) as (url, requests):
            with self.assertRaises(TapewireError) as refused:
                client(base_url=url, timeout_s=1.9).webhooks.rotate("x")
        self.assertEqual((len(requests), refused.exception.code), (2, "idempotency_conflict"))

    def test_the_timeout_covers_a_body_that_trickles_and_one_without_a_length(self) -> None:
        for length in ("100", None):

            def trickle(handler: BaseHTTPRequestHandler, _: int, length: str | None = length) -> None:
                handler.send_response(200)
                if length is not None:
                    handler.send_header("Content-Length", length)
                handler.end_headers()
                for _byte in range(100):
                    handler.wfile.write(b" ")
                    time.sleep(0.05)

            with server(trickle) as (url, _requests):
                # Whoever waits for the end of it gets no JSON, which is another error.
                with self.assertRaises(TimedOut):
                    client(base_url=url, timeout_s=0.3, max_retries=0).me()

    def test_a_body_that_ends_early_is_no_answer(self) -> None:
        def cut(handler: BaseHTTPRequestHandler, _: int) -> None:
            handler.send_response(200)
            handler.send_header("Content-Length", "50")
            handler.end_headers()
            handler.wfile.write(me)
            handler.close_connection = True

        with server(cut) as (url, requests), self.assertRaises(ConnectionFailed):
            client(base_url=url, max_retries=1).me()
        self.assertEqual(len(requests), 2)

    def test_nobody_listens_and_somebody_else_does(self) -> None:
        with server(lambda handler, _: respond(handler, 200, b"<html>")) as (url, _):
            with self.assertRaisesRegex(ConnectionFailed, "is not JSON"):
                client(base_url=url).me()
        with self.assertRaises(ConnectionFailed):
            client(base_url=url, max_retries=0).me()
        for wrong in ("", "127.0.0.1:8080", "ftp://x"):
            with self.assertRaisesRegex(ValueError, "base_url"):
                client(base_url=wrong)

    def test_connections_are_kept_and_one_that_the_service_ended_is_replaced_at_once(self) -> None:
        places: list[object] = []

        def answer(handler: BaseHTTPRequestHandler, n: int) -> None:
            places.append(handler.client_address)
            respond(handler, 200, gzip.compress(me), Content_Encoding="gzip")
            # Ended without a word, as a proxy does.
            handler.close_connection = n == 2

        with server(answer) as (url, _), client(base_url=url, max_retries=0) as tw:
            for _call in range(3):
                self.assertEqual(tw.me()["tier"], "pro")
        self.assertEqual(len(places), 3)
        self.assertEqual((places[0] == places[1], places[1] == places[2]), (True, False))

    def test_an_address_may_have_a_path_and_a_name_any_character(self) -> None:
        with server(lambda handler, _: respond(handler, 200, me)) as (url, requests):
            client(base_url=f"{url}/feed/").sources.get("a/b?c é")
        self.assertEqual(requests[0][1], "/feed/v1/sources/a%2Fb%3Fc%20%C3%A9")
