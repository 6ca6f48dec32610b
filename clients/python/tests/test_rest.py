from __future__ import annotations

import os
import re
import unittest
from datetime import datetime, timedelta, timezone
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from unittest.mock import patch

from tapewire import Tapewire, TapewireError
from tapewire._http import Http, Request
from tapewire._types import ScoreArtifact

from .support import client, news, push


def pattern(route: str) -> str:
    # A name of a route is no id: /v1/feeds/stats is not /v1/feeds/{id}.
    return re.sub(r"\{\w+\}", "(?!stats$)[^/]+", route)


class Rest(unittest.TestCase):
    tw: Tapewire
    # Method and path of every request.
    asked: set[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.asked = set()
        ask = Http.ask

        def noted(http: Http, connection: HTTPConnection, request: Request) -> HTTPResponse:
            cls.asked.add(f"{request.method} {request.path.partition('?')[0]}")
            return ask(http, connection, request)

        patching = patch.object(Http, "ask", noted)
        patching.start()
        cls.addClassCleanup(patching.stop)
        cls.tw = client()
        push(*(news("rest") for _ in range(25)))

    @classmethod
    def tearDownClass(cls) -> None:
        """Every route of a key was called, but the stream, which has tests of its own, and what feed readers read."""
        paths = cls.tw.request("GET", "/openapi.json")["paths"]
        cls.tw.close()
        routes = {
            f"{method.upper()} {path}"
            for path, methods in paths.items()
            for method in methods
            if path[:4] == "/v1/"
        }
        missing = {
            route for route in routes if not any(re.fullmatch(pattern(route), one) for one in cls.asked)
        }
        others = {"GET /v1/stream/sse", "GET /v1/feeds.rss", "GET /v1/feeds.json"}
        if missing != others:
            raise AssertionError(f"not called: {missing - others}")

    def test_the_list_gives_every_item_once_over_all_pages(self) -> None:
        items = list(self.tw.feeds.list(aggregator="rest", limit=10))
        self.assertEqual(len({item["id"] for item in items}), 25)
        self.assertEqual(len(items), 25)
        page = self.tw.feeds.page(aggregator=["rest", "nobody"], limit=10)
        self.assertEqual([item["id"] for item in page.items], [item["id"] for item in items[:10]])
        rest = list(self.tw.feeds.list(aggregator=["rest", "nobody"], limit=10, cursor=page.cursor or ""))
        self.assertEqual([item["id"] for item in rest], [item["id"] for item in items[10:]])

    def test_filters_are_sent_as_the_service_reads_them(self) -> None:
        since = datetime.now(timezone.utc) - timedelta(hours=1)
        items = list(self.tw.feeds.list(aggregator="rest", symbol=["OBTX"], since=since, story_copies=True))
        self.assertEqual(len(items), 25)
        self.assertEqual(list(self.tw.feeds.list(aggregator="rest", until=since)), [])
        self.assertEqual(list(self.tw.feeds.list(aggregator="rest", symbol=["NOBODY"])), [])
        self.assertEqual(len(list(self.tw.feeds.list(aggregator="rest", symbol=[]))), 25)

    def test_a_filter_that_cannot_be_meant_is_refused_before_anything_is_sent(self) -> None:
        wrong: Any = {"symbols": ["OBTX"]}
        with self.assertRaisesRegex(TypeError, "no such filter: symbols"):
            self.tw.feeds.list(**wrong)
        with self.assertRaisesRegex(ValueError, "no time zone"):
            self.tw.feeds.page(since=datetime(2026, 3, 2))
        with self.assertRaisesRegex(ValueError, "a value of event has a comma"):
            self.tw.feeds.page(event=["a,b"])
        # It would leave out the filter.
        with self.assertRaisesRegex(ValueError, "a value of symbol is empty"):
            self.tw.feeds.page(symbol=[" "])
        with self.assertRaisesRegex(TypeError, "no id"):
            self.tw.feeds.get("")

    def test_one_item_now_and_as_it_was(self) -> None:
        listed = self.tw.feeds.page(aggregator="rest", limit=1).items[0]
        item = self.tw.feeds.get(listed["id"])
        self.assertEqual(item["title"], listed["title"])
        then = self.tw.feeds.get(listed["id"], as_of=datetime.now(timezone.utc) + timedelta(minutes=1))
        self.assertEqual(then["revision"], item["revision"])

    def test_items_are_counted_over_time(self) -> None:
        stats = self.tw.feeds.stats(aggregator="rest", interval="day", by="source", top=3)
        self.assertEqual(
            [(one["key"], sum(point[1] or 0 for point in one["points"])) for one in stats["series"]],
            [("rest", 25)],
        )
        self.assertEqual(stats["totals"]["items"], 25)
        wrong: Any = {"limit": 3}
        with self.assertRaisesRegex(TypeError, "no such filter: limit"):
            self.tw.feeds.stats(**wrong)

    def test_what_a_score_rests_on(self) -> None:
        item = self.tw.feeds.page(aggregator="rest", limit=1).items[0]
        self.assertEqual(self.tw.feeds.text(item["id"])["title"], item["title"])
        scores = self.tw.feeds.scores(item["id"])["data"]
        self.assertEqual(scores[0]["scoring"]["sentiment_score"], item["scoring"]["sentiment_score"])
        self.assertIn("detailed_analysis", self.tw.feeds.score(item["id"], model="pro", detailed=True))

    def test_a_replay_is_read(self) -> None:
        self.assertEqual(len(list(self.tw.replay({"aggregators": ["rest"]}))), 25)

    def test_texts_are_scored_and_a_batch_goes_on_after_an_invalid_one(self) -> None:
        title = "Acme Corp raises full-year guidance"
        text: ScoreArtifact = {
            "type": "news",
            "title": title,
            "body": "Revenue is now expected 12% above last year.",
        }
        verdict = self.tw.score(text, model="pro", detailed=True)
        self.assertIn("detailed_analysis", verdict)
        self.assertNotIn("detailed_analysis", self.tw.score(text))
        batch = self.tw.score_batch([text, {**text, "title": ""}])
        self.assertEqual(len(batch["data"]), 2)
        self.assertEqual(["error" in entry for entry in batch["data"]], [False, True])

    def test_an_endpoint_is_created_read_changed_operated_and_deleted(self) -> None:
        hooks = self.tw.webhooks
        hook = hooks.create(url="https://receiver.invalid/", filters={"symbols": ["NOBODY"]})
        id = hook["id"]
        self.assertTrue(hook["secret"].startswith("whsec_"))
        self.assertEqual(hooks.get(id)["secret"], hook["secret"])
        self.assertIn(id, [one["id"] for one in hooks.list()["data"]])
        self.assertEqual(hooks.update(id, description="desk")["description"], "desk")
        self.assertFalse(hooks.test(id)["ok"])
        self.assertNotEqual(hooks.rotate(id)["secret"], hook["secret"])
        self.assertEqual(len(hooks.stats(id, hours=2)["hours"]), 2)
        self.assertEqual(len(hooks.all_stats(hours=2)["hours"]), 2)
        self.assertEqual(hooks.recover(id, since=datetime.now(timezone.utc)), {"queued": 0})
        started = hooks.replay(id, since=1, until=3)
        self.assertEqual((started["from_seq"], started["to_seq"]), (1, 3))
        self.assertEqual(list(hooks.deliveries(id, status="failed", limit=1)), [])
        for call in (hooks.resend, hooks.delivery):
            with self.assertRaises(TapewireError) as refused:
                call(id, f"msg_{'0' * 32}_1")
            self.assertEqual(refused.exception.code, "not_found")
        self.assertEqual(hooks.delete(id), {"id": id, "deleted": True})
        with self.assertRaises(TapewireError) as gone:
            hooks.get(id)
        self.assertEqual(gone.exception.status, 404)

    def test_a_call_with_the_same_idempotency_key_has_one_effect(self) -> None:
        made = [
            self.tw.webhooks.create(url="https://receiver.invalid/", idempotency_key="python-test")
            for _ in range(2)
        ]
        self.assertEqual(made[0]["id"], made[1]["id"])
        self.tw.webhooks.delete(made[0]["id"])

    def test_reference_data_the_account_and_its_use(self) -> None:
        self.assertEqual(len(self.tw.symbols.list(limit=3)["data"]), 3)
        self.assertEqual(self.tw.symbols.list(q="orbitex")["data"][0]["symbol"], "DEMO:OBTX")
        self.assertGreaterEqual(self.tw.symbols.get("DEMO:OBTX")["feed_count"], 25)
        self.assertIn("rest", self.tw.sources.list()["data"])
        self.assertEqual(self.tw.sources.get("rest")["name"], "rest")
        provider = self.tw.providers.list()["data"][0]
        self.assertEqual(self.tw.providers.get(provider["id"])["id"], provider["id"])
        self.assertEqual(len(self.tw.tags.list()["data"]), 4)
        self.assertEqual(self.tw.tags.get("market")["dimension"], "market")
        self.assertGreater(len(self.tw.events.list()["data"]), 0)
        self.assertEqual(self.tw.me()["tier"], "enterprise")
        self.assertEqual(len(self.tw.usage(days=2)["data"]), 2)
        self.assertEqual(
            self.tw.request("GET", "/v1/usage", query={"days": 3})["data"][-1].keys() > {"date"}, True
        )

    def test_an_error_names_the_fields_and_the_request(self) -> None:
        with self.assertRaises(TapewireError) as refused:
            self.tw.feeds.page(limit=0, sentiment_min=11)
        error = refused.exception
        self.assertEqual((error.status, error.code), (400, "invalid_parameter"))
        self.assertEqual(sorted(field["name"] for field in error.fields), ["limit", "sentiment_min"])
        self.assertTrue(error.request_id)
        self.assertIsNone(error.retry_after)

    def test_a_wrong_key_and_a_plan_below_are_told_apart(self) -> None:
        with self.assertRaises(TapewireError) as unknown:
            client(key="tw_live_nobody").me()
        self.assertEqual(client(key=os.environ["TAPEWIRE_KEY"] + "\n").me()["tier"], "enterprise")
        self.assertEqual((unknown.exception.status, unknown.exception.code), (401, "unauthorized"))
        with self.assertRaises(TapewireError) as below:
            client(key=os.environ["TAPEWIRE_FREE_KEY"]).feeds.page()
        self.assertEqual((below.exception.status, below.exception.code), (403, "plan_required"))
