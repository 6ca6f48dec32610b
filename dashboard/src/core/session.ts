import { get, send, useKeyOf } from "../api.ts";
import { computed, signal } from "../draw/signal.ts";
import { Failure, failureOf, mayPass } from "./failure.ts";
import { forgetAll } from "./load.ts";
import { lastAccount } from "./settings.ts";

export type Right = "operator" | "owner" | "member" | "viewer" | "key";
export interface AccountSeen {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly right: Right;
}
export interface Session {
  readonly id: string;
  readonly kind: "person" | "key" | "admin";
  /** Of a session without a person: `key NAME`, or `operator`. */
  readonly name: string;
  readonly expires_at: string;
  readonly person: {
    readonly id: string;
    readonly email: string | null;
    readonly name: string;
    readonly has_password: boolean;
  } | null;
  readonly operator: boolean;
  readonly accounts: readonly AccountSeen[];
}
interface TabKey {
  readonly key: string;
  readonly expires_at: string;
  readonly right: Right;
  readonly realtime_feeds_per_day: number | null;
  readonly ws_url: string;
  readonly base_url: string;
}

/** unknown: not asked yet. */
export type Standing = "unknown" | "out" | "in";
export const standing = signal<Standing>("unknown");
export const session = signal<Session | null>(null);
export const tab = signal<TabKey | null>(null);
/** Another number for another account or person: nothing that was read for the one before is shown then. */
export const context = signal(0);
export const providerFailed =
  "The sign-in by your identity provider failed. Try again, or ask the operator to allow your address.";
/** Why the session ended; shown over the page, which keeps what was being written. */
export const signedOutWhy = signal<string | null>(null);

export const account = computed<AccountSeen | null>(() => {
  const all = session.value?.accounts ?? [];
  return all.find(({ id }) => id === lastAccount.value) ?? all[0] ?? null;
});
export const right = computed<Right>(() => account.value?.right ?? tab.value?.right ?? "viewer");
/** Whoever signs in by a key or as the operator has nothing that is theirs alone: views belong to the account. */
export const isPerson = computed(() => session.value !== null && session.value.person !== null);
export const isOperator = computed(() => session.value?.operator === true);
/** A viewer looks; everybody else may also change webhooks and score. */
export const mayWrite = computed(() => right.value !== "viewer");
export const mayMakeKeys = computed(() => ["operator", "owner", "member"].includes(right.value));
export const mayManagePeople = computed(() => ["operator", "owner"].includes(right.value));

const renewBeforeMs = 3 * 60_000;
/** The key that is asked for, by its context. */
const asking = new Map<number, Promise<TabKey>>();
let renewal: ReturnType<typeof setTimeout> | null = null;

async function askTabKey(asked: number): Promise<TabKey> {
  const accountId = account.value?.id ?? lastAccount.value;
  const isFull = session.value?.operator === true || (session.value === null && rememberedOperator());
  const body = { account_id: accountId, ...(isFull ? { as: "operator" } : {}) };
  const key = await send<TabKey>("POST", "/app/v1/token", body);
  if (context.peek() === asked) {
    tab.value = key;
    plan(key);
  }
  return key;
}

/** The tab's key lives in memory only. It is renewed in time, so that an open stream goes on. */
function plan(key: TabKey): void {
  if (renewal !== null) clearTimeout(renewal);
  const inMs = Date.parse(key.expires_at) - Date.now() - renewBeforeMs;
  renewal = setTimeout(() => void renew(key), Math.max(5_000, inMs));
}

async function renew(key: TabKey): Promise<void> {
  try {
    const { expires_at } = await send<{ expires_at: string }>("POST", "/app/v1/token/renew", {
      key: key.key,
    });
    if (tab.value?.key !== key.key) return;
    const longer = { ...key, expires_at };
    tab.value = longer;
    plan(longer);
  } catch (error) {
    if (tab.value?.key !== key.key) return;
    // A key that is still valid is renewed when the service answers again; else the next call asks for another one.
    if (mayPass(error) && Date.parse(key.expires_at) > Date.now()) plan(key);
    else tab.value = null;
  }
}

export async function tabKey(isFresh = false): Promise<TabKey> {
  const known = tab.value;
  if (!isFresh && known !== null && Date.parse(known.expires_at) > Date.now()) return known;
  const of = context.peek();
  const asked = asking.get(of) ?? askTabKey(of).finally(() => asking.delete(of));
  asking.set(of, asked);
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Failure && error.status === 401) leave("Your session has ended. Sign in to go on.");
    throw error;
  }
}
useKeyOf(async (isFresh) => (await tabKey(isFresh)).key);

/** `yes`, `no`, or nothing: nobody is signed in, as far as this page knows. */
const operatorMark = "tapewire.operator";
const rememberedOperator = () => localStorage.getItem(operatorMark) === "yes";
/** Whether somebody was signed in when the page was last open. Then it is drawn before the service has said so. */
export const wasIn = lastAccount.value !== "" && localStorage.getItem(operatorMark) !== null;

/**
 * Begins the page. When a session is remembered, the key of the tab is asked for at once: the session's facts are not
 * needed for the first row.
 */
export async function begin(): Promise<void> {
  const early = wasIn ? tabKey().catch(() => null) : null;
  try {
    enter(await get<Session>("/app/v1/session"));
    await early;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.status !== 401 && failure.status !== 404) throw error;
    localStorage.removeItem(operatorMark);
    standing.value = "out";
    signedOutWhy.value = null;
  }
}

const whoIs = ({ person, name }: Session) => person?.id ?? name;

export function enter(given: Session): void {
  const { value: before } = session;
  const { value: open } = lastAccount;
  session.value = given;
  if (account.value !== null) lastAccount.value = account.value.id;
  localStorage.setItem(operatorMark, given.operator ? "yes" : "no");
  if (open !== lastAccount.value || (before !== null && whoIs(before) !== whoIs(given))) changeContext();
  signedOutWhy.value = null;
  standing.value = "in";
}

function changeContext(): void {
  dropTabKey();
  forgetAll();
  context.value++;
}

function dropTabKey(): void {
  if (renewal !== null) clearTimeout(renewal);
  tab.value = null;
}

export function leave(why: string | null): void {
  dropTabKey();
  signedOutWhy.value = why;
  if (why === null) {
    localStorage.removeItem(operatorMark);
    session.value = null;
    standing.value = "out";
    changeContext();
  }
}

export async function signOut(): Promise<void> {
  await send("DELETE", "/app/v1/session").catch((error) => {
    // It has ended already.
    if (failureOf(error).status !== 401) throw error;
  });
  leave(null);
}

/** Shows another account of the session. */
export function openAccount(id: string): void {
  lastAccount.value = id;
  changeContext();
}
