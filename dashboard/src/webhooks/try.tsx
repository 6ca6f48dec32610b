import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { span } from "../core/format.ts";
import { useDoing } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import { Lock, Problem } from "../parts/states.tsx";
import { Moment } from "../parts/time.tsx";
import { meaningOf, statusMeaning } from "./meanings.ts";
import type { TestResult, Webhook } from "./types.ts";

/** Sends a signed test event and shows what came back. */
export function Try({ hook }: { hook: Webhook }) {
  const [results, setResults] = useState<readonly TestResult[]>([]);
  const doing = useDoing();
  if (!mayWrite.value) return <Lock text="Your role may look at webhooks, not change them." />;
  const test = async () => {
    const result = await call<TestResult>("POST", `/v1/webhooks/${hook.id}/test`);
    setResults((before) => [result, ...before].slice(0, 10));
  };
  return (
    <section class="stack" aria-label="Try">
      <p class="soft">
        A test event has the type <code>webhook.test</code> and is signed like a delivery.
      </p>
      <div>
        <button
          type="button"
          class="button main"
          disabled={doing.isBusy}
          onClick={() => void doing.run(test)}
        >
          {doing.isBusy ? "Sending" : "Send a test event"}
        </button>
      </div>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <ol class="stack" aria-live="polite">
        {results.map((one) => (
          <li key={one.id} class={`note ${one.ok ? "live" : "wrong"}`}>
            <div class="row wrap">
              <strong class="strong num">{one.status_code ?? one.error}</strong>
              <span class="grow">
                {one.status_code === null ? meaningOf(one.error ?? "") : statusMeaning(one.status_code)}
              </span>
              <span class="num">{span(one.latency_ms)} there and back</span>
              <Moment at={one.at} />
            </div>
            {one.response !== null && one.response !== "" && <pre>{one.response}</pre>}
          </li>
        ))}
      </ol>
    </section>
  );
}
