from __future__ import annotations

import json
import time
import unittest

from tapewire import Item, TapewireError

from .support import client, news, push, respond, server


class Replay(unittest.TestCase):
    def test_a_replay_is_what_a_stream_carried_in_pages_of_any_size(self) -> None:
        tw = client()
        first = news("tape", "Orbitex Robotics raises its guidance")
        push(first, *(news("tape") for _ in range(11)))
        push({**first, "title": "Orbitex Robotics raises its guidance, corrected"})
        whole = list(tw.replay({"aggregators": ["tape"]}))
        self.assertEqual(len(whole), 13)
        self.assertEqual([event.seq for event in whole], sorted(event.seq for event in whole))
        self.assertEqual((whole[0].item["revision"], whole[12].item["revision"]), (0, 1))
        self.assertEqual(whole[0].item["id"], whole[12].item["id"])
        for limit in (1, 5, 13):
            self.assertEqual(list(tw.replay({"aggregators": ["tape"]}, limit=limit)), whole)
        self.assertEqual(list(tw.replay({"aggregators": ["tape"]}, after=whole[9].cursor)), whole[10:])
        self.assertEqual(list(tw.replay({"aggregators": ["tape"]}, until=whole[9].cursor)), whole[:10])
        self.assertEqual(list(tw.replay({"providers": ["tape"]})), whole)

        # A stream goes on behind it.
        with tw.stream({"aggregators": ["tape"]}, after=whole[-1].cursor) as stream:
            push(news("tape"))
            event = next(stream)
        assert isinstance(event, Item)
        self.assertGreater(event.seq, whole[-1].seq)
        self.assertEqual([one.seq for one in tw.replay({"aggregators": ["tape"]})][-1], event.seq)

    def test_it_plays_at_a_speed_with_the_pauses_of_then(self) -> None:
        # The third was scored for longer than the second, and stands behind it.
        times = [f"2026-03-02T14:00:0{second}.000Z" for second in (0, 2, 1, 6)]
        entries = [
            {"data": {}, "cursor": f"e.{n}", "seq": n, "latency": {}, "logged_at": logged_at}
            for n, logged_at in enumerate(times)
        ]
        pages = [
            {"data": entries[:2], "next_cursor": "e.1"},
            {"data": [], "next_cursor": "e.1"},
            {"data": entries[2:], "next_cursor": None},
        ]
        with server(lambda handler, n: respond(handler, 200, json.dumps(pages[n - 1]).encode())) as (
            url,
            requests,
        ):
            begun = time.monotonic()
            events = list(client(base_url=url).replay(since="2026-03-02T14:00:00Z", speed=20))
        self.assertGreaterEqual(time.monotonic() - begun, 6 / 20)
        self.assertEqual([event.seq for event in events], [0, 1, 2, 3])
        self.assertEqual(requests[2][1], "/v1/replay?since=2026-03-02T14%3A00%3A00Z&after=e.1&limit=1000")
        with self.assertRaises(ValueError):
            client().replay(speed=0)

    def test_a_cursor_of_another_log_is_an_error(self) -> None:
        with self.assertRaises(TapewireError) as refused:
            next(client().replay(after="another.1"))
        self.assertEqual(refused.exception.code, "cursor_unknown")
