import type { ComponentChildren } from "preact";
import { span, words } from "../core/format.ts";
import { Moment } from "../parts/time.tsx";
import type { TestResult } from "./types.ts";

/** What an attempt's error means, where its name of docs/webhooks.md does not say it. */
const meanings: Readonly<Record<string, string>> = {
  dns_failed: "The host name does not resolve.",
  dns_timeout: "The host name did not resolve within 2 s.",
  dns_refused: "Deliveries may not go to this address.",
  address_refused: "Deliveries may not go to this address.",
  invalid_url: "Deliveries may not go to this address.",
  connect_refused: "Nothing listens at the address.",
  connect_timeout: "There was no connection within 3 s.",
  connect_failed: "There is no route to the host.",
  tls_untrusted: "The certificate is from an unknown authority.",
  tls_name: "The certificate is for another name.",
  tls_expired: "The certificate is out of date.",
  tls_failed: "The TLS handshake failed.",
  timeout: "There was no response within 15 s.",
  reset: "The connection broke.",
};

/** The status of an answer, or in words why there was none. */
export const outcome = ({ status_code, error }: Pick<TestResult, "status_code" | "error">) =>
  status_code ?? words(error ?? "no answer");

const meaningOf = (error: string): string => meanings[error] ?? `${words(error)}.`;

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
        <strong class="strong num">{outcome(one)}</strong>
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
