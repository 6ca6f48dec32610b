import { signInTimes } from "@tapewire/contract/dashboard/people.ts";
import { demandOperator, type People } from "../../account/people/people.ts";
import type { Client } from "../../account/people/types.ts";
import type { HandlersOf } from "../contract-routes.ts";
import { sessionCookie } from "../sessions/client.ts";

export interface DashboardDeps {
  readonly people: People;
  readonly signInOptions: () => Promise<{ password: boolean; oidc: boolean }>;
}

type Dashboard = HandlersOf<"dashboard">;

/** /app/v1: what the pages of the dashboard may do with the cookie of a session. */
export function dashboardHandlers(deps: DashboardDeps): Dashboard {
  return { ...sessionHandlers(deps), ...keyHandlers(deps), ...peopleHandlers(deps), ...viewHandlers(deps) };
}

type SessionCall =
  | "readSignInOptions"
  | "lookAtLink"
  | "beginSession"
  | "readSession"
  | "endSession"
  | "listSessions"
  | "endOtherSession"
  | "updateProfile"
  | "createTabKey"
  | "renewTabKey";

function sessionHandlers({ people, signInOptions }: DashboardDeps): Pick<Dashboard, SessionCall> {
  const { sessions, signIns, profiles, tabKeys } = people;
  return {
    readSignInOptions: async () => ({ body: await signInOptions() }),
    lookAtLink: async ({ body, client }) => ({ body: await signIns.look(body.link, client) }),
    beginSession: async ({ body, client }) => {
      const { secret, session } = await signIns.begin(body, client);
      return { body: session, headers: cookie(client, secret) };
    },
    readSession: async ({ visitor }) => ({ body: await sessions.describe(visitor) }),
    endSession: async ({ visitor, client }) => {
      await sessions.endOwn(visitor);
      return { body: gone(visitor.sessionId), headers: cookie(client, null) };
    },
    listSessions: async ({ visitor }) => ({ body: { data: await sessions.list(visitor) } }),
    endOtherSession: async ({ visitor, params: { id } }) => {
      await sessions.end(visitor, id);
      return { body: gone(id) };
    },
    updateProfile: async ({ visitor, body }) => ({ body: await profiles.update(visitor, body) }),
    createTabKey: async ({ visitor, body, client }) => ({
      body: await tabKeys.create(visitor, body, client),
    }),
    renewTabKey: async ({ visitor, body }) => ({ body: await tabKeys.renew(visitor, body.key) }),
  };
}

type KeyCall =
  | "listAccountKeys"
  | "createAccountKey"
  | "updateAccountKey"
  | "rotateAccountKey"
  | "revokeAccountKey";

function keyHandlers({ people: { keys } }: DashboardDeps): Pick<Dashboard, KeyCall> {
  return {
    listAccountKeys: async ({ visitor, params }) => ({ body: { data: await keys.list(visitor, params.id) } }),
    createAccountKey: async ({ visitor, params, body }) => ({
      body: await keys.create(visitor, params.id, body),
    }),
    updateAccountKey: async ({ visitor, params, body }) => ({
      body: await keys.update(visitor, params.id, body),
    }),
    rotateAccountKey: async ({ visitor, params, body }) => ({
      body: await keys.rotate(visitor, params.id, body.grace_s * 1_000),
    }),
    revokeAccountKey: async ({ visitor, params }) => ({ body: await keys.revoke(visitor, params.id) }),
  };
}

type PeopleCall =
  | "listMembers"
  | "updateMember"
  | "removeMember"
  | "createReset"
  | "listInvites"
  | "createInvite"
  | "withdrawInvite"
  | "readAccountAudit"
  | "readAudit";

function peopleHandlers({ people: { members, audit } }: DashboardDeps): Pick<Dashboard, PeopleCall> {
  return {
    listMembers: async ({ visitor, params }) => ({ body: { data: await members.list(visitor, params.id) } }),
    updateMember: async ({ visitor, params, body }) => ({
      body: await members.setRole(visitor, params.id, params.person_id, body.role),
    }),
    removeMember: async ({ visitor, params }) => {
      await members.remove(visitor, params.id, params.person_id);
      return { body: gone(params.person_id) };
    },
    createReset: async ({ visitor, params }) => ({
      body: await members.reset(visitor, params.id, params.person_id),
    }),
    listInvites: async ({ visitor, params }) => ({
      body: { data: await members.invites(visitor, params.id) },
    }),
    createInvite: async ({ visitor, params, body }) => ({
      body: await members.invite(visitor, params.id, body),
    }),
    withdrawInvite: async ({ visitor, params }) => {
      await members.withdraw(visitor, params.id);
      return { body: gone(params.id) };
    },
    readAccountAudit: async ({ visitor, params, query }) => ({
      body: await audit.pageOf(visitor, params.id, query),
    }),
    readAudit: async ({ visitor, query }) => {
      demandOperator(visitor);
      return { body: await audit.page(null, query) };
    },
  };
}

type ViewCall = "listViews" | "createView" | "updateView" | "deleteView";

function viewHandlers({ people: { views } }: DashboardDeps): Pick<Dashboard, ViewCall> {
  return {
    listViews: async ({ visitor, params }) => ({ body: { data: await views.list(visitor, params.id) } }),
    createView: async ({ visitor, params, body }) => ({ body: await views.create(visitor, params.id, body) }),
    updateView: async ({ visitor, params, body }) => ({ body: await views.update(visitor, params.id, body) }),
    deleteView: async ({ visitor, params: { id } }) => {
      await views.delete(visitor, id);
      return { body: gone(id) };
    },
  };
}

const gone = (id: string) => ({ id, ended: true });

const cookie = ({ isSecure }: Client, secret: string | null) => ({
  "Set-Cookie": sessionCookie(secret, isSecure, signInTimes.sessionMs),
});
