"""Tapewire: scored news and filings by list, stream, replay and webhook. See `Tapewire`."""

from ._client import Tapewire
from ._frame import to_dataframe
from ._http import ConnectionFailed, TapewireError, TimedOut
from ._rest import Page
from ._stream import Event, Gap, Item, Quota, State, Stream, StreamClosed
from ._webhook import WebhookError, WebhookEvent, sign_webhook, verify_webhook

__all__ = [
    "ConnectionFailed",
    "Event",
    "Gap",
    "Item",
    "Page",
    "Quota",
    "State",
    "Stream",
    "StreamClosed",
    "Tapewire",
    "TapewireError",
    "TimedOut",
    "WebhookError",
    "WebhookEvent",
    "sign_webhook",
    "to_dataframe",
    "verify_webhook",
]
