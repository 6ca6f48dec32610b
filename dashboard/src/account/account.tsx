import { useParams } from "../core/address.ts";
import { useGet } from "../core/load.ts";
import { account, isOperator, mayManagePeople, session } from "../core/session.ts";
import { Button } from "../forms/button.tsx";
import { useChanges } from "../forms/changes.ts";
import { Panel, Screen, Tabs } from "../parts/screen.tsx";
import { Loading, Lock, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
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
      actions={
        <>
          <span class="badge">{account.value?.plan}</span>
          <span class="soft">
            Signed in as <bdi>{session.value?.name}</bdi>
          </span>
        </>
      }
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
              isOperator.value && params.all !== undefined
                ? "/app/v1/audit"
                : `/app/v1/accounts/${account.value?.id}/audit`
            }
          />
        ) : (
          <Lock text="Owners of the account read its audit." />
        ))}
    </Screen>
  );
}

const browsers = ["Edg", "Firefox", "Chrome", "Safari"];
const systems = ["Android", "iPhone", "Windows", "Mac OS", "Linux"];

/** `Firefox on Linux`. The names of others stand in what a browser sends, so the order counts. */
function browserOf(agent: string): string {
  const [browser, system] = [browsers, systems].map((names) => names.find((name) => agent.includes(name)));
  if (browser && system) return `${browser.replace("Edg", "Edge")} on ${system}`;
  return agent || "Unknown";
}

function Sessions() {
  const list = useGet<{ data: ListedSession[] }>("/app/v1/sessions");
  const changes = useChanges(list.again);
  return (
    <Panel title="Where you are signed in">
      <Problem failure={changes.failure} />
      <Loading of={list} lines={3} height={32}>
        {({ data }) => (
          <Table
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              [
                "Browser",
                ({ user_agent, current }) => (
                  <>
                    <bdi title={user_agent}>{browserOf(user_agent)}</bdi>
                    {current && <span class="badge live">this one</span>}
                  </>
                ),
              ],
              ["Network", ({ network }) => network, "mono"],
              ["Since", ({ created_at }) => <Time at={created_at} />],
              ["Last used", ({ seen_at }) => <Time at={seen_at} />],
              [
                "Actions",
                ({ current, id }) =>
                  !current && (
                    <Button
                      look="plain danger"
                      run={() => changes.change("Session ended", "DELETE", `/app/v1/sessions/${id}`)}
                    >
                      End
                    </Button>
                  ),
                "unseen",
              ],
            ]}
          />
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
