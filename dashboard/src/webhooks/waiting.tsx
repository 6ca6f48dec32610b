import { send } from "../api.ts";
import { plural } from "../core/format.ts";
import { useDoing } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import { Button } from "../forms/button.tsx";
import { Problem } from "../parts/states.tsx";
import { Moment } from "../parts/time.tsx";
import { tell } from "../parts/toast.tsx";
import { answerWords, outcome } from "./answer.tsx";
import type { OneWebhook, TestResult } from "./types.ts";

/** What waits for a retry, and how to have it sent now: by a test that the receiver answers. */
export function Waiting({ hook, stats, again }: OneWebhook) {
  const doing = useDoing();
  const { due = 0, next_attempt_at: next = null } = stats.data ?? {};
  if (due === 0 || !hook.enabled) return null;
  const tryNow = async () => {
    const result = await send<TestResult>("POST", `/v1/webhooks/${hook.id}/test`);
    tell(
      result.ok
        ? "It answers: what waits is sent now, unless it is too old."
        : `It still fails (${outcome(result)}). ${answerWords(result)}`,
    );
    again();
  };
  return (
    <div class="note row wrap">
      <span class="grow">
        {plural(due, "delivery waits", "deliveries wait")} for a retry and will be sent automatically
        {next !== null && (
          <>
            , the next not before <Moment at={next} />
          </>
        )}
        .
      </span>
      {mayWrite.value && (
        <Button disabled={doing.isBusy} run={() => doing.run(tryNow)}>
          Try now
        </Button>
      )}
      <Problem failure={doing.failure} />
    </div>
  );
}
