import { appCall } from "../api.ts";
import { base } from "../core/base.ts";
import { enter, type Session } from "../core/session.ts";

/** Begins a session, and the page where the address says. */
export async function signIn(body: Readonly<Record<string, string>>): Promise<void> {
  const session = await appCall<Session>("POST", "/session", { body });
  if (location.hash !== "") history.replaceState(null, "", base);
  enter(session);
  dispatchEvent(new PopStateEvent("popstate"));
}
