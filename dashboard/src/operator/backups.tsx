import { call, get } from "../api.ts";
import { bytes } from "../core/format.ts";
import { useDoing, useLoad } from "../core/load.ts";
import { Panel } from "../parts/screen.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { tell } from "../parts/toast.tsx";
import type { Backup } from "./types.ts";

/** Backups of the embedded database: those there are, and a new one while the service runs. */
export function Backups() {
  const list = useLoad("admin backups", (signal) => get<{ data: Backup[] }>("/admin/v1/backups", {}, signal));
  const doing = useDoing();
  const make = () =>
    doing.run(async () => {
      const made = await call<Backup>("POST", "/admin/v1/backups");
      tell(`${made.name} is written, ${bytes(made.bytes)}`);
      list.again();
    });
  const button = (
    <button type="button" class="button" disabled={doing.isBusy} onClick={() => void make()}>
      {doing.isBusy ? "Backing up…" : "Back up now"}
    </button>
  );
  return (
    <Panel title="Backups" aside={button}>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <Loading of={list} lines={2}>
        {({ data }) => (data.length === 0 ? <None /> : <BackupTable backups={data} />)}
      </Loading>
    </Panel>
  );
}

function None() {
  return (
    <p class="quiet">
      There is none. Backups of the embedded database are listed here; a PostgreSQL is backed up by its own
      tools.
    </p>
  );
}

function BackupTable({ backups }: { backups: readonly Backup[] }) {
  return (
    <Table label="Backups" head={["Begun", { num: "Size" }, "File on the machine of the service"]}>
      {backups.map(({ name, path, made_at, bytes: size }) => (
        <tr key={name}>
          <td>
            <Time at={made_at} />
          </td>
          <td class="num">{bytes(size)}</td>
          <td class="mono">{path}</td>
        </tr>
      ))}
    </Table>
  );
}
