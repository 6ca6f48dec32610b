import { send } from "../api.ts";
import { bytes } from "../core/format.ts";
import { type Loaded, useDoing } from "../core/load.ts";
import { Button } from "../forms/button.tsx";
import { Panel } from "../parts/screen.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { tell } from "../parts/toast.tsx";
import type { Backup, BackupList } from "./types.ts";

/** Backups of the embedded database: those there are, and a new one while the service runs. */
export function Backups({ list }: { list: Loaded<BackupList> }) {
  const doing = useDoing();
  const make = () =>
    doing.run(async () => {
      const made = await send<Backup>("POST", "/admin/v1/backups");
      tell(`${made.name} is written, ${bytes(made.bytes)}`);
      list.again();
    });
  const button = (
    <Button disabled={doing.isBusy} run={make}>
      {doing.isBusy ? "Backing up…" : "Back up now"}
    </Button>
  );
  return (
    <Panel title="Backups" aside={button}>
      <Problem failure={doing.failure} />
      <Loading of={list} lines={2}>
        {({ data }) => (data.length === 0 ? <None /> : <BackupTable backups={data} />)}
      </Loading>
    </Panel>
  );
}

function None() {
  return <p class="quiet">There is none. PostgreSQL has tools of its own.</p>;
}

const BackupTable = ({ backups }: { backups: readonly Backup[] }) => (
  <Table
    label="Backups"
    rows={backups}
    keyOf={({ name }) => name}
    columns={[
      ["Begun", ({ made_at }) => <Time at={made_at} />],
      ["Size", (one) => bytes(one.bytes), "num"],
      ["File on the machine of the service", ({ path }) => path, "mono"],
    ]}
  />
);
