import { useState } from "preact/hooks";
import { appCall } from "../api.ts";
import { useDoing, useLoad } from "../core/load.ts";
import { Copy } from "../parts/copy.tsx";
import { Field } from "../parts/field.tsx";
import { Panel } from "../parts/screen.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { tell } from "../parts/toast.tsx";

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
  const people = useLoad(`people ${accountId}`, () =>
    appCall<{ data: Member[] }>("GET", `/accounts/${accountId}/people`),
  );
  const invites = useLoad(`invites ${accountId}`, () =>
    appCall<{ data: Invite[] }>("GET", `/accounts/${accountId}/invites`),
  );
  const [made, setMade] = useState<Made | null>(null);
  const doing = useDoing();
  const act = (work: () => Promise<unknown>, said: string) =>
    doing.run(async () => {
      await work();
      tell(said);
      people.again();
      invites.again();
    });
  const path = `/accounts/${accountId}/people`;
  return (
    <>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      {made !== null && <MadeLink made={made} />}
      <Panel title="People">
        <Loading of={people} lines={2} height={36}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty text="Nobody else uses this account yet." />
            ) : (
              <Members
                members={data}
                setRole={(one, role) =>
                  void act(
                    () => appCall("PATCH", `${path}/${one.id}`, { body: { role } }),
                    `${one.name} is ${role} now`,
                  )
                }
                remove={(one) =>
                  void act(() => appCall("DELETE", `${path}/${one.id}`), `${one.name} removed`)
                }
                reset={(one) =>
                  void act(
                    async () => setMade(await appCall<Made>("POST", `${path}/${one.id}/reset`)),
                    "Link made",
                  )
                }
              />
            )
          }
        </Loading>
      </Panel>
      <Panel title="Invitations">
        <InviteForm
          busy={doing.isBusy}
          invite={(email, role) =>
            void act(
              async () =>
                setMade(
                  await appCall<Made>("POST", `/accounts/${accountId}/invites`, { body: { email, role } }),
                ),
              `Invitation for ${email} made`,
            )
          }
        />
        <ul class="stack">
          {(invites.data?.data ?? []).map((one) => (
            <li key={one.id} class="row wrap">
              <bdi class="grow">{one.email}</bdi>
              <span class="badge">{one.role}</span>
              <span class="quiet small">
                until <Time at={one.expires_at} />
              </span>
              <button
                type="button"
                class="button plain danger"
                onClick={() =>
                  void act(() => appCall("DELETE", `/invites/${one.id}`), "Invitation withdrawn")
                }
              >
                Withdraw<span class="unseen"> {one.email}</span>
              </button>
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
  readonly setRole: (member: Member, role: string) => void;
  readonly remove: (member: Member) => void;
  readonly reset: (member: Member) => void;
}

function Members({ members, setRole, remove, reset }: MembersProps) {
  return (
    <Table head={["Name", "Role", "Last seen", { unseen: "Actions" }]}>
      {members.map((one) => (
        <tr key={one.id}>
          <td>
            <bdi>{one.name}</bdi>
            <div class="quiet small">{one.email}</div>
          </td>
          <td>
            <RoleChoice
              label={`Role of ${one.name}`}
              role={one.account_role}
              choose={(role) => setRole(one, role)}
            />
          </td>
          <td>
            <Time at={one.last_seen_at} />
          </td>
          <td class="row">
            <button type="button" class="button plain" onClick={() => reset(one)}>
              Reset password<span class="unseen"> of {one.name}</span>
            </button>
            <button type="button" class="button plain danger" onClick={() => remove(one)}>
              Remove<span class="unseen"> {one.name}</span>
            </button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function RoleChoice({ label, role, choose }: { label: string; role: Role; choose: (role: Role) => void }) {
  return (
    <select
      class="button"
      aria-label={label}
      value={role}
      onChange={({ currentTarget }) => choose(roles.find((one) => one === currentTarget.value) ?? "viewer")}
    >
      {roles.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

function InviteForm({ busy, invite }: { busy: boolean; invite: (email: string, role: Role) => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  return (
    <form
      class="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        invite(email, role);
        setEmail("");
      }}
    >
      <Field label="E-mail">
        {(given) => (
          <input
            {...given}
            type="email"
            required
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        )}
      </Field>
      <RoleChoice label="Role of the invited" role={role} choose={setRole} />
      <button type="submit" class="button" disabled={busy}>
        Make an invitation
      </button>
    </form>
  );
}
