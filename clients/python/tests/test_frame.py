from __future__ import annotations

import importlib.util
import unittest

from tapewire import to_dataframe

from .support import client, news, push

has_pandas = importlib.util.find_spec("pandas") is not None


class Frame(unittest.TestCase):
    def test_items_are_rows_where_pandas_is_installed(self) -> None:
        tw = client()
        push(*(news("frame") for _ in range(4)))
        listed = list(tw.feeds.list(aggregator="frame"))
        if not has_pandas:
            with self.assertRaises(ImportError):
                to_dataframe(listed)
            return
        frame = to_dataframe(listed)
        self.assertEqual(list(frame["id"]), [item["id"] for item in listed])
        self.assertEqual(str(frame["published_at"].dt.tz), "UTC")
        self.assertEqual(frame["symbols"][0], ["DEMO:OBTX"])
        self.assertTrue(frame["at"].isna().all())
        played = to_dataframe(tw.replay({"aggregators": ["frame"]}))
        self.assertFalse(played["at"].isna().any())
        self.assertEqual(list(played.columns), list(frame.columns))
        self.assertEqual(len(to_dataframe([])), 0)
