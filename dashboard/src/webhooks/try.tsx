import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { useDoing } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import { Button } from "../forms/button.tsx";
import { Lock, Problem } from "../parts/states.tsx";
import { Answer } from "./answer.tsx";
import type { TestResult, Webhook } from "./types.ts";

/** Sends a signed test event and shows what came back. */
export function Try({ hook, again }: { hook: Webhook; again: () => void }) {
  const [results, setResults] = useState<readonly TestResult[]>([]);
  const doing = useDoing();
  if (!mayWrite.value) return <Lock text="Your role may look at webhooks, not change them." />;
  const test = async () => {
    const result = await send<TestResult>("POST", `/v1/webhooks/${hook.id}/test`);
    setResults((before) => [result, ...before].slice(0, 10));
    again();
  };
  return (
    <section class="stack" aria-label="Try">
      <p class="soft">
        A test event (<code>webhook.test</code>) is signed like a delivery. When it is answered, a pause ends.
      </p>
      <div>
        <Button look="main" disabled={doing.isBusy} run={() => doing.run(test)}>
          {doing.isBusy ? "Sending" : "Send a test event"}
        </Button>
      </div>
      <Problem failure={doing.failure} />
      <ol class="stack" aria-live="polite">
        {results.map((one) => (
          <Answer key={one.id} of={one} />
        ))}
      </ol>
    </section>
  );
}
