import { count } from "../core/format.ts";
import { Panel } from "../parts/screen.tsx";
import { Table } from "../parts/table.tsx";

/** What the interface says of its plans; an operator may have set other figures for this service. */
const plans = [
  { name: "free", history: "none", scores: "locked", items: 50, score: 0 },
  { name: "starter", history: "pages of 100", scores: "yes", items: 5_000, score: 0 },
  { name: "pro", history: "pages of 200", scores: "yes", items: null, score: 1_000 },
  { name: "quant", history: "pages of 500", scores: "yes", items: null, score: 10_000 },
  { name: "enterprise", history: "pages of 1,000", scores: "yes", items: null, score: null },
] as const;

const limit = (value: number | null) => (value === null ? "no limit" : value === 0 ? "—" : count(value));

export function Plans({ tier }: { tier: string | null }) {
  return (
    <Panel
      title="Plans"
      aside={<span class="quiet small">As they ship; the operator may have changed them.</span>}
    >
      <Table head={["Plan", "History", "Scores", { num: "Live items a day" }, { num: "Score calls a day" }]}>
        {plans.map((plan) => (
          <tr key={plan.name} aria-current={plan.name === tier ? "true" : undefined}>
            <td class={plan.name === tier ? "accent strong" : ""}>
              {plan.name}
              {plan.name === tier && " · yours"}
            </td>
            <td>{plan.history}</td>
            <td>{plan.scores}</td>
            <td class="num">{limit(plan.items)}</td>
            <td class="num">{limit(plan.score)}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
