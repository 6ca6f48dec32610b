"""The examples of the README, as they stand there."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import re
import subprocess
import tempfile
import threading
import unittest
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from tapewire import sign_webhook

from .support import client, news, push

cli = Path(__file__).parents[3] / "cli" / "src" / "main.ts"
text = (Path(__file__).parent.parent / "README.md").read_text()
blocks = re.findall(r"^```python( pandas)?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
has_pandas = importlib.util.find_spec("pandas") is not None


@contextlib.contextmanager
def temporary_folder() -> Iterator[None]:
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


class Readme(unittest.TestCase):
    def test_every_example_runs_in_order(self) -> None:
        push(*(news("readme", title) for title in titles))
        handled: list[Any] = []

        def handle(item: Any) -> None:
            handled.append(item)
            names["stream"].close()

        names: dict[str, Any] = {"handle": handle, "price": price}
        with temporary_folder(), contextlib.redirect_stdout(io.StringIO()) as told:
            for needs_pandas, code in blocks:
                if needs_pandas and not has_pandas:
                    continue
                pushing = threading.Thread(target=self.pushes_until_handled, args=(handled,))
                if "tw.stream(" in code:
                    pushing.start()
                exec(compile(code, "README.md", "exec"), names)
                if "tw.stream(" in code:
                    pushing.join()
            self.assertTrue(Path("tapewire-cursor").read_text())
            self.check_study(len(names["made"]))
        self.assertEqual(len(blocks), 11)
        self.assertEqual(len(handled), 1)
        self.assertTrue(told.getvalue().startswith("enterprise\n"))
        self.check_signal(names)
        self.check_receiver(names)

    def pushes_until_handled(self, handled: list[Any]) -> None:
        while not handled:
            push(news("readme", titles[0]))

    def check_signal(self, names: dict[str, Any]) -> None:
        made = names["made"]
        self.assertTrue({signal.strength > 0 for signal in made} == {True, False}, made)
        self.assertTrue(all(-5 <= signal.strength <= 5 for signal in made))
        # The prices only rise.
        result = names["result"]
        self.assertEqual(result["signals"], len(made))
        rises = sum(signal.strength > 0 for signal in made)
        self.assertAlmostEqual(result["hit_rate"], rises / len(made))

    def check_study(self, signals: int) -> None:
        """The file of items is what the command takes."""
        rows = ["time,symbol,price"]
        now = datetime.now(timezone.utc)
        for minute in range(-120, 120, 5):
            at = now + timedelta(minutes=minute)
            rows.append(f"{at.isoformat()},OBTX,{price('OBTX', at)}")
        Path("prices.csv").write_text("\n".join(rows))
        line = ["study", "--items", "items.ndjson", "--prices", "prices.csv", "--horizons", "30m", "--json"]
        ran = subprocess.run(["node", str(cli), *line], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertGreaterEqual(json.loads(ran.stdout)["items_studied"], signals)

    def check_receiver(self, names: dict[str, Any]) -> None:
        hook, receive = names["hook"], names["receive"]
        body = b'{"type": "webhook.test", "timestamp": "", "data": {}}'
        headers = sign_webhook(body, hook["secret"], id="m")
        self.assertEqual(receive(body, headers, hook["secret"]), 204)
        self.assertEqual(receive(body + b" ", headers, hook["secret"]), 400)
        client().webhooks.delete(hook["id"])


titles = [
    "Orbitex Robotics raises its full-year guidance after record orders",
    "Orbitex Robotics cuts its full-year guidance and suspends its dividend",
]


def price(_: str, at: datetime) -> float:
    """Rises by a basis point a minute."""
    minutes = (at - datetime(2026, 1, 1, tzinfo=at.tzinfo)) / timedelta(minutes=1)
    return 100 * float(1.0001**minutes)
