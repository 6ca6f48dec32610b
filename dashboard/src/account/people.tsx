import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { useGet } from "../core/load.ts";
import { Button } from "../forms/button.tsx";
import { type Changes, useChanges } from "../forms/changes.ts";
import { Input, Options } from "../forms/field.tsx";
import { Form } from "../forms/form.tsx";
import { Copy } from "../parts/copy.tsx";
import { Panel } from "../parts/screen.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

const roles = ["owner", "member", "viewer"] as const;
type Role = (typeof roles)[number];

interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly account_role: Role;
  readonly last_seen_at: string | null;
}
interface Invite {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: string;
}
interface Made {
  readonly url: string;
  readonly expires_at: string;
}

/** The people of the account; invitations are links that one passes on. */
export function People({ accountId }: { accountId: string }) {
  const path = `/app/v1/accounts/${accountId}`;
  const people = useGet<{ data: Member[] }>(`${path}/people`);
  const invites = useGet<{ data: Invite[] }>(`${path}/invites`);
  const [made, setMade] = useState<Made | null>(null);
  const changes = useChanges(people.again, invites.again);
  const make = (of: string, body?: object) =>
    changes.run(async () => {
      setMade(await send<Made>("POST", `${path}/${of}`, body));
      invites.again();
    });
  return (
    <>
      <Problem failure={changes.failure} />
      {made !== null && <MadeLink made={made} />}
      <Panel title="People">
        <Loading of={people} lines={2} height={36}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty text="Nobody else uses this account yet." />
            ) : (
              <Members
                members={data}
                path={`${path}/people`}
                change={changes.change}
                reset={(id) => make(`people/${id}/reset`)}
              />
            )
          }
        </Loading>
      </Panel>
      <Panel title="Invitations">
        <InviteForm invite={(email, role) => make("invites", { email, role })} isBusy={changes.isBusy} />
        <ul class="stack">
          {(invites.data?.data ?? []).map(({ id, email, role, expires_at }) => (
            <li key={id} class="row wrap">
              <bdi class="grow">{email}</bdi>
              <span class="badge">{role}</span>
              <span class="quiet small">
                until <Time at={expires_at} />
              </span>
              <Button
                look="plain danger"
                run={() => changes.change("Invitation withdrawn", "DELETE", `/app/v1/invites/${id}`)}
              >
                Withdraw<span class="unseen"> {email}</span>
              </Button>
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

/** Nothing is e-mailed: the link is copied and passed on. */
function MadeLink({ made }: { made: Made }) {
  return (
    <div class="note live stack">
      <p>Pass this link on. It works once and is shown only now.</p>
      <div class="row">
        <code class="secret grow">{made.url}</code>
        <Copy text={made.url} what="link" />
      </div>
    </div>
  );
}

interface MembersProps {
  readonly members: readonly Member[];
  readonly path: string;
  readonly change: Changes["change"];
  readonly reset: (id: string) => unknown;
}

const Members = ({ members, path, change, reset }: MembersProps) => (
  <Table
    rows={members}
    keyOf={({ id }) => id}
    columns={[
      [
        "Name",
        ({ name, email }) => (
          <>
            <bdi>{name}</bdi>
            <div class="quiet small">{email}</div>
          </>
        ),
      ],
      [
        "Role",
        ({ id, name, account_role }) => (
          <RoleChoice
            label={`Role of ${name}`}
            role={account_role}
            choose={(role) => void change(`${name} is ${role} now`, "PATCH", `${path}/${id}`, { role })}
          />
        ),
      ],
      ["Last seen", ({ last_seen_at }) => <Time at={last_seen_at} />],
      [
        "Actions",
        ({ id, name }) => (
          <span class="row">
            <Button look="plain" run={() => reset(id)}>
              Reset password<span class="unseen"> of {name}</span>
            </Button>
            <Button look="plain danger" run={() => change(`${name} removed`, "DELETE", `${path}/${id}`)}>
              Remove<span class="unseen"> {name}</span>
            </Button>
          </span>
        ),
        "unseen",
      ],
    ]}
  />
);

function RoleChoice({ label, role, choose }: { label: string; role: Role; choose: (role: Role) => void }) {
  return (
    <Options
      class="button"
      aria-label={label}
      value={role}
      options={roles.map((one) => [one, one])}
      set={(to) => choose(roles.find((one) => one === to) ?? "viewer")}
    />
  );
}

interface InviteProps {
  readonly isBusy: boolean;
  readonly invite: (email: string, role: Role) => Promise<boolean>;
}

function InviteForm({ isBusy, invite }: InviteProps) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const send = async () => {
    if (await invite(email, role)) setEmail("");
  };
  return (
    <Form send={send} isOff={isBusy} label="Make an invitation" look="row wrap">
      <Input label="E-mail" type="email" required value={email} set={setEmail} />
      <RoleChoice label="Role of the invited" role={role} choose={setRole} />
    </Form>
  );
}
