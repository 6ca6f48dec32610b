import { useEffect, useState } from "preact/hooks";
import { appCall } from "../api.ts";
import { setTitle } from "../core/address.ts";
import { base } from "../core/base.ts";
import type { Failure } from "../core/failure.ts";
import { useDoing, useLoad } from "../core/load.ts";
import { signedOutWhy } from "../core/session.ts";
import { Field } from "../parts/field.tsx";
import { Problem } from "../parts/states.tsx";
import { signIn } from "./begin.ts";
import { Link } from "./link.tsx";

interface Options {
  readonly password: boolean;
  readonly oidc: boolean;
}

/** Token of a one-use link. It stands in the fragment, which no proxy and no log sees. */
const linkToken = () => /^#\/(?:start|open|invite|reset)\/([\w-]{43})$/.exec(location.hash)?.[1] ?? null;

/** The one page for whoever is not signed in; over the page when a session has ended. */
export default function SignIn() {
  const [token, setToken] = useState(linkToken);
  const isOver = signedOutWhy.value !== null;
  useEffect(() => setTitle("Sign in"), []);
  useEffect(() => {
    const look = () => setToken(linkToken());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return (
    <main class={isOver ? "sign-in over" : "sign-in"}>
      <div class="card">
        <div class="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M2 8h16M2 16h28M2 24h11" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
            <circle cx="26" cy="8" r="3.6" fill="var(--edge)" />
          </svg>
          <h1>Tapewire</h1>
        </div>
        {isOver && <p class="note live">{signedOutWhy.value}</p>}
        {token === null ? <Ways /> : <Link token={token} forget={() => setToken(null)} />}
      </div>
    </main>
  );
}

function Ways() {
  const options = useLoad("sign-in options", () => appCall<Options>("GET", "/sign-in-options"));
  return (
    <>
      {location.protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(location.hostname) && (
        <p class="note wrong">This page is not encrypted: anybody on the way can read what you type.</p>
      )}
      <Paste />
      {options.data?.password === true && (
        <>
          <div class="or">or</div>
          <Password />
        </>
      )}
      {options.data?.oidc === true && (
        <a class="button" href={`${base}v1/oidc/start`} target="_self">
          Sign in with your identity provider
        </a>
      )}
    </>
  );
}

/** An API key or the admin token: the one field that works on a fresh machine. */
function Paste() {
  const [secret, setSecret] = useState("");
  const doing = useDoing();
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void doing.run(() => signIn({ secret: secret.trim() }));
      }}
    >
      <Field
        label="API key or admin token"
        hint="In the data directory of the service the file first-key has the key, admin-token the token, sign-in-link a link. Or run: npm run -s tapewire -- open"
        wrong={doing.failure === null ? null : wordsFor(doing.failure)}
      >
        {(given) => (
          <input
            {...given}
            type="password"
            class="mono"
            autocomplete="current-password"
            value={secret}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        )}
      </Field>
      <button type="submit" class="button main" disabled={doing.isBusy || secret.trim() === ""}>
        Sign in
      </button>
    </form>
  );
}

function wordsFor(failure: Failure): string {
  if (failure.status === 401) return "No key or token with this text is valid.";
  if (failure.status === 429)
    return `Too many attempts from this network. Try again in ${failure.retryAfterS ?? 60} s.`;
  return failure.message;
}

function Password() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const doing = useDoing();
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void doing.run(() => signIn({ email, password }));
      }}
    >
      <Field label="E-mail" wrong={doing.failure?.field("email")}>
        {(given) => (
          <input
            {...given}
            type="email"
            autocomplete="username"
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label="Password"
        wrong={
          doing.failure?.status === 401
            ? "E-mail and password do not fit together."
            : doing.failure?.field("password")
        }
      >
        {(given) => (
          <input
            {...given}
            type="password"
            autocomplete="current-password"
            value={password}
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        )}
      </Field>
      {doing.failure !== null && doing.failure.status !== 401 && <Problem failure={doing.failure} />}
      <button type="submit" class="button" disabled={doing.isBusy || email === "" || password === ""}>
        Sign in
      </button>
    </form>
  );
}
