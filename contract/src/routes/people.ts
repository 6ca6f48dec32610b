import { z } from "zod";
import {
  auditList,
  ended,
  invite,
  inviteCreate,
  madeInvite,
  madeLink,
  memberRecord,
  memberUpdate,
} from "../dashboard/people.ts";
import { exampleIds } from "../examples/values.ts";
import { bounded, byUuid } from "./parameters.ts";
import type { Route } from "./types.ts";

const common = { auth: "session", section: "dashboard" } as const;
const account = byUuid("Id of the account.", exampleIds.account);
const ofAccount = { ...common, params: account } as const;
const ofMember = {
  ...common,
  params: account.extend({
    person_id: z
      .guid()
      .toLowerCase()
      .meta({ description: "Id of the person.", examples: [exampleIds.person] }),
  }),
} as const;
const auditQuery = z.object({
  limit: bounded({ min: 1, max: 200 })
    .optional()
    .meta({ description: "Entries of a page. Absent: 50.", examples: [50] }),
  cursor: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "`next_cursor` of the page before.", examples: ["4711"] }),
});

export const peopleRoutes = {
  listMembers: {
    ...ofAccount,
    method: "GET",
    path: "/app/v1/accounts/{id}/people",
    summary: "List the people of an account",
    description: "By name.",
    status: 200,
    response: z.object({ data: z.array(memberRecord) }),
    errors: ["forbidden", "not_found"],
  },
  updateMember: {
    ...ofMember,
    method: "PATCH",
    path: "/app/v1/accounts/{id}/people/{person_id}",
    summary: "Change what a person may do with an account",
    description:
      "Takes effect within 5 seconds. An account that has an owner keeps one. For a viewer, API keys that the person created for the account are revoked.",
    body: memberUpdate,
    status: 200,
    response: memberRecord,
    errors: ["forbidden", "not_found", "conflict"],
  },
  removeMember: {
    ...ofMember,
    method: "DELETE",
    path: "/app/v1/accounts/{id}/people/{person_id}",
    summary: "Remove a person from an account",
    description:
      "Takes effect within 5 seconds. API keys that the person created for the account are revoked.",
    status: 200,
    response: ended,
    errors: ["forbidden", "not_found", "conflict"],
  },
  createReset: {
    ...ofMember,
    method: "POST",
    path: "/app/v1/accounts/{id}/people/{person_id}/reset",
    summary: "Make a link with which a person sets a new password",
    description: "Valid for an hour and once. Copy it to the person: Tapewire sends no e-mail.",
    status: 201,
    response: madeLink,
    errors: ["forbidden", "not_found"],
  },
  listInvites: {
    ...ofAccount,
    method: "GET",
    path: "/app/v1/accounts/{id}/invites",
    summary: "List open invitations",
    description: "Newest first.",
    status: 200,
    response: z.object({ data: z.array(invite) }),
    errors: ["forbidden", "not_found"],
  },
  createInvite: {
    ...ofAccount,
    method: "POST",
    path: "/app/v1/accounts/{id}/invites",
    summary: "Invite a person",
    description:
      "Makes a link, valid for seven days and once. Copy it to the person: Tapewire sends no e-mail. A new invitation of the same address replaces the one before.",
    body: inviteCreate,
    status: 201,
    response: madeInvite,
    errors: ["forbidden", "not_found", "conflict"],
  },
  withdrawInvite: {
    ...common,
    method: "DELETE",
    path: "/app/v1/invites/{id}",
    summary: "Withdraw an invitation",
    description: "Its link stops working.",
    params: byUuid("Id of the invitation.", exampleIds.session),
    status: 200,
    response: ended,
    errors: ["forbidden", "not_found"],
  },
  readAccountAudit: {
    ...ofAccount,
    method: "GET",
    path: "/app/v1/accounts/{id}/audit",
    summary: "Read what was done in an account",
    description: "Newest first. For owners and the operator.",
    query: auditQuery,
    status: 200,
    response: auditList,
    errors: ["forbidden", "not_found", "invalid_cursor"],
  },
  readAudit: {
    ...common,
    method: "GET",
    path: "/app/v1/audit",
    summary: "Read what was done in all accounts",
    description: "Newest first. For the operator.",
    query: auditQuery,
    status: 200,
    response: auditList,
    errors: ["forbidden", "invalid_cursor"],
  },
} as const satisfies Record<string, Route>;
