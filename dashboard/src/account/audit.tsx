import { appCall } from "../api.ts";
import { useParams } from "../core/address.ts";
import { useLoad } from "../core/load.ts";
import { Panel } from "../parts/screen.tsx";
import { Empty, Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Moment } from "../parts/time.tsx";

interface AuditList {
  readonly data: readonly {
    readonly id: number;
    readonly at: string;
    readonly actor: string;
    readonly action: string;
    readonly subject: string;
    readonly network: string | null;
  }[];
  readonly next_cursor: string | null;
}

/** Who did what, newest first. */
export function Audit({ path }: { path: string }) {
  const [params, change] = useParams();
  const cursor = params.cursor ?? "";
  const list = useLoad(`${path} ${cursor}`, () =>
    appCall<AuditList>("GET", path, { query: { cursor, limit: 50 } }),
  );
  return (
    <Panel title="Audit">
      <Loading of={list} lines={6} height={28}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 && <Empty text="Nothing has been done yet." />}
            <Table head={["When", "Who", "What", "To", "Network"]}>
              {data.map((entry) => (
                <tr key={entry.id}>
                  <td>
                    <Moment at={entry.at} />
                  </td>
                  <td>
                    <bdi>{entry.actor}</bdi>
                  </td>
                  <td class="mono">{entry.action}</td>
                  <td>
                    <bdi>{entry.subject}</bdi>
                  </td>
                  <td class="mono quiet">{entry.network}</td>
                </tr>
              ))}
            </Table>
            {next_cursor !== null && (
              <button type="button" class="button" onClick={() => change({ cursor: next_cursor }, true)}>
                Older
              </button>
            )}
          </>
        )}
      </Loading>
    </Panel>
  );
}
