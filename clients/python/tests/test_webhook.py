from __future__ import annotations

import json
import time
import unittest
from typing import Any

from tapewire import WebhookError, sign_webhook, verify_webhook

from .support import client, respond, server

secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
other = "whsec_plJ3nmyCDGBKInavdOK15jsl"
body = json.dumps({"type": "webhook.test", "timestamp": "", "data": {"note": "Grüße"}}).encode()


class Webhook(unittest.TestCase):
    def refused(
        self, reason: str, headers: dict[str, Any], *, given: bytes = body, secrets: Any = secret
    ) -> None:
        with self.assertRaises(WebhookError) as refusal:
            verify_webhook(given, headers, secrets)
        self.assertEqual(refusal.exception.reason, reason)

    def test_the_example_of_the_standard_is_genuine(self) -> None:
        # From the test vectors of Standard Webhooks 1.0.0.
        signed = sign_webhook(
            '{"test": 2432232314}', secret, id="msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp_s=1614265330
        )
        self.assertEqual(signed["webhook-signature"], "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")

    def test_genuine_by_either_secret_of_a_rotation_with_headers_of_any_case(self) -> None:
        headers = {name.title(): value for name, value in sign_webhook(body, [other, secret], id="m").items()}
        for secrets in (secret, other, [secret, other]):
            self.assertEqual(verify_webhook(body, headers, secrets)["type"], "webhook.test")
        self.assertEqual(verify_webhook(body.decode(), headers, secret)["type"], "webhook.test")

    def test_what_is_not_genuine_is_refused_with_the_reason(self) -> None:
        headers = sign_webhook(body, secret, id="m")
        self.refused("bad_signature", headers, secrets=other)
        self.refused("bad_signature", headers, given=body + b" ")
        self.refused("bad_signature", {**headers, "webhook-id": "n"})
        self.refused(
            "bad_signature",
            {**headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v2,")},
        )
        self.refused("bad_signature", headers, secrets=[])
        self.refused("missing_header", {**headers, "webhook-id": ""})
        self.refused("missing_header", {})
        self.refused("bad_timestamp", {**headers, "webhook-timestamp": "1e9"})
        self.refused("bad_timestamp", {**headers, "webhook-timestamp": "١٢"})
        self.refused("too_old", sign_webhook(body, secret, id="m", timestamp_s=int(time.time()) - 400))
        self.refused("too_new", sign_webhook(body, secret, id="m", timestamp_s=int(time.time()) + 400))
        for wrong in ("whsec_", "whsec_é", "whsec_a"):
            self.refused("bad_secret", headers, secrets=wrong)
        self.refused("bad_body", sign_webhook(b"{", secret, id="m"), given=b"{")

    def test_a_delivery_of_the_service_is_genuine(self) -> None:
        with server(lambda handler, _: respond(handler, 200)) as (url, requests), client() as tw:
            hook = tw.webhooks.create(url=url, filters={"symbols": ["NOBODY"]})
            self.assertTrue(tw.webhooks.test(hook["id"])["ok"])
            tw.webhooks.delete(hook["id"])
        _, _, headers, received = requests[0]
        self.assertEqual(verify_webhook(received, headers, hook["secret"])["type"], "webhook.test")
        self.refused("bad_signature", headers, given=received, secrets=secret)
