import { useState } from "preact/hooks";
import { Spark } from "../charts/chart.tsx";
import { useParams } from "../core/address.ts";
import { now } from "../core/clock.ts";
import { dayTime, plural } from "../core/format.ts";
import { useGet } from "../core/load.ts";
import { account, mayMakeKeys, right, session } from "../core/session.ts";
import type { Usage } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { useChanges } from "../forms/changes.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Loading, Lock, Problem } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { ConnectAgent } from "./agent.tsx";
import { CreateKey } from "./create-key.tsx";
import { RotateKey } from "./rotate-key.tsx";
import { type ApiKey, type CreatedKey, shownOf } from "./types.ts";

/** The account's keys: make, change for another, end. */
export default function Keys() {
  const [params, change] = useParams();
  const id = account.value?.id ?? "";
  const isViewer = right.value === "viewer";
  const keys = useGet<{ data: ApiKey[] }>(isViewer ? null : `/app/v1/accounts/${id}/keys`, {}, 10_000);
  const usage = useGet<Usage>("/v1/usage", { days: 30 });
  const [made, setMade] = useState<CreatedKey | null>(null);
  const isKey = session.value?.kind === "key";
  if (isKey || isViewer)
    return (
      <Screen title="Keys">
        <Lock
          text={
            isKey
              ? "Sign in as a person or with the admin token to see and make keys."
              : "A viewer sees no keys. Ask an owner of the account for one."
          }
        />
      </Screen>
    );
  const create = mayMakeKeys.value && (
    <Button look="main" run={() => change({ create: "1" })}>
      Create a key
    </Button>
  );
  const isCreating = params.create !== undefined || made !== null;
  return (
    <Screen title="Keys" actions={create}>
      <div class="row wrap soft">
        <span class="num">
          {plural(usage.data?.today.requests ?? 0, "request")} today, by all keys and by this dashboard
        </span>
        <Spark
          values={usage.data?.data.map(({ requests }) => requests) ?? []}
          label="Requests a day, 30 days"
        />
      </div>
      <Loading of={keys} lines={3} height={36}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text="There is no key yet. A key opens the API, the stream and the SDK.">{create}</Empty>
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
  const { failure, change } = useChanges(again);
  const stateOf = (key: ApiKey) =>
    statusOf(
      key,
      keys.find(({ replaces }) => replaces === key.id),
    );
  const replaced = keys.find((key) => key.id === revoking?.replaces && stateOf(key)[0] !== "bad");
  const revoke = ({ id, name }: ApiKey) =>
    change(`${name} revoked; open streams of it close within 5 s`, "DELETE", `/app/v1/keys/${id}`);
  const columns: readonly Column<ApiKey>[] = [
    [
      "Name",
      ({ name, created_by }) => (
        <>
          <bdi>{name}</bdi>
          {created_by !== null && <div class="quiet small">by {created_by}</div>}
        </>
      ),
    ],
    ["Key", shownOf, "mono"],
    ["Status", (key) => <Status state={stateOf(key)} />],
    ["Created", ({ created_at }) => <Time at={created_at} />],
    ["Last used", ({ last_used_at }) => <Time at={last_used_at} />],
    [
      "Expires",
      ({ expires_at, revoked_at }) =>
        revoked_at === null ? <Time at={expires_at} /> : <span class="quiet">—</span>,
    ],
    [
      "Actions",
      (key) =>
        stateOf(key)[0] !== "bad" &&
        mayMakeKeys.value && (
          <span class="row">
            <Button look="plain" run={() => setRotating(key)}>
              Rotate<span class="unseen"> {key.name}</span>
            </Button>
            <Button look="plain danger" run={() => setRevoking(key)}>
              Revoke<span class="unseen"> {key.name}</span>
            </Button>
          </span>
        ),
      "unseen",
    ],
  ];
  return (
    <>
      <Problem failure={failure} />
      <Table rows={keys} keyOf={({ id }) => id} columns={columns} />
      {rotating !== null && <RotateKey of={rotating} close={() => setRotating(null)} show={show} />}
      {revoking !== null && (
        <Confirm
          title={`Revoke ${revoking.name} · ${shownOf(revoking)}`}
          text="Requests with this key fail from now on, and its streams close. This cannot be taken back."
          also={
            replaced &&
            `${shownOf(replaced)}, which this key replaced, still works${untilOf(replaced)}. Revoke it too`
          }
          word={wasUsedLately(revoking) ? revoking.name : null}
          label="Revoke"
          run={async (isBoth) => {
            if ((await revoke(revoking)) && isBoth && replaced) await revoke(replaced);
          }}
          close={() => setRevoking(null)}
        />
      )}
    </>
  );
}

const Status = ({ state: [state, said] }: { state: readonly [string, string] }) => (
  <span class={`status ${state}`}>{said}</span>
);

/** Somebody may be using it now: then its name must be typed. */
const wasUsedLately = ({ last_used_at }: ApiKey) =>
  last_used_at !== null && now.peek() - Date.parse(last_used_at) < 3_600_000;

const untilOf = ({ expires_at }: ApiKey) =>
  expires_at === null ? "" : ` until ${dayTime(Date.parse(expires_at))}`;

function statusOf(key: ApiKey, next: ApiKey | undefined): readonly [string, string] {
  const { revoked_at, expires_at } = key;
  if (revoked_at !== null) return ["bad", "Revoked"];
  if (expires_at === null) return ["good", "Valid"];
  const leftMs = Date.parse(expires_at) - now.value;
  if (leftMs <= 0) return ["bad", "Expired"];
  if (next !== undefined) return ["warm", `Replaced by …${next.last4}, works${untilOf(key)}`];
  return leftMs < 7 * 86_400_000 ? ["warm", "Expires soon"] : ["good", "Valid"];
}
