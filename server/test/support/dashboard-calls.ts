import { madeInvite, session } from "@tapewire/contract/dashboard/people.ts";
import { z } from "zod";
import { Browser, tokenOf } from "./browser.ts";
import type { Call } from "./calls.ts";
import type { Service } from "./service.ts";

const withId = z.looseObject({ id: z.uuid() });
const unknownId = "00000000-0000-4000-8000-000000000000";

/** One call or more of every route of the dashboard, by the operator and by a person. */
export async function* dashboardCalls(service: Service): AsyncGenerator<Call> {
  const operator = new Browser(service.url);
  const call = async (
    route: string,
    method: string,
    path: string,
    body?: unknown,
    by = operator,
  ): Promise<Call> => ({
    route,
    answer: await by.send(method, `/app/v1${path}`, body),
  });
  yield call("readSignInOptions", "GET", "/sign-in-options");
  yield call("beginSession", "POST", "/session", { secret: "wrong" });
  yield call("beginSession", "POST", "/session", {});
  const begun = await call("beginSession", "POST", "/session", { secret: service.adminToken });
  const account = session.parse(await begun.answer.clone().json()).accounts[0]?.id ?? "";
  yield begun;
  yield call("readSession", "GET", "/session");
  yield call("readSession", "GET", "/session", undefined, new Browser(service.url));
  yield* peopleCalls(service, call, account);
  const tab = await call("createTabKey", "POST", "/token", { account_id: account });
  const { key } = z.looseObject({ key: z.string() }).parse(await tab.answer.clone().json());
  yield tab;
  yield call("createTabKey", "POST", "/token", { account_id: unknownId });
  yield call("renewTabKey", "POST", "/token/renew", { key });
  yield call("renewTabKey", "POST", "/token/renew", { key: "x" });
  yield* keyCalls(call, account);
  yield* viewCalls(call, account);
  yield call("readAccountAudit", "GET", `/accounts/${account}/audit?limit=2`);
  yield call("readAudit", "GET", "/audit");
  yield call("readAudit", "GET", "/audit?cursor=x");
  yield call("endOtherSession", "DELETE", `/sessions/${unknownId}`);
  yield call("updateProfile", "PATCH", "/profile", {});
  yield call("endSession", "DELETE", "/session");
}

type Caller = (route: string, method: string, path: string, body?: unknown, by?: Browser) => Promise<Call>;

async function* peopleCalls(service: Service, call: Caller, account: string): AsyncGenerator<Call> {
  const path = `/accounts/${account}`;
  const invited = await call("createInvite", "POST", `${path}/invites`, {
    email: "ada@example.com",
    role: "member",
  });
  const { url } = madeInvite.parse(await invited.answer.clone().json());
  yield invited;
  yield call("createInvite", "POST", `${path}/invites`, { email: "nobody", role: "member" });
  yield call("listInvites", "GET", `${path}/invites`);
  const link = tokenOf(url);
  yield call("lookAtLink", "POST", "/links/look", { link });
  yield call("lookAtLink", "POST", "/links/look", { link: "A".repeat(43) });
  const person = new Browser(service.url);
  const joined = await call(
    "beginSession",
    "POST",
    "/session",
    { link, password: "a long enough password" },
    person,
  );
  const { person: ada, id } = session.parse(await joined.answer.clone().json());
  yield joined;
  yield call("listMembers", "GET", `${path}/people`);
  yield call("listMembers", "GET", `${path}/people`, undefined, person);
  yield call("updateMember", "PATCH", `${path}/people/${ada?.id}`, { role: "viewer" });
  yield call("createReset", "POST", `${path}/people/${ada?.id}/reset`);
  yield call("updateProfile", "PATCH", "/profile", { name: "Ada" }, person);
  yield call("listSessions", "GET", "/sessions", undefined, person);
  yield call("endOtherSession", "DELETE", `/sessions/${id}`, undefined, person);
  yield call("removeMember", "DELETE", `${path}/people/${ada?.id}`);
  yield call("removeMember", "DELETE", `${path}/people/${ada?.id}`);
  const other = await call("createInvite", "POST", `${path}/invites`, {
    email: "grace@example.com",
    role: "owner",
  });
  const invite = withId.parse(await other.answer.clone().json());
  yield other;
  yield call("withdrawInvite", "DELETE", `/invites/${invite.id}`);
}

async function* keyCalls(call: Caller, account: string): AsyncGenerator<Call> {
  const made = await call("createAccountKey", "POST", `/accounts/${account}/keys`, { name: "desk" });
  const { id } = withId.parse(await made.answer.clone().json());
  yield made;
  yield call("createAccountKey", "POST", `/accounts/${account}/keys`, {});
  yield call("listAccountKeys", "GET", `/accounts/${account}/keys`);
  yield call("updateAccountKey", "PATCH", `/keys/${id}`, { name: "tape" });
  yield call("rotateAccountKey", "POST", `/keys/${id}/rotate`, { grace_s: 60 });
  yield call("rotateAccountKey", "POST", `/keys/${id}/rotate`, { grace_s: 60 });
  yield call("revokeAccountKey", "DELETE", `/keys/${id}`);
  yield call("updateAccountKey", "PATCH", `/keys/${id}`, { name: "tape" });
}

async function* viewCalls(call: Caller, account: string): AsyncGenerator<Call> {
  const body = { name: "Earnings", filters: { tags: { corp_activity: ["earnings"] } } };
  const made = await call("createView", "POST", `/accounts/${account}/views`, body);
  const { id } = withId.parse(await made.answer.clone().json());
  yield made;
  yield call("createView", "POST", `/accounts/${account}/views`, { name: "x", filters: { colour: [] } });
  yield call("listViews", "GET", `/accounts/${account}/views`);
  yield call("updateView", "PATCH", `/views/${id}`, { name: "Results" });
  yield call("deleteView", "DELETE", `/views/${id}`);
  yield call("deleteView", "DELETE", `/views/${id}`);
}
