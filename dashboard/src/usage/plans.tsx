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
      <Table
        rows={plans}
        keyOf={({ name }) => name}
        lookOf={({ name }) => (name === tier ? "accent strong" : "")}
        columns={[
          ["Plan", ({ name }) => (name === tier ? `${name} · yours` : name)],
          ["History", ({ history }) => history],
          ["Scores", ({ scores }) => scores],
          ["Live items a day", ({ items }) => limit(items), "num"],
          ["Score calls a day", ({ score }) => limit(score), "num"],
        ]}
      />
    </Panel>
  );
}
