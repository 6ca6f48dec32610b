import { madeInvite } from "@tapewire/contract/dashboard/people.ts";
import { Browser, tokenOf } from "./browser.ts";
import type { Service } from "./service.ts";

/** The password of everybody here. */
export const password = "a long enough password";

/** Lets people into a service, each with a browser of their own. @param service asked for at each call, once it is up */
export function peopleOf(service: () => Service) {
  const operator = async (): Promise<Browser> => {
    const browser = new Browser(service().url);
    await browser.signIn({ secret: service().adminToken });
    return browser;
  };

  /** Makes an invitation. @param by who invites; by default the operator @returns the token of its link */
  const inviteTo = async (accountId: string, email: string, role: string, by?: Browser): Promise<string> => {
    const path = `/app/v1/accounts/${accountId}/invites`;
    const { url } = await (by ?? (await operator())).ask(madeInvite.strict(), "POST", path, { email, role });
    return tokenOf(url);
  };

  /** A new person in the account, signed in. */
  const joined = async (accountId: string, role: string, email = `${crypto.randomUUID()}@example.com`) => {
    const browser = new Browser(service().url);
    const begun = await browser.signIn({
      link: await inviteTo(accountId, email, role),
      password,
      name: "Ada",
    });
    return { browser, begun, email, personId: begun.person?.id ?? "" };
  };

  return { operator, inviteTo, joined };
}
