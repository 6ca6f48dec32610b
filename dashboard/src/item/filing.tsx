import { count, words } from "../core/format.ts";
import type { FeedItemDetail } from "../core/types.ts";
import { type Fact, Facts } from "../parts/facts.tsx";
import { Panel } from "../parts/screen.tsx";
import { type Column, Table } from "../parts/table.tsx";

type Stated = ReadonlyMap<string, unknown>;
type Value = string | number | boolean | null | readonly object[];

/** The name of a member in words: `price_usd` becomes `Price, USD`. */
const nameOf = (member: string) =>
  words(member.replace(/_usd$/, ", USD").replace("10b5_1", "by a 10b5-1 plan"));

const told = (value: unknown) =>
  typeof value === "number" ? count(value) : value === true ? "yes" : value === false ? "no" : String(value);

/** What a regulator's form states: who filed it, for which period, and the facts of its kind. */
export function Filing({ item: { filing } }: { item: FeedItemDetail }) {
  if (filing === null) return null;
  const { items, accession, filed, period, amends, parties } = filing;
  const { kind: _, ...details } = filing.details ?? { kind: "" };
  const stated: readonly (readonly [string, Value])[] = Object.entries(details);
  return (
    <Panel title={`Filing ${filing.form}`}>
      <Facts
        look="small"
        of={[
          items.length > 0 && ["Items", items.join(", ")],
          filed !== null && ["Filed", filed],
          period !== null && ["Period", period],
          parties.length > 0 && [
            "Parties",
            parties.map(({ name, role }) => (role === null ? name : `${name} (${role})`)).join(", "),
          ],
          ...stated.map(
            ([name, value]): Fact =>
              value !== null && typeof value !== "object" && [nameOf(name), told(value)],
          ),
          accession !== "" && ["Accession", <code key="accession">{accession}</code>],
          amends !== null && ["Amends", <code key="amends">{amends}</code>],
        ]}
      />
      {stated.map(
        ([name, value]) =>
          Array.isArray(value) && value.length > 0 && <Rows key={name} name={nameOf(name)} rows={value} />,
      )}
    </Panel>
  );
}

/** Trades, holders, positions: a column for each member that one of them states. */
function Rows({ name, rows }: { name: string; rows: readonly object[] }) {
  const all: readonly Stated[] = rows.map((row) => new Map<string, unknown>(Object.entries(row)));
  const members = [...new Set(all.flatMap((row) => [...row.keys()]))];
  const isStated = (member: string) => all.some((row) => (row.get(member) ?? null) !== null);
  return (
    <Table
      label={name}
      rows={all}
      keyOf={(row) => all.indexOf(row)}
      columns={members
        .filter(isStated)
        .map(
          (member): Column<Stated> => [
            nameOf(member),
            (row) => ((row.get(member) ?? null) === null ? "—" : told(row.get(member))),
            typeof all[0]?.get(member) === "number" ? "num" : "",
          ],
        )}
    />
  );
}
