/**
 * The door of sign-in: people, their sessions in the dashboard, and what they may do there. A session is no key: it opens
 * /app/v1 alone, and makes keys of minutes for the rest.
 */

import type { PlanTable } from "@tapewire/contract/plans.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { AttemptLimit } from "../../runtime/sharing/attempt-limit.ts";
import type { Queries } from "../../store/engine/db.ts";
import { dropEnded } from "../../store/people/sessions.ts";
import type { Accounts } from "../keys/accounts.ts";
import type { Authenticator } from "../keys/auth.ts";
import { AccountKeys } from "./account-keys.ts";
import { Audit } from "./audit.ts";
import { Identities } from "./identities.ts";
import { Links } from "./links.ts";
import { Members } from "./members.ts";
import { Operators } from "./operators.ts";
import { Profiles } from "./profile.ts";
import { Sessions } from "./sessions.ts";
import { SignIns } from "./sign-in.ts";
import { TabKeys } from "./tab-keys.ts";
import { Views } from "./views.ts";

export type { AllowedIdentity, Identity } from "./identities.ts";
export { demandOperator } from "./rights.ts";

interface Deps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly log: Log;
  readonly auth: Authenticator;
  readonly accounts: Accounts;
  readonly plans: PlanTable;
  readonly adminToken: string;
  /** Whether people sign in with an identity provider. */
  readonly hasIdentityProvider: boolean;
  /** Address of the service as people open it. */
  readonly baseUrl: () => string;
}

/** Of a session, or of all strangers in a network. Failed sign-ins are bounded further: see Authenticator.refusalOf. */
const rate = { atOnce: 240, perSecond: 8 } as const;
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const keepAuditMs = 400 * dayMs;
const keepFailuresMs = 30 * dayMs;

/** All that the dashboard's server half is made of. */
export class People implements Disposable {
  readonly audit: Audit;
  readonly sessions: Sessions;
  readonly links: Links;
  readonly signIns: SignIns;
  readonly identities: Identities;
  readonly operators: Operators;
  readonly tabKeys: TabKeys;
  readonly keys: AccountKeys;
  readonly members: Members;
  readonly profiles: Profiles;
  readonly views: Views;
  /** Requests of each session. A person and the pages of the dashboard make far fewer. */
  readonly requests: AttemptLimit;
  /** Requests of each network that nobody has signed in for. */
  readonly strangers: AttemptLimit;
  readonly #deps: Deps;
  readonly #timer: NodeJS.Timeout;

  constructor(deps: Deps) {
    const audit = new Audit(deps);
    const links = new Links(deps);
    const sessions = new Sessions({ ...deps, audit });
    this.#deps = deps;
    this.audit = audit;
    this.links = links;
    this.sessions = sessions;
    this.signIns = new SignIns({ ...deps, audit, links, sessions });
    this.operators = new Operators({ ...deps, audit });
    this.identities = new Identities({ ...deps, audit, sessions, operators: this.operators });
    this.tabKeys = new TabKeys({ ...deps, sessions });
    this.keys = new AccountKeys({ ...deps, audit, sessions });
    this.members = new Members({ ...deps, audit, links, sessions });
    this.profiles = new Profiles({ ...deps, audit, sessions });
    this.views = new Views(deps);
    this.requests = new AttemptLimit(deps.clock, rate);
    this.strangers = new AttemptLimit(deps.clock, rate);
    this.#timer = setInterval(() => void this.#clean(), hourMs);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Ended sessions are kept for a day, so that a look at the database still shows them. */
  async #clean(): Promise<void> {
    const { db, clock, log } = this.#deps;
    const nowMs = clock.now().getTime();
    const ago = (ms: number) => new Date(nowMs - ms);
    try {
      await dropEnded(db, {
        attempts: ago(hourMs),
        ended: ago(dayMs),
        failures: ago(keepFailuresMs),
        audit: ago(keepAuditMs),
      });
    } catch (error) {
      log.warn({ err: error }, "dropping ended sessions failed");
    }
  }
}
