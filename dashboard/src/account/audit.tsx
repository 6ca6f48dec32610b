import { useParams } from "../core/address.ts";
import { useGet } from "../core/load.ts";
import { Button } from "../forms/button.tsx";
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
  const list = useGet<AuditList>(path, { cursor, limit: 50 });
  return (
    <Panel title="Audit">
      <Loading of={list} lines={6} height={28}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 && <Empty text="Nothing has been done yet." />}
            <Table
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                ["When", ({ at }) => <Moment at={at} />],
                ["Who", ({ actor }) => <bdi>{actor}</bdi>],
                ["What", ({ action }) => action, "mono"],
                ["To", ({ subject }) => <bdi>{subject}</bdi>],
                ["Network", ({ network }) => network, "mono quiet"],
              ]}
            />
            {next_cursor !== null && <Button run={() => change({ cursor: next_cursor }, true)}>Older</Button>}
          </>
        )}
      </Loading>
    </Panel>
  );
}
