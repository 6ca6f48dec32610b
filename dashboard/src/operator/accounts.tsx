import { useState } from "preact/hooks";
import { call, get } from "../api.ts";
import { at } from "../core/address.ts";
import { useDoing, useLoad } from "../core/load.ts";
import type { ApiKey } from "../keys/types.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Panel } from "../parts/screen.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { tell } from "../parts/toast.tsx";
import { OperatorScreen } from "./only.tsx";
import type { Account } from "./types.ts";

const plans = ["free", "starter", "pro", "quant", "enterprise"] as const;

/** Every account with its plan and keys. */
export default function Accounts() {
  return <OperatorScreen title="Accounts and keys">{() => <Shown />}</OperatorScreen>;
}

function Shown() {
  const accounts = useLoad("admin accounts", (signal) =>
    get<{ data: Account[] }>("/admin/v1/accounts", {}, signal),
  );
  const keys = useLoad("admin keys", (signal) => get<{ data: ApiKey[] }>("/admin/v1/keys", {}, signal));
  const [changing, setChanging] = useState<{ account: Account; plan: string } | null>(null);
  const doing = useDoing();
  const act = (work: () => Promise<unknown>, said: string) =>
    doing.run(async () => {
      await work();
      tell(said);
      accounts.again();
      keys.again();
    });
  const setPlan = ({ account, plan }: { account: Account; plan: string }) =>
    act(
      () => call("PATCH", `/admin/v1/accounts/${account.id}`, { body: { plan } }),
      `${account.name} is on ${plan} now`,
    );
  return (
    <>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <Panel title="Accounts">
        <Create
          busy={doing.isBusy}
          create={(name, plan) =>
            void act(
              () => call("POST", "/admin/v1/accounts", { body: { name, plan } }),
              `Account ${name} made`,
            )
          }
        />
        <Loading of={accounts} lines={4} height={32}>
          {({ data }) => (
            <AccountTable
              accounts={data}
              keys={keys.data?.data ?? []}
              change={(account, plan) => setChanging({ account, plan })}
            />
          )}
        </Loading>
      </Panel>
      <Panel title="Keys of all accounts">
        <Loading of={keys} lines={4} height={32}>
          {({ data }) => (
            <KeyTable
              keys={data}
              revoke={(key) =>
                void act(() => call("DELETE", `/admin/v1/keys/${key.id}`), `${key.name} revoked`)
              }
            />
          )}
        </Loading>
      </Panel>
      <p>
        <a href={`${at("account")}?tab=Audit&all=1`}>Audit of all accounts</a>
      </p>
      {changing !== null && (
        <Confirm
          title={`Move ${changing.account.name} to ${changing.plan}`}
          text="Open streams close and come back with the new limits. On a plan with fewer endpoints the newest webhooks are disabled; on one without scores they are locked."
          word={null}
          label="Move it"
          run={() => void setPlan(changing)}
          close={() => setChanging(null)}
        />
      )}
    </>
  );
}

function Create({ busy, create }: { busy: boolean; create: (name: string, plan: string) => void }) {
  const [name, setName] = useState("");
  const [plan, setPlan] = useState("pro");
  return (
    <form
      class="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        create(name, plan);
        setName("");
      }}
    >
      <Field label="New account">
        {(given) => (
          <input
            {...given}
            required
            maxLength={200}
            placeholder="Name"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <PlanChoice label="Plan of the new account" plan={plan} choose={setPlan} />
      <button type="submit" class="button" disabled={busy}>
        Create
      </button>
    </form>
  );
}

function PlanChoice({
  label,
  plan,
  choose,
}: {
  label: string;
  plan: string;
  choose: (plan: string) => void;
}) {
  return (
    <select
      class="button"
      aria-label={label}
      value={plan}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {plans.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

interface TableProps {
  readonly accounts: readonly Account[];
  readonly keys: readonly ApiKey[];
  readonly change: (account: Account, plan: string) => void;
}

function AccountTable({ accounts, keys, change }: TableProps) {
  return (
    <Table head={["Name", "Plan", { num: "Keys" }, "Created"]}>
      {accounts.map((account) => (
        <tr key={account.id}>
          <td>
            <bdi>{account.name}</bdi>
          </td>
          <td>
            <PlanChoice
              label={`Plan of ${account.name}`}
              plan={account.plan}
              choose={(plan) => change(account, plan)}
            />
          </td>
          <td class="num">
            {keys.filter((key) => key.account_id === account.id && key.revoked_at === null).length}
          </td>
          <td>
            <Time at={account.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function KeyTable({ keys, revoke }: { keys: readonly ApiKey[]; revoke: (key: ApiKey) => void }) {
  const [asked, ask] = useState<ApiKey | null>(null);
  const valid = keys.filter(({ revoked_at }) => revoked_at === null);
  if (valid.length === 0) return <Empty text="No key is valid." />;
  return (
    <>
      <Table head={["Key", "Account", "Last used", "Expires", { unseen: "Actions" }]}>
        {valid.map((key) => (
          <tr key={key.id}>
            <td>
              <bdi>{key.name}</bdi>{" "}
              <span class="mono quiet">
                {key.prefix}…{key.last4}
              </span>
            </td>
            <td>
              <bdi>{key.account_name}</bdi> <span class="badge">{key.plan}</span>
            </td>
            <td>
              <Time at={key.last_used_at} />
            </td>
            <td>
              <Time at={key.expires_at} />
            </td>
            <td>
              <button type="button" class="button plain danger" onClick={() => ask(key)}>
                Revoke<span class="unseen"> {key.name}</span>
              </button>
            </td>
          </tr>
        ))}
      </Table>
      {asked !== null && (
        <Confirm
          title={`Revoke ${asked.name}`}
          text="Requests with this key fail from now on. This cannot be taken back."
          word={asked.name}
          label="Revoke"
          run={() => revoke(asked)}
          close={() => ask(null)}
        />
      )}
    </>
  );
}
