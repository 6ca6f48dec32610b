import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { count } from "../core/format.ts";
import { type Doing, useDoing, useGet } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import type { FeedItemDetail, Me, Verdict } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { Lock, Problem } from "../parts/states.tsx";

export interface Explanation {
  readonly verdict: Verdict | null;
  readonly me: Me | null;
  readonly doing: Doing;
  readonly ask: () => void;
}

export const askVerdict = (id: string, model: "flash" | "pro") =>
  send<Verdict>("POST", `/v1/feeds/${id}/score`, { model, include_detailed_analysis: true });

/** Reasons of the score, from scoring the stored text again. It is a score call, so it waits to be asked for. */
export function useExplanation(item: FeedItemDetail, isNewest: boolean): Explanation {
  const me = useGet<Me>("/v1/me");
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const doing = useDoing();
  const ask = () => {
    if (verdict === null && isNewest)
      void doing.run(async () =>
        // By the model that scored it: the reasons of another lead to another verdict.
        setVerdict(await askVerdict(item.id, item.scoring.model === "flash" ? "flash" : "pro")),
      );
  };
  return { verdict, me: me.data, doing, ask };
}

/** The button that asks for the reasons, with what it costs. */
export function Explain({ explanation: { verdict, me, doing, ask } }: { explanation: Explanation }) {
  if (verdict !== null || !mayWrite.value) return null;
  const limit = me?.limits.score_per_day;
  if (limit === 0) return <Lock text="The reasons behind a score are part of the pro plan and higher." />;
  if (doing.failure !== null) return <Problem failure={doing.failure} again={ask} />;
  return (
    <div class="row wrap">
      <Button disabled={doing.isBusy} run={ask}>
        {doing.isBusy ? "Explaining" : "Explain"} <kbd>e</kbd>
      </Button>
      {me !== null && (
        <span class="quiet small">
          Uses one score call (
          {limit ? `${count(limit - me.usage.score)} left today` : "your plan has no limit"}).
        </span>
      )}
    </div>
  );
}
