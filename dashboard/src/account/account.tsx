import { appCall } from "../api.ts";
import { useParams } from "../core/address.ts";
import { useDoing, useLoad } from "../core/load.ts";
import { account, isOperator, mayManagePeople, session } from "../core/session.ts";
import { Panel, Screen, Tabs } from "../parts/screen.tsx";
import { Loading, Lock, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { tell } from "../parts/toast.tsx";
import { Audit } from "./audit.tsx";
import { People } from "./people.tsx";
import { Profile } from "./profile.tsx";

interface ListedSession {
  readonly id: string;
  readonly kind: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly user_agent: string;
  readonly network: string;
  readonly current: boolean;
}

const names = ["People", "You", "Sessions", "Audit"] as const;

/** Who may do what with the account, and what they did. */
export default function Account() {
  const [params, change] = useParams();
  const tab = names.find((name) => name === params.tab) ?? (mayManagePeople.value ? "People" : "You");
  return (
    <Screen
      title={account.value?.name ?? "Account"}
      actions={<span class="badge">{account.value?.plan}</span>}
    >
      <Tabs label="About the account" names={names} value={tab} choose={(name) => change({ tab: name })} />
      {tab === "People" &&
        (mayManagePeople.value ? (
          <People accountId={account.value?.id ?? ""} />
        ) : (
          <Lock text="Owners of the account manage its people." />
        ))}
      {tab === "You" && <Profile />}
      {tab === "Sessions" && <Sessions />}
      {tab === "Audit" &&
        (mayManagePeople.value ? (
          <Audit
            path={
              isOperator.value && params.all !== undefined ? "/audit" : `/accounts/${account.value?.id}/audit`
            }
          />
        ) : (
          <Lock text="Owners of the account read its audit." />
        ))}
    </Screen>
  );
}

function Sessions() {
  const list = useLoad("sessions", () => appCall<{ data: ListedSession[] }>("GET", "/sessions"));
  const doing = useDoing();
  const end = (id: string) =>
    doing.run(async () => {
      await appCall("DELETE", `/sessions/${id}`);
      tell("Session ended");
      list.again();
    });
  return (
    <Panel title="Where you are signed in">
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <Loading of={list} lines={3} height={32}>
        {({ data }) => (
          <Table head={["Browser", "Network", "Since", "Last used", { unseen: "Actions" }]}>
            {data.map((one) => (
              <tr key={one.id}>
                <td>
                  <bdi>{one.user_agent === "" ? "Unknown" : one.user_agent.slice(0, 80)}</bdi>
                  {one.current && <span class="badge live">this one</span>}
                </td>
                <td class="mono">{one.network}</td>
                <td>
                  <Time at={one.created_at} />
                </td>
                <td>
                  <Time at={one.seen_at} />
                </td>
                <td>
                  {!one.current && (
                    <button type="button" class="button plain danger" onClick={() => void end(one.id)}>
                      End
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Loading>
      {session.value !== null && (
        <p class="quiet small">
          This session ends at the latest <Time at={session.value.expires_at} />.
        </p>
      )}
    </Panel>
  );
}
