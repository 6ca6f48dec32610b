import type { ComponentChildren } from "preact";
import { span } from "../core/format.ts";
import { Moment } from "../parts/time.tsx";
import type { TestResult } from "./types.ts";

/** What an attempt's error means, and what to do. The names are those of docs/webhooks.md. */
const meanings: Readonly<Record<string, string>> = {
  dns_failed: "The host name does not resolve.",
  dns_timeout: "The host name did not resolve within 2 s.",
  dns_refused: "The host name leads to an address that deliveries may not go to.",
  address_refused: "Deliveries to this address are not allowed.",
  invalid_url: "The address is not one that deliveries may go to.",
  connect_refused: "Nothing listens at the address.",
  connect_timeout: "There was no connection within 3 s.",
  connect_failed: "There is no route to the host.",
  tls_untrusted: "The certificate is from an unknown authority.",
  tls_name: "The certificate is for another name.",
  tls_expired: "The certificate is out of date.",
  tls_failed: "The TLS handshake failed.",
  timeout: "There was no response within 15 s.",
  reset: "The connection broke.",
  bad_answer: "The response is not HTTP.",
  headers_too_large: "The headers of the response are too large.",
};

const meaningOf = (error: string): string => meanings[error] ?? "There was no usable answer.";

/** A status that is no success, in words. */
function statusMeaning(status: number): string {
  if (status >= 200 && status < 300) return "Delivered.";
  if (status === 410) return "The receiver says that it is gone: the endpoint is disabled.";
  if (status === 429) return "The receiver asks to wait.";
  if (status === 401 || status === 403) return "The receiver refuses: check its secret and how it verifies.";
  if (status === 404) return "The receiver knows no such path.";
  if (status >= 300 && status < 400) return "A redirect, which is not followed.";
  return status >= 500 ? "The receiver failed." : "The receiver refuses the request.";
}

type Answered = Omit<TestResult, "id">;

export const answerWords = ({ status_code: status, error }: Answered): string =>
  status === null ? meaningOf(error ?? "") : statusMeaning(status);

/** What a receiver answered, and what it means. */
export function Answer({ of: one, children }: { of: Answered; children?: ComponentChildren }) {
  return (
    <li class={`note ${one.ok ? "live" : "wrong"}`}>
      <div class="row wrap">
        <strong class="strong num">{one.status_code ?? one.error}</strong>
        <span class="grow">{answerWords(one)}</span>
        <span class="quiet num">{span(one.latency_ms)}</span>
      </div>
      <div class="quiet small">
        <Moment at={one.at} />
        {children}
      </div>
      {one.response && <pre>{one.response}</pre>}
    </li>
  );
}
