import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { at, go, here } from "./core/address.ts";
import { base } from "./core/base.ts";
import { context, providerFailed, session, signedOutWhy, standing, tab, wasIn } from "./core/session.ts";
import { type Late, lazy } from "./draw/lazy.tsx";
import { Feed } from "./feed/feed.tsx";
import { Empty, Guard } from "./parts/states.tsx";
import { tell } from "./parts/toast.tsx";
import { Shell } from "./shell/shell.tsx";

interface Given {
  /** What the address names after the screen. */
  readonly id: string;
}
type Screen = ComponentType<Given> & Partial<Pick<Late<Given>, "load">>;

/** A screen that asks for what has the account's id in its address is drawn when the session is known. */
const withAccount = (Of: Late<Given>): Screen =>
  Object.assign((given: Given) => session.value !== null && <Of {...given} />, { load: Of.load });

const account = () => import("./account/door.ts");
const item = () => import("./item/door.ts");
const operator = () => import("./operator/door.ts");
const symbol = () => import("./symbol/door.ts");
const webhooks = () => import("./webhooks/door.ts");

const SignIn = lazy(() => account().then((door) => door.SignIn));

/** A screen that is named by the door of its room. */
const late = <N extends string>(room: () => Promise<Readonly<Record<N, ComponentType<Given>>>>, name: N) =>
  lazy(async () => (await room())[name]);

/** The screens by their paths; those of one thing, whose id follows, have a slash. */
const screens: Readonly<Record<string, Screen>> = {
  "": Feed,
  feed: Feed,
  "item/": late(item, "ItemPage"),
  replay: late(symbol, "Replay"),
  symbol: late(symbol, "Symbols"),
  "symbol/": late(symbol, "OneSymbol"),
  keys: withAccount(late(account, "Keys")),
  usage: late(account, "Use"),
  webhooks: late(webhooks, "Webhooks"),
  "webhooks/": late(webhooks, "OneWebhook"),
  score: late(item, "Score"),
  views: withAccount(late(account, "Views")),
  account: withAccount(late(account, "Account")),
  overview: late(operator, "Overview"),
  sources: late(operator, "Sources"),
  accounts: late(operator, "Accounts"),
};

interface Shown extends Given {
  readonly Of: Screen;
  readonly path: string;
}

function screenOf(path: string): Shown {
  const [name = "", id = ""] = path.slice(base.length).split("/").map(decodeURIComponent);
  return { Of: screens[id === "" ? name : `${name}/`] ?? Nowhere, id, path };
}

/** The screen of the address; the one before stays while it is loaded. */
function Open() {
  const [, draw] = useState({});
  const shown = useRef<Shown | null>(null);
  const asked = screenOf(here().path);
  const loading = asked.Of.load?.() ?? null;
  if (loading === null) shown.current = asked;
  useEffect(() => void loading?.then(() => draw({})), [asked.Of]);
  if (shown.current === null) return null;
  const { Of, id, path } = shown.current;
  return (
    <Guard key={path}>
      <Of id={id} />
    </Guard>
  );
}

/** Whoever is not signed in, or comes by a link for a person, gets the one page that signs in. */
export function App() {
  const { path, params } = here();
  const isLink = /^#.(invite|reset).[\w-]{43}$/.test(location.hash);
  useEffect(() => {
    // With or without the slash at its end.
    if (standing.value !== "in" || isLink || !base.startsWith(path)) return;
    if (params.sign_in) tell(providerFailed);
    go(at("feed"), true);
  }, [path, standing.value, isLink]);
  if (standing.value === "out" || isLink) return <SignIn />;
  // What is around the first rows is drawn while their key is under way.
  if (standing.value === "unknown" && tab.value === null && !wasIn) return null;
  return (
    <>
      <Shell key={context.value}>
        <Open />
      </Shell>
      {signedOutWhy.value !== null && <SignIn />}
    </>
  );
}

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
