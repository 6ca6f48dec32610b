from __future__ import annotations

import json
import os
import threading
import time
import unittest
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

from tapewire import Gap, Item, Quota, State, Stream, StreamClosed

from .support import client, news, push, respond, server, until


def items_of(stream: Stream, count: int) -> list[Item]:
    items: list[Item] = []
    for event in stream:
        if isinstance(event, Item):
            items.append(event)
        if len(items) == count:
            break
    return items


def begun(stream: Stream) -> None:
    """Waits until it is subscribed."""
    for event in stream:
        if isinstance(event, State) and event.state == "live":
            return


class Live(unittest.TestCase):
    def test_items_come_as_they_are_pushed_and_a_stream_resumes_after_its_cursor(self) -> None:
        tw = client()
        with tw.stream({"aggregators": ["live"]}, states=True) as stream:
            begun(stream)
            push(*(news("live") for _ in range(5)), news("elsewhere"))
            items = items_of(stream, 5)
            self.assertEqual({event.item["source"] for event in items}, {"live"})
            # The last one is not handled: nobody has asked for another.
            self.assertEqual(stream.cursor, items[3].cursor)
        self.assertEqual(list(stream), [])
        with tw.stream({"aggregators": ["live"]}, after=stream.cursor) as resumed:
            push(news("live"))
            again = items_of(resumed, 2)
        self.assertEqual(again[0].item["id"], items[4].item["id"])
        self.assertEqual((again[0].snapshot, again[0].at), (False, again[0].latency["publish_time"]))
        self.assertGreater(again[1].seq, again[0].seq)

    def test_a_snapshot_comes_first_and_every_filter_is_sent(self) -> None:
        push(*(news("snap", symbols=["DEMO:HLVN"], tags=["stock"]) for _ in range(3)), news("snap"))
        filters: Any = {
            "symbols": ["HLVN"],
            "aggregators": ["snap"],
            "tags": {"market": ["stock"]},
            "exchanges": [],
        }
        with client().stream(filters, snapshot=10) as stream:
            items = items_of(stream, 3)
        self.assertTrue(all(event.snapshot for event in items))
        times = [event.item["published_at"] for event in items]
        self.assertEqual(times, sorted(times))

    def test_a_cursor_of_another_log_is_a_gap(self) -> None:
        with client().stream(after="another.1") as stream:
            gap = next(stream)
            self.assertIsInstance(gap, Gap)
            assert isinstance(gap, Gap)
            self.assertEqual((gap.from_cursor, gap.reason), ("another.1", "cursor_unknown"))
            push(news("gap"))
            self.assertEqual(items_of(stream, 1)[0].item["source"], "gap")

    def test_the_free_plan_has_its_cap(self) -> None:
        with client(key=os.environ["TAPEWIRE_FREE_KEY"]).stream(
            {"aggregators": ["cap"]}, states=True
        ) as stream:
            begun(stream)
            push(*(news("cap") for _ in range(51)))
            events = []
            for event in stream:
                events.append(event)
                if isinstance(event, Quota):
                    break
        self.assertEqual(len(events), 51)
        quota = cast(Quota, events[-1])
        self.assertEqual(quota.limit, 50)
        self.assertEqual((quota.reset_at.hour, quota.reset_at.utcoffset() is not None), (0, True))

    def test_what_the_service_refuses_for_good_is_raised(self) -> None:
        with self.assertRaises(StreamClosed) as closed:
            next(client(key="tw_live_nobody").stream())
        self.assertEqual(closed.exception.code, 401)
        wrong: Any = {"sentiment_min": 11}
        with self.assertRaises(StreamClosed) as refused:
            next(client().stream(wrong))
        self.assertEqual(refused.exception.code, 400)

    def test_filters_that_the_stream_does_not_have_are_refused_at_once(self) -> None:
        wrong: list[Any] = [{"providers": ["sec"]}, {"symbols": ["A,B"]}]
        for filters in wrong:
            with self.assertRaises(ValueError):
                client().stream(filters)
        unknown: list[Any] = [{"symbol": ["A"]}, {"tags": {"markets": ["stock"]}}]
        for filters in unknown:
            with self.assertRaises(TypeError):
                client().stream(filters)

    def test_another_thread_may_close_it(self) -> None:
        stream = client().stream({"aggregators": ["nobody"]}, states=True)
        begun(stream)
        ended = threading.Thread(target=lambda: list(stream))
        ended.start()
        stream.close()
        ended.join(10)
        self.assertFalse(ended.is_alive())


def sse(*frames: dict[str, Any]) -> bytes:
    return b"".join(
        b"event: %s\ndata: %s\n\n" % (one["type"].encode(), json.dumps(one).encode()) for one in frames
    )


def subscribed(cursor: str, resumed: bool = True) -> dict[str, Any]:
    return {"type": "subscribed", "filters": {}, "cursor": cursor, "resumed": resumed, "snapshot": 0}


def feed(n: int) -> dict[str, Any]:
    return {
        "type": "feed",
        "snapshot": False,
        "count": n,
        "cursor": f"e.{n}",
        "seq": n,
        "latency": {"publish_time": ""},
        "data": {"id": n},
    }


def begin(handler: BaseHTTPRequestHandler, *frames: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()
    handler.wfile.write(b": a comment\n\n" + sse(*frames))
    handler.close_connection = True


class Scripted(unittest.TestCase):
    """What the service does seldom."""

    def played(self, script: list[Any], count: int, **options: Any) -> tuple[list[Any], list[str]]:
        """The first events of a service that plays one entry of the script per connection, and the paths asked for."""

        def answer(handler: BaseHTTPRequestHandler, n: int) -> None:
            entry = script[n - 1]
            if callable(entry):
                entry(handler)
            else:
                begin(handler, *entry)

        with server(answer) as (url, requests), client(base_url=url).stream(**options) as stream:
            events = [next(stream) for _ in range(count)]
        return events, [path for _, path, _, _ in requests]

    def test_it_goes_on_after_the_last_item_or_heartbeat_before_the_loss(self) -> None:
        beat = {"type": "heartbeat", "cursor": "e.5", "time": ""}
        hint = {"type": "error", "code": "restarting", "message": "", "fatal": True, "retry_after_ms": 0}
        bye = {"type": "close", "code": 1012, "reason": ""}
        script = [
            [subscribed("e.0"), feed(1), hint, bye],
            [subscribed("e.1"), beat, hint],
            [subscribed("e.5"), feed(6)],
        ]
        events, paths = self.played(script, 2)
        self.assertEqual([event.seq for event in events], [1, 6])
        self.assertEqual(paths, ["/v1/stream/sse", "/v1/stream/sse?after=e.1", "/v1/stream/sse?after=e.5"])

    def test_a_frame_that_is_cut_is_read_again_and_what_is_not_json_is_a_loss(self) -> None:
        def cut(handler: BaseHTTPRequestHandler) -> None:
            begin(handler, subscribed("e.0"), feed(1))
            handler.wfile.write(sse(feed(2))[:-9])

        def broken(handler: BaseHTTPRequestHandler) -> None:
            begin(handler, subscribed("e.1"))
            handler.wfile.write(b"data: {]\n\n")

        events, paths = self.played([cut, broken, [subscribed("e.1"), feed(2)]], 2)
        self.assertEqual([event.seq for event in events], [1, 2])
        self.assertEqual(paths[1:], ["/v1/stream/sse?after=e.1"] * 2)

    def test_silence_is_a_loss(self) -> None:
        def silent(handler: BaseHTTPRequestHandler) -> None:
            begin(handler, subscribed("e.0"), feed(1))
            handler.connection.recv(1)

        before = time.monotonic()
        events, _ = self.played([silent, [subscribed("e.1"), feed(2)]], 2, silence_s=0.3)
        self.assertEqual([event.seq for event in events], [1, 2])
        self.assertGreaterEqual(time.monotonic() - before, 0.3)

    def test_refusals_that_pass_are_waited_out_and_the_attempts_are_told(self) -> None:
        def busy(handler: BaseHTTPRequestHandler) -> None:
            respond(handler, 503, Retry_After="0")

        events, _ = self.played([busy, busy, [subscribed("e.0"), feed(1)]], 7, states=True)
        told = [(event.state, event.attempt) for event in events if isinstance(event, State)]
        self.assertEqual(
            told,
            [
                ("connecting", 0),
                ("waiting", 1),
                ("connecting", 1),
                ("waiting", 2),
                ("connecting", 2),
                ("live", 2),
            ],
        )
        self.assertEqual(events[5].reason, "HTTP 503: the response is no problem document")
        self.assertEqual(events[6].seq, 1)

    def test_a_close_for_good_is_raised_after_what_came_before(self) -> None:
        for code in (1009, 4500, 4501, 4503):
            seen: list[int] = []
            with self.assertRaises(StreamClosed) as closed:
                script = [[subscribed("e.0"), feed(1), {"type": "close", "code": code, "reason": "over"}]]
                for event in self.one_by_one(script):
                    seen.append(event.seq)
            self.assertEqual((seen, closed.exception.code), ([1], code))

    def one_by_one(self, script: list[Any]) -> Iterator[Any]:
        with server(lambda handler, n: begin(handler, *script[n - 1])) as (url, _):
            with client(base_url=url).stream() as stream:
                yield from stream

    def test_after_the_cap_the_gap_begins_where_delivery_stopped(self) -> None:
        quota = {"type": "quota_exceeded", "limit": 1, "message": ""}
        beat = {"type": "heartbeat", "cursor": "e.7", "time": ""}
        events, _ = self.played([[subscribed("e.0"), feed(1), quota, beat, quota, feed(9)]], 4)
        self.assertEqual([type(event) for event in events], [Item, Quota, Gap, Item])
        self.assertEqual(events[2], Gap("e.1", "e.9", "quota"))

    def test_a_stream_that_is_lost_at_the_cap_goes_on_where_delivery_stopped(self) -> None:
        quota = {"type": "quota_exceeded", "limit": 1, "message": ""}
        beat = {"type": "heartbeat", "cursor": "e.7", "time": ""}
        script = [[subscribed("e.0"), feed(1), quota, beat], [subscribed("e.1"), feed(2)]]
        events, paths = self.played(script, 3)
        self.assertEqual([type(event) for event in events], [Item, Quota, Item])
        self.assertEqual(paths[1], "/v1/stream/sse?after=e.1")

    def test_it_waits_as_long_as_the_service_asks(self) -> None:
        def busy(handler: BaseHTTPRequestHandler) -> None:
            respond(handler, 429, Retry_After="1")

        before = time.monotonic()
        self.played([busy, [subscribed("e.0"), feed(1)]], 1)
        self.assertGreaterEqual(time.monotonic() - before, 1, "by itself it waits half a second at most")

    def test_an_expired_cursor_is_a_gap_and_the_stream_goes_on_behind_it(self) -> None:
        expired = {**subscribed("e.50", resumed=False), "reason": "cursor_expired", "oldest": "e.40"}
        events, paths = self.played([[expired], [subscribed("e.50"), feed(51)]], 2, after="e.3")
        self.assertEqual(events[0], Gap("e.3", "e.50", "cursor_expired"))
        self.assertEqual(paths, ["/v1/stream/sse?after=e.3", "/v1/stream/sse?after=e.50"])

    def test_who_interrupts_a_notebook_goes_on_from_the_same_place(self) -> None:
        with server(lambda handler, n: begin(handler, subscribed("e.0"), feed(n))) as (url, requests):
            with client(base_url=url).stream() as stream:
                next(stream)
                interrupted = stream._events

                def interrupt() -> Iterator[Any]:
                    raise KeyboardInterrupt
                    yield

                stream._events = interrupt()
                with self.assertRaises(KeyboardInterrupt):
                    next(stream)
                self.assertEqual(cast(Item, next(stream)).seq, 2)
                del interrupted
        self.assertEqual(requests[1][1], "/v1/stream/sse?after=e.1")


class Closing(unittest.TestCase):
    def test_a_close_ends_the_wait_for_the_next_attempt(self) -> None:
        with server(lambda handler, _: respond(handler, 503, Retry_After="3600")) as (url, requests):
            stream = client(base_url=url).stream()
            ended = threading.Thread(target=lambda: list(stream))
            ended.start()
            until(lambda: len(requests) == 1, "the first attempt")
            stream.close()
            ended.join(10)
        self.assertFalse(ended.is_alive())
