import type { ComponentChildren } from "preact";
import { span } from "../core/format.ts";
import { Moment } from "../parts/time.tsx";
import { meaningOf, statusMeaning } from "./meanings.ts";
import type { TestResult } from "./types.ts";

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
