import { useEffect, useState } from "preact/hooks";
import { go, here, setTitle } from "../core/address.ts";
import { base, isOpenToOthers } from "../core/base.ts";
import type { Failure } from "../core/failure.ts";
import { useDoing, useGet } from "../core/load.ts";
import { providerFailed, signedOutWhy } from "../core/session.ts";
import { Input } from "../forms/field.tsx";
import { useFields } from "../forms/fields.ts";
import { Form } from "../forms/form.tsx";
import { Sign } from "../parts/brand.tsx";
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
  const forget = () => {
    go(base, true);
    setToken(null);
  };
  return (
    <main class={isOver ? "sign-in over" : "sign-in"}>
      <div class="card">
        <div class="brand">
          <Sign />
          <h1>Tapewire</h1>
        </div>
        {isOver && <p class="note live">{signedOutWhy.value}</p>}
        {here().params.sign_in && <p class="note wrong">{providerFailed}</p>}
        {token === null ? <Ways /> : <Link token={token} forget={forget} />}
      </div>
    </main>
  );
}

function Ways() {
  const options = useGet<Options>("/app/v1/sign-in-options");
  return (
    <>
      {isOpenToOthers && (
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
    <Form
      doing={doing}
      send={() => signIn({ secret: secret.trim() })}
      label="Sign in"
      isOff={secret.trim() === ""}
      isTold
    >
      <Input
        label="API key or admin token"
        hint="The service's data directory has them as files: first-key, admin-token, sign-in-link. Or run: npm run -s tapewire -- open"
        wrong={doing.failure === null ? null : wordsFor(doing.failure)}
        type="password"
        class="mono"
        autocomplete="current-password"
        value={secret}
        set={setSecret}
      />
    </Form>
  );
}

function wordsFor(failure: Failure): string {
  if (failure.status === 401) return "No key or token with this text is valid.";
  if (failure.status === 429)
    return `Too many attempts from this network. Try again in ${failure.retryAfterS ?? 60} s.`;
  return failure.message;
}

function Password() {
  const { doing, values, field } = useFields({ email: "", password: "" });
  return (
    <Form
      doing={doing}
      send={() => signIn(values)}
      label="Sign in"
      isOff={Object.values(values).includes("")}
      isTold={doing.failure?.status === 401}
    >
      <Input label="E-mail" {...field("email")} type="email" autocomplete="username" />
      <Input
        label="Password"
        {...field("password")}
        wrong={
          doing.failure?.status === 401
            ? "E-mail and password do not fit together."
            : doing.failure?.field("password")
        }
        type="password"
        autocomplete="current-password"
      />
    </Form>
  );
}
