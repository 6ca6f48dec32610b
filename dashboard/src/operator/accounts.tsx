import { useState } from "preact/hooks";
import { at } from "../core/address.ts";
import { useGet } from "../core/load.ts";
import { Button } from "../forms/button.tsx";
import { useChanges } from "../forms/changes.ts";
import { Input, Options } from "../forms/field.tsx";
import { Form } from "../forms/form.tsx";
import { type ApiKey, shownOf } from "../keys/types.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Panel } from "../parts/screen.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { OperatorScreen } from "./only.tsx";
import type { Account } from "./types.ts";

const plans = ["free", "starter", "pro", "quant", "enterprise"] as const;

/** Every account with its plan and keys. */
export default function Accounts() {
  return <OperatorScreen title="Accounts and keys">{() => <Shown />}</OperatorScreen>;
}

function Shown() {
  const accounts = useGet<{ data: Account[] }>("/admin/v1/accounts");
  const keys = useGet<{ data: ApiKey[] }>("/admin/v1/keys");
  const [changing, setChanging] = useState<{ account: Account; plan: string } | null>(null);
  const { failure, isBusy, change } = useChanges(accounts.again, keys.again);
  return (
    <>
      <Problem failure={failure} />
      <Panel title="Accounts">
        <Create
          isBusy={isBusy}
          create={(name, plan) =>
            change(`Account ${name} made`, "POST", "/admin/v1/accounts", { name, plan })
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
              revoke={({ id, name }) => change(`${name} revoked`, "DELETE", `/admin/v1/keys/${id}`)}
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
          text="Streams come back with the new limits. On a plan with fewer endpoints the newest webhooks are disabled."
          word={null}
          label="Move it"
          run={() =>
            change(
              `${changing.account.name} is on ${changing.plan} now`,
              "PATCH",
              `/admin/v1/accounts/${changing.account.id}`,
              { plan: changing.plan },
            )
          }
          close={() => setChanging(null)}
        />
      )}
    </>
  );
}

interface CreateProps {
  readonly isBusy: boolean;
  readonly create: (name: string, plan: string) => Promise<boolean>;
}

function Create({ isBusy, create }: CreateProps) {
  const [name, setName] = useState("");
  const [plan, setPlan] = useState("pro");
  const send = async () => {
    if (await create(name, plan)) setName("");
  };
  return (
    <Form send={send} isOff={isBusy} label="Create" look="row wrap">
      <Input label="New account" required maxLength={200} placeholder="Name" value={name} set={setName} />
      <PlanChoice label="Plan of the new account" plan={plan} choose={setPlan} />
    </Form>
  );
}

const PlanChoice = ({
  label,
  plan,
  choose,
}: {
  label: string;
  plan: string;
  choose: (plan: string) => void;
}) => (
  <Options
    class="button"
    aria-label={label}
    value={plan}
    options={plans.map((one) => [one, one])}
    set={choose}
  />
);

interface TableProps {
  readonly accounts: readonly Account[];
  readonly keys: readonly ApiKey[];
  readonly change: (account: Account, plan: string) => void;
}

const AccountTable = ({ accounts, keys, change }: TableProps) => (
  <Table
    rows={accounts}
    keyOf={({ id }) => id}
    columns={[
      ["Name", ({ name }) => <bdi>{name}</bdi>],
      [
        "Plan",
        (account) => (
          <PlanChoice
            label={`Plan of ${account.name}`}
            plan={account.plan}
            choose={(plan) => change(account, plan)}
          />
        ),
      ],
      [
        "Keys",
        ({ id }) => keys.filter((key) => key.account_id === id && key.revoked_at === null).length,
        "num",
      ],
      ["Created", ({ created_at }) => <Time at={created_at} />],
    ]}
  />
);

function KeyTable({ keys, revoke }: { keys: readonly ApiKey[]; revoke: (key: ApiKey) => unknown }) {
  const [asked, ask] = useState<ApiKey | null>(null);
  const valid = keys.filter(({ revoked_at }) => revoked_at === null);
  if (valid.length === 0) return <Empty text="No key is valid." />;
  return (
    <>
      <Table
        rows={valid}
        keyOf={({ id }) => id}
        columns={[
          [
            "Key",
            (key) => (
              <>
                <bdi>{key.name}</bdi> <span class="mono quiet">{shownOf(key)}</span>
              </>
            ),
          ],
          [
            "Account",
            ({ account_name, plan }) => (
              <>
                <bdi>{account_name}</bdi> <span class="badge">{plan}</span>
              </>
            ),
          ],
          ["Last used", ({ last_used_at }) => <Time at={last_used_at} />],
          ["Expires", ({ expires_at }) => <Time at={expires_at} />],
          [
            "Actions",
            (key) => (
              <Button look="plain danger" run={() => ask(key)}>
                Revoke<span class="unseen"> {key.name}</span>
              </Button>
            ),
            "unseen",
          ],
        ]}
      />
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
