import { count } from "../core/format.ts";
import { Panel } from "../parts/screen.tsx";
import { Table } from "../parts/table.tsx";

/** What the interface says of its plans; an operator may have set other figures for this service. */
const plans = [
  ["free", "none", "locked", 50, 0],
  ["starter", "pages of 100", "yes", 5_000, 0],
  ["pro", "pages of 200", "yes", null, 1_000],
  ["quant", "pages of 500", "yes", null, 10_000],
  ["enterprise", "pages of 1,000", "yes", null, null],
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
        keyOf={([name]) => name}
        lookOf={([name]) => (name === tier ? "accent strong" : "")}
        columns={[
          ["Plan", ([name]) => (name === tier ? `${name} · yours` : name)],
          ["History", ([, history]) => history],
          ["Scores", ([, , scores]) => scores],
          ["Live items a day", ([, , , items]) => limit(items), "num"],
          ["Score calls a day", ([, , , , score]) => limit(score), "num"],
        ]}
      />
    </Panel>
  );
}
