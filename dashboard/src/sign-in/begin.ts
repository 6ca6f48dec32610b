import { send } from "../api.ts";
import { go, here } from "../core/address.ts";
import { base } from "../core/base.ts";
import { enter, type Session } from "../core/session.ts";

/** Begins a session, and the page where the address says. */
export async function signIn(body: Readonly<Record<string, string>>): Promise<void> {
  const session = await send<Session>("POST", "/app/v1/session", body);
  if (location.hash !== "" || here().params.sign_in) go(base, true);
  enter(session);
}
