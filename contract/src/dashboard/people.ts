import { z } from "zod";
import { timestamp } from "../feeds.ts";
import { absentIfNull, instantText, isStorable, storableRule } from "../input.ts";
import { planName } from "../plans.ts";

/** Lifetimes of what a sign-in makes. Source: design of sign-in, 2. */
export const signInTimes = {
  /** A session ends when it was not used for this long, and at the latest after `sessionMs`. */
  idleMs: 14 * 86_400_000,
  sessionMs: 90 * 86_400_000,
  tabKeyMs: 15 * 60_000,
  firstLinkMs: 60 * 60_000,
  inviteMs: 7 * 86_400_000,
  resetMs: 60 * 60_000,
  /** Whoever has no password to prove may set one for this long after the sign-in. */
  recentMs: 15 * 60_000,
} as const;

/** Most bytes of the body of a request that needs no session. */
export const strangerBodyBytes = 16 * 1024;

const shortText = (max: number) => z.string().trim().min(1).max(max).refine(isStorable, storableRule);

const name = shortText(200).describe("Name to show.");
const email = z.string().trim().toLowerCase().max(254).pipe(z.email()).describe("E-mail address.");
export const newPassword = z
  .string()
  .min(12, "must have at least 12 characters")
  .max(1_024, "must have at most 1024 characters")
  .describe("Password, at least 12 characters. There is no other rule.");
const linkToken = z
  .string()
  .regex(/^[\w-]{43}$/, "is not the token of a sign-in link")
  .describe("Token of a one-use link: the last part of its address.");

/** What a person may do with an account. */
export const accountRole = z
  .enum(["owner", "member", "viewer"])
  .meta({ id: "AccountRole", description: "What a person may do with an account." });
export type AccountRole = z.infer<typeof accountRole>;

/** How a session was begun: by a person, by an API key, or by the admin token or a link of the operator's. */
export const sessionKind = z.enum(["person", "key", "admin"]);
export type SessionKind = z.infer<typeof sessionKind>;

/** The right of a session to an account. */
export const sessionRight = z.enum(["operator", "owner", "member", "viewer", "key"]).meta({
  id: "SessionRight",
  description:
    "Right of the session to an account: operator for all accounts, the person's role, or key when the session was begun with a key of the account.",
});
export type SessionRight = z.infer<typeof sessionRight>;

const ways = ["link", "secret", "email"] as const;

/** One of the ways to sign in. */
export const signIn = z
  .strictObject({
    link: absentIfNull(linkToken).describe("Token of a one-use link: the last part of its address."),
    secret: absentIfNull(z.string().min(1).max(500)).describe("An API key, or the operator's admin token."),
    email: absentIfNull(email).describe("E-mail address of the person."),
    password: absentIfNull(z.string().min(1).max(1_024)).describe(
      "Password of the person, with `email`. With the link of an invitation or a reset: the new password, at least 12 characters; a person who has a password already accepts an invitation with it.",
    ),
    name: absentIfNull(name).describe("Name of a person who accepts an invitation."),
  })
  .superRefine((body, context) => {
    const given = ways.filter((way) => body[way] !== undefined);
    if (given.length !== 1)
      context.addIssue({
        code: "custom",
        path: [given[1] ?? "secret"],
        message: "exactly one of link, secret and email is required",
      });
    if (body.email !== undefined && body.password === undefined)
      context.addIssue({ code: "custom", path: ["password"], message: "is required with email" });
  })
  .meta({ id: "SignIn" });
export type SignIn = z.infer<typeof signIn>;

export const signInOptions = z
  .object({
    password: z.boolean().describe("Whether a person has a password to sign in with."),
    oidc: z.boolean().describe("Whether `GET /app/v1/oidc/start` leads to an identity provider."),
  })
  .meta({ id: "SignInOptions" });

export const linkQuestion = z.strictObject({ link: linkToken }).meta({ id: "LinkQuestion" });
export const linkPurpose = z.enum(["first", "open", "invite", "reset"]);
export type LinkPurpose = z.infer<typeof linkPurpose>;
/** What a link would do. Looking does not use it. */
export const linkInfo = z
  .object({
    purpose: linkPurpose.describe("first and open begin a session of the operator's."),
    email: z
      .string()
      .nullable()
      .describe("E-mail address of the person; null: the link is not for a person."),
    account_name: z.string().nullable().describe("Account that an invitation is for."),
    needs_password: z
      .boolean()
      .describe("Whether a password must be sent with the link. A session of the invited person needs none."),
    expires_at: timestamp,
  })
  .meta({ id: "LinkInfo" });
export type LinkInfo = z.infer<typeof linkInfo>;

export const person = z
  .object({
    id: z.uuid().describe("Id of the person."),
    email: z.string().nullable().describe("E-mail address; null: none yet."),
    name: z.string().describe("Name to show."),
    role: z.enum(["operator", "member"]).describe("operator: may do everything in every account."),
    has_password: z.boolean().describe("Whether the person can sign in with a password."),
  })
  .meta({ id: "Person" });
export type Person = z.infer<typeof person>;

const sessionFacts = {
  id: z.uuid().describe("Id of the session."),
  kind: sessionKind.describe("What began the session."),
  created_at: timestamp,
  seen_at: timestamp.describe("When it was last used, to the minute."),
  expires_at: timestamp.describe(
    "When it ends if it is used until then. Unused for 14 days it ends earlier.",
  ),
};

export const session = z
  .object({
    ...sessionFacts,
    name: z
      .string()
      .describe(
        "Who the audit says does what the session does: a person's address, `key NAME` or `operator`.",
      ),
    person: person.nullable().describe("null: the session belongs to no person."),
    operator: z.boolean().describe("Whether the session may do everything in every account."),
    accounts: z
      .array(
        z.object({
          id: z.uuid().describe("Id of the account."),
          name: z.string().describe("Name to show."),
          plan: planName,
          right: sessionRight,
        }),
      )
      .describe("Accounts that the session may see, by name."),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof session>;

export const listedSession = z
  .object({
    ...sessionFacts,
    user_agent: z.string().describe("What the client called itself."),
    network: z.string().describe("Network that began the session."),
    current: z.boolean().describe("Whether this is the session of the request."),
  })
  .meta({ id: "ListedSession" });
export type ListedSession = z.infer<typeof listedSession>;

export const ended = z
  .object({
    id: z.uuid().describe("Id of what has ended or was removed."),
    ended: z.literal(true).describe("Always true."),
  })
  .meta({ id: "Ended" });

export const profileUpdate = z
  .strictObject({
    name: absentIfNull(name).describe("New name to show."),
    email: absentIfNull(email).describe("New e-mail address."),
    password: absentIfNull(newPassword).describe("New password, at least 12 characters."),
    current_password: absentIfNull(z.string().min(1).max(1_024)).describe(
      "Required to change a password that is set.",
    ),
  })
  .refine(
    (body) => body.name !== undefined || body.email !== undefined || body.password !== undefined,
    "name, email or password is required",
  )
  .meta({ id: "ProfileUpdate" });
export type ProfileUpdate = z.infer<typeof profileUpdate>;

export const tabKeyRequest = z
  .strictObject({
    account_id: z.uuid().describe("Account that the key reads as."),
    as: absentIfNull(z.enum(["member", "operator"]))
      .transform((given) => given ?? "member")
      .describe("operator: the key also opens `/admin/v1`. Only in a session of the operator's."),
  })
  .meta({ id: "TabKeyRequest" });
export const tabKey = z
  .object({
    key: z.string().describe("A key for `/v1`, and for `/admin/v1` when it was asked for as operator."),
    expires_at: timestamp.describe("Fifteen minutes from now. Renew it before."),
    right: sessionRight,
    realtime_feeds_per_day: z
      .int()
      .nullable()
      .describe(
        "Live items a day on the account's plan. null: no limit. Where there is one, a page asks before it watches.",
      ),
    base_url: z.string().describe("Address of the service as the browser reaches it."),
    ws_url: z.string().describe("Address of the stream."),
  })
  .meta({ id: "TabKey" });
export type TabKey = z.infer<typeof tabKey>;
export const tabKeyRenewal = z
  .strictObject({
    key: z.string().min(1).max(100).describe("The key to renew. It must be one of this session."),
  })
  .meta({ id: "TabKeyRenewal" });
export const renewedTabKey = z.object({ expires_at: timestamp }).meta({ id: "RenewedTabKey" });

export const memberRecord = z
  .object({
    ...person.shape,
    account_role: accountRole,
    joined_at: timestamp,
    last_seen_at: timestamp.nullable().describe("Last use of a session; null: never signed in."),
  })
  .meta({ id: "Member" });
export type MemberRecord = z.infer<typeof memberRecord>;
export const memberUpdate = z.strictObject({ role: accountRole }).meta({ id: "MemberUpdate" });

export const inviteCreate = z.strictObject({ email, role: accountRole }).meta({ id: "InviteCreate" });
export const madeLink = z
  .object({
    url: z
      .string()
      .describe("Address to open once. It is shown only in this response: copy it to the person."),
    expires_at: timestamp,
  })
  .meta({ id: "SignInLink" });
export type MadeLink = z.infer<typeof madeLink>;
export const invite = z
  .object({
    id: z.uuid().describe("Id of the invitation."),
    email: z.string().describe("E-mail address of the person."),
    role: accountRole,
    created_at: timestamp,
    created_by: z.string().describe("Who invited."),
    expires_at: timestamp,
  })
  .meta({ id: "Invite" });
export type Invite = z.infer<typeof invite>;
export const madeInvite = z.object({ ...invite.shape, url: madeLink.shape.url }).meta({ id: "MadeInvite" });
export type MadeInvite = z.infer<typeof madeInvite>;

export const auditEntry = z
  .object({
    id: z.int().describe("Number of the entry; later ones are larger."),
    at: timestamp,
    actor: z.string().describe("Who did it: a person, a key, or the admin token."),
    action: z.string().describe("What was done, such as `key.created`."),
    subject: z.string().describe("What it was done to."),
    account_id: z.uuid().nullable().describe("Account that it concerns; null: none."),
    network: z.string().nullable().describe("Network of the client; null: not from a client."),
    detail: z.record(z.string(), z.unknown()).describe("More about it, by action."),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof auditEntry>;
export const auditList = z
  .object({
    data: z.array(auditEntry).describe("Entries, newest first."),
    next_cursor: z
      .string()
      .nullable()
      .describe("Pass it as `cursor` for older entries; null: there are none."),
  })
  .meta({ id: "AuditList" });

/** A key that a session creates for an account. */
export const accountKeyCreate = z
  .strictObject({
    name,
    expires_at: absentIfNull(instantText).describe("When the key expires. Absent: never."),
  })
  .meta({ id: "AccountKeyCreate" });
export const keyUpdate = z
  .strictObject({
    name: absentIfNull(name).describe("New name to show."),
    expires_at: instantText.nullable().optional().describe("When the key expires; null: never."),
  })
  .refine(
    (body) => body.name !== undefined || body.expires_at !== undefined,
    "name or expires_at is required",
  )
  .meta({ id: "KeyUpdate" });
export type KeyUpdate = z.infer<typeof keyUpdate>;
export const keyRotation = z
  .strictObject({
    grace_s: absentIfNull(z.int().min(0).max(86_400))
      .transform((given) => given ?? 86_400)
      .describe("Seconds that the old key stays valid, never longer than its own expiry. Absent: 86400."),
  })
  .meta({ id: "KeyRotation" });
