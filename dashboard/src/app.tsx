import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { ErrorBoundary, Route, Router, useLocation } from "preact-iso";
import { at } from "./core/address.ts";
import { base } from "./core/base.ts";
import { lazy } from "./core/lazy.ts";
import { session, signedOutWhy, standing, tab, wasIn } from "./core/session.ts";
import { lastAccount } from "./core/settings.ts";
import { Feed } from "./feed/feed.tsx";
import { Empty } from "./parts/states.tsx";
import { Shell } from "./shell/shell.tsx";

/** A screen that asks for what has the account's id in its address is drawn when the session is known. */
const withAccount = (Of: ComponentType) => () => session.value !== null && <Of />;

const SignIn = lazy(() => import("./sign-in/sign-in.tsx"));
const Item = lazy(() => import("./item/item-page.tsx"));
const Replay = lazy(() => import("./replay/replay.tsx"));
const Symbols = lazy(() => import("./symbol/symbols.tsx"));
const OneSymbol = lazy(() => import("./symbol/symbol.tsx"));
const Keys = withAccount(lazy(() => import("./keys/keys.tsx")));
const Use = lazy(() => import("./usage/usage.tsx"));
const Webhooks = lazy(() => import("./webhooks/webhooks.tsx"));
const OneWebhook = lazy(() => import("./webhooks/webhook.tsx"));
const Score = lazy(() => import("./score/score.tsx"));
const Views = withAccount(lazy(() => import("./views/views.tsx")));
const Account = withAccount(lazy(() => import("./account/account.tsx")));
const Overview = lazy(() => import("./operator/overview.tsx"));
const Sources = lazy(() => import("./operator/sources.tsx"));
const Accounts = lazy(() => import("./operator/accounts.tsx"));

/** The screens by their paths. Whoever is not signed in gets the one page that signs in. */
export function App() {
  const { path, route } = useLocation();
  useEffect(() => {
    if (standing.value === "in" && (path === base || path === base.slice(0, -1))) route(at("feed"), true);
  }, [path, standing.value]);
  if (standing.value === "out") return <Sign />;
  // What is around the first rows is drawn while their key is under way.
  if (standing.value === "unknown" && tab.value === null && !wasIn) return null;
  return (
    <>
      <Shell key={lastAccount.value}>
        <Router>
          <Route path={base} component={Feed} />
          <Route path={at("feed")} component={Feed} />
          <Route path={`${at("item")}/:id`} component={Item} />
          <Route path={at("replay")} component={Replay} />
          <Route path={at("symbol")} component={Symbols} />
          <Route path={`${at("symbol")}/:ticker`} component={OneSymbol} />
          <Route path={at("keys")} component={Keys} />
          <Route path={at("usage")} component={Use} />
          <Route path={at("webhooks")} component={Webhooks} />
          <Route path={`${at("webhooks")}/:id`} component={OneWebhook} />
          <Route path={at("score")} component={Score} />
          <Route path={at("views")} component={Views} />
          <Route path={at("account")} component={Account} />
          <Route path={at("overview")} component={Overview} />
          <Route path={at("sources")} component={Sources} />
          <Route path={at("accounts")} component={Accounts} />
          <Route default component={Nowhere} />
        </Router>
      </Shell>
      {signedOutWhy.value !== null && <Sign />}
    </>
  );
}

const Sign = () => (
  <ErrorBoundary>
    <SignIn />
  </ErrorBoundary>
);

function Nowhere() {
  return (
    <div class="screen">
      <h1>No such screen</h1>
      <Empty text="The address leads nowhere.">
        <a class="button" href={at("feed")}>
          Open the live feed
        </a>
      </Empty>
    </div>
  );
}
