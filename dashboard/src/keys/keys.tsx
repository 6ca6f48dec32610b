import { useState } from "preact/hooks";
import { appCall, get } from "../api.ts";
import { Spark } from "../charts/chart.tsx";
import { useParams } from "../core/address.ts";
import { now } from "../core/clock.ts";
import { count } from "../core/format.ts";
import { useDoing, useLoad } from "../core/load.ts";
import { account, mayMakeKeys, right, session } from "../core/session.ts";
import type { Usage } from "../core/types.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Loading, Lock, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { tell } from "../parts/toast.tsx";
import { ConnectAgent } from "./agent.tsx";
import { CreateKey } from "./create-key.tsx";
import { RotateKey } from "./rotate-key.tsx";
import { type ApiKey, type CreatedKey, shownOf } from "./types.ts";

/** The account's keys: make, change for another, end. */
export default function Keys() {
  const [params, change] = useParams();
  const id = account.value?.id ?? "";
  const isViewer = right.value === "viewer";
  const keys = useLoad(isViewer ? null : `keys ${id}`, () =>
    appCall<{ data: ApiKey[] }>("GET", `/accounts/${id}/keys`),
  );
  const usage = useLoad("usage 30", (signal) => get<Usage>("/v1/usage", { days: 30 }, signal));
  const [made, setMade] = useState<CreatedKey | null>(null);
  if (session.value?.kind === "key")
    return (
      <Screen title="Keys">
        <Lock text="You are signed in with a key. Sign in as a person or with the admin token to see and make keys." />
      </Screen>
    );
  if (isViewer)
    return (
      <Screen title="Keys">
        <Lock text="A viewer sees no keys. An owner of the account can make one for you, or change your role." />
      </Screen>
    );
  const isCreating = params.create !== undefined || made !== null;
  return (
    <Screen
      title="Keys"
      actions={
        mayMakeKeys.value && (
          <button type="button" class="button main" onClick={() => change({ create: "1" })}>
            Create a key
          </button>
        )
      }
    >
      <div class="row wrap soft">
        <span class="num">{count(usage.data?.today.requests ?? 0)} requests today</span>
        <Spark
          values={usage.data?.data.map(({ requests }) => requests) ?? []}
          label="Requests a day, 30 days"
        />
      </div>
      <Loading of={keys} lines={3} height={36}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text="There is no key yet. A key opens the API, the stream and the SDK." />
          ) : (
            <KeyTable keys={data} again={keys.again} show={setMade} />
          )
        }
      </Loading>
      <ConnectAgent />
      {isCreating && (
        <CreateKey
          made={made}
          setMade={setMade}
          close={() => {
            setMade(null);
            change({ create: null });
            keys.again();
          }}
        />
      )}
    </Screen>
  );
}

interface TableProps {
  readonly keys: readonly ApiKey[];
  readonly again: () => void;
  readonly show: (made: CreatedKey) => void;
}

function KeyTable({ keys, again, show }: TableProps) {
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const doing = useDoing();
  const revoke = (key: ApiKey) =>
    doing.run(async () => {
      await appCall("DELETE", `/keys/${key.id}`);
      tell(`${key.name} revoked; open streams of it close within 5 s`);
      again();
    });
  return (
    <>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <Table head={["Name", "Key", "Status", "Created", "Last used", "Expires", { unseen: "Actions" }]}>
        {keys.map((key) => (
          <Line
            key={key.id}
            of={key}
            next={keys.find(({ replaces }) => replaces === key.id)}
            rotate={setRotating}
            revoke={setRevoking}
          />
        ))}
      </Table>
      {rotating !== null && <RotateKey of={rotating} close={() => setRotating(null)} show={show} />}
      {revoking !== null && (
        <Confirm
          title={`Revoke ${revoking.name} · ${shownOf(revoking)}`}
          text="Requests with this key fail from now on, and its streams close. This cannot be taken back."
          word={wasUsedLately(revoking) ? revoking.name : null}
          label="Revoke"
          run={() => void revoke(revoking)}
          close={() => setRevoking(null)}
        />
      )}
    </>
  );
}

/** Somebody may be using it now: then its name must be typed. */
const wasUsedLately = ({ last_used_at }: ApiKey) =>
  last_used_at !== null && now.peek() - Date.parse(last_used_at) < 3_600_000;

function statusOf({ revoked_at, expires_at }: ApiKey, next: ApiKey | undefined): readonly [string, string] {
  if (revoked_at !== null) return ["bad", "Revoked"];
  if (expires_at === null) return ["good", "Valid"];
  const leftMs = Date.parse(expires_at) - now.value;
  if (leftMs <= 0) return ["bad", "Expired"];
  if (next !== undefined) return ["warm", `Replaced by …${next.last4}`];
  return leftMs < 7 * 86_400_000 ? ["warm", "Expires soon"] : ["good", "Valid"];
}

function Line({
  of: key,
  next,
  rotate,
  revoke,
}: {
  of: ApiKey;
  next: ApiKey | undefined;
  rotate: (key: ApiKey) => void;
  revoke: (key: ApiKey) => void;
}) {
  const [state, said] = statusOf(key, next);
  const isOver = state === "bad";
  return (
    <tr>
      <td>
        <bdi>{key.name}</bdi>
        {key.created_by !== null && <div class="quiet small">by {key.created_by}</div>}
      </td>
      <td class="mono">{shownOf(key)}</td>
      <td>
        <span class={`status ${state}`}>{said}</span>
      </td>
      <td>
        <Time at={key.created_at} />
      </td>
      <td>
        <Time at={key.last_used_at} />
      </td>
      <td>
        <Time at={key.expires_at} />
      </td>
      <td>
        {!isOver && mayMakeKeys.value && (
          <span class="row">
            <button type="button" class="button plain" onClick={() => rotate(key)}>
              Rotate<span class="unseen"> {key.name}</span>
            </button>
            <button type="button" class="button plain danger" onClick={() => revoke(key)}>
              Revoke<span class="unseen"> {key.name}</span>
            </button>
          </span>
        )}
      </td>
    </tr>
  );
}
