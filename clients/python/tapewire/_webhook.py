"""Checks the signatures of deliveries (Standard Webhooks 1.0.0), and makes them for tests."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from ._types import Latency, StreamItem

# More signatures than a rotation makes: each costs a comparison, each secret a hash of the body.
MOST_SIGNATURES = 10


class FeedScored(TypedDict):
    """An item that was scored, revised or withdrawn."""

    type: Literal["feed.scored"]
    timestamp: str
    data: StreamItem
    seq: int
    latency: Latency


class WebhookTested(TypedDict):
    """What `POST /v1/webhooks/{id}/test` sends."""

    type: Literal["webhook.test"]
    timestamp: str
    data: dict[str, str]


WebhookEvent = Union[FeedScored, WebhookTested]
Secrets = Union[str, Sequence[str]]
Reason = Literal[
    "missing_header", "bad_timestamp", "too_old", "too_new", "bad_signature", "bad_secret", "bad_body"
]


class WebhookError(Exception):
    """The delivery is not to be trusted: answer 400."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    body: bytes | str, headers: Mapping[str, Any], secrets: Secrets, *, tolerance_s: float = 300
) -> WebhookEvent:
    """The event of a delivery, once its signature is right.

    `body` is what was received, byte for byte. `secrets`: one, or the new and the old one during a rotation.
    Raises WebhookError when the delivery is not genuine, or was sent more than `tolerance_s` ago.
    """
    data = body.encode() if isinstance(body, str) else body
    names = {str(name).lower(): value for name, value in headers.items()}
    sent = [_header(names, f"webhook-{name}") for name in ("id", "timestamp", "signature")]
    _check_time(sent[1], tolerance_s)
    given = [one[3:].encode() for one in sent[2].split(" ") if one.startswith("v1,")][:MOST_SIGNATURES]
    is_genuine = False
    for secret in _list_of(secrets):
        right = _signature(secret, sent[0], sent[1], data)
        for one in given:
            is_genuine |= hmac.compare_digest(right, one)
    if not is_genuine:
        raise WebhookError("bad_signature", "no signature is right")
    try:
        event: WebhookEvent = json.loads(data)
    except ValueError as error:
        raise WebhookError("bad_body", "the body is not JSON") from error
    return event


def sign_webhook(
    body: bytes | str, secrets: Secrets, *, id: str, timestamp_s: int | None = None
) -> dict[str, str]:
    """The headers of a delivery, as the service sends them."""
    data = body.encode() if isinstance(body, str) else body
    timestamp = str(int(time.time()) if timestamp_s is None else timestamp_s)
    signatures = [f"v1,{_signature(secret, id, timestamp, data).decode()}" for secret in _list_of(secrets)]
    return {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": " ".join(signatures)}


def _list_of(secrets: Secrets) -> Sequence[str]:
    return [secrets] if isinstance(secrets, str) else secrets


def _header(headers: Mapping[str, Any], name: str) -> str:
    value = headers.get(name)
    if isinstance(value, str) and value != "":
        return value
    raise WebhookError("missing_header", f"the header {name} is missing")


def _check_time(timestamp: str, tolerance_s: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookError("bad_timestamp", "webhook-timestamp is no number")
    age_s = time.time() - int(timestamp)
    if age_s > tolerance_s:
        raise WebhookError("too_old", f"sent {age_s:.0f} s ago")
    if -age_s > tolerance_s:
        raise WebhookError("too_new", f"sent {-age_s:.0f} s in the future")


def _signature(secret: str, id: str, timestamp: str, body: bytes) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if key == b"":
        raise WebhookError("bad_secret", "a secret is whsec_ and base64")
    return base64.b64encode(hmac.digest(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256))
