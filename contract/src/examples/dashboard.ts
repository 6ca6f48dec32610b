import { account, apiKey } from "./key.ts";
import type { ExamplesOf } from "./types.ts";
import { exampleFilters, exampleIds, exampleTimes } from "./values.ts";

const link = "uX0m5b1d3Qf0bq3Gg0m9C9m7T2q1s4n8w6r5v0z2y1k";
const nextWeek = "2026-03-09T14:30:00.000Z";
const inAnHour = "2026-03-02T15:30:00.000Z";
export const person = {
  id: exampleIds.person,
  email: "ada@example.com",
  name: "Ada Lindqvist",
  role: "member",
  has_password: true,
} as const;
const times = {
  created_at: exampleTimes.published,
  seen_at: exampleTimes.seen,
  expires_at: "2026-05-31T14:30:00.000Z",
};
const session = {
  id: exampleIds.session,
  kind: "person" as const,
  name: person.email,
  ...times,
  person,
  operator: false,
  accounts: [{ id: account.id, name: account.name, plan: account.plan, right: "owner" as const }],
};
const member = {
  ...person,
  account_role: "owner",
  joined_at: exampleTimes.published,
  last_seen_at: exampleTimes.seen,
} as const;
const invite = {
  id: exampleIds.session,
  email: "grace@example.com",
  role: "viewer",
  created_at: exampleTimes.published,
  created_by: person.name,
  expires_at: nextWeek,
} as const;
const url = `https://tapewire.example.com/app/#/invite/${link}`;
const newKey = { ...apiKey, last_used_at: null, created_by: person.name };
const secret = `tw_live_${"0".repeat(38)}`;
const view = {
  id: exampleIds.view,
  name: "Earnings of Orbitex",
  filters: exampleFilters,
  columns: [],
  alert: { notify: true, sound: false },
  shared: false,
  created_at: exampleTimes.published,
  updated_at: exampleTimes.published,
};
const audit = {
  data: [
    {
      id: 4711,
      at: exampleTimes.seen,
      actor: person.name,
      action: "key.created",
      subject: apiKey.name,
      account_id: account.id,
      network: "203.0.113.7",
      detail: { key_id: exampleIds.key },
    },
  ],
  next_cursor: null,
};
const ended = (id: string) => ({ response: { id, ended: true } }) as const;

export const dashboardExamples: ExamplesOf<"dashboard"> = {
  readSignInOptions: { response: { password: true, oidc: false } },
  lookAtLink: {
    request: { link },
    response: {
      purpose: "invite",
      email: invite.email,
      account_name: account.name,
      needs_password: true,
      expires_at: nextWeek,
    },
  },
  beginSession: {
    request: { email: person.email, password: "correct horse battery staple" },
    response: session,
  },
  readSession: { response: session },
  endSession: ended(session.id),
  listSessions: {
    response: {
      data: [
        {
          id: session.id,
          kind: "person",
          ...times,
          user_agent: "Firefox",
          network: "203.0.113.7",
          current: true,
        },
      ],
    },
  },
  endOtherSession: ended(session.id),
  updateProfile: { request: { name: person.name }, response: person },
  createTabKey: {
    request: { account_id: account.id },
    response: {
      key: `tw_tab_${"0".repeat(38)}`,
      expires_at: "2026-03-02T14:45:00.000Z",
      right: "owner",
      realtime_feeds_per_day: null,
      base_url: "https://tapewire.example.com",
      ws_url: "wss://tapewire.example.com/v1/stream",
    },
  },
  renewTabKey: {
    request: { key: `tw_tab_${"0".repeat(38)}` },
    response: { expires_at: "2026-03-02T14:59:00.000Z" },
  },
  listAccountKeys: { response: { data: [apiKey] } },
  createAccountKey: { request: { name: apiKey.name }, response: { key: secret, ...newKey } },
  updateAccountKey: { request: { name: "trading desk" }, response: { ...apiKey, name: "trading desk" } },
  rotateAccountKey: {
    request: { grace_s: 3_600 },
    response: { key: secret, ...newKey, id: exampleIds.view, replaces: apiKey.id },
  },
  revokeAccountKey: { response: { ...apiKey, revoked_at: exampleTimes.seen } },
  listMembers: { response: { data: [member] } },
  updateMember: { request: { role: "viewer" }, response: { ...member, account_role: "viewer" } },
  removeMember: ended(person.id),
  createReset: {
    response: { url: `https://tapewire.example.com/app/#/reset/${link}`, expires_at: inAnHour },
  },
  listInvites: { response: { data: [invite] } },
  createInvite: {
    request: { email: invite.email, role: invite.role },
    response: { ...invite, url },
  },
  withdrawInvite: ended(invite.id),
  readAccountAudit: { response: audit },
  readAudit: { response: audit },
  listViews: { response: { data: [view] } },
  createView: { request: { name: view.name, filters: view.filters }, response: view },
  updateView: { request: { shared: true }, response: { ...view, shared: true } },
  deleteView: ended(view.id),
};
