import { useState } from "preact/hooks";
import { appCall } from "../api.ts";
import { useDoing, useLoad } from "../core/load.ts";
import { Field } from "../parts/field.tsx";
import { Problem, Skeleton } from "../parts/states.tsx";
import { Until } from "../parts/time.tsx";
import { signIn } from "./begin.ts";

interface LinkInfo {
  readonly purpose: "first" | "open" | "invite" | "reset";
  readonly email: string | null;
  readonly account_name: string | null;
  readonly needs_password: boolean;
  readonly expires_at: string;
}

const wordsOf = ({ purpose, email, account_name }: LinkInfo) => {
  if (purpose === "invite")
    return `You are invited to ${account_name ?? "an account"}${email === null ? "" : ` as ${email}`}.`;
  if (purpose === "reset") return `Set a new password${email === null ? "" : ` for ${email}`}.`;
  return "This link signs you in as the operator of this service.";
};

/** What a one-use link does. Looking does not use it: a program that opens links ahead must not burn it. */
export function Link({ token, forget }: { token: string; forget: () => void }) {
  const info = useLoad(`link ${token}`, () =>
    appCall<LinkInfo>("POST", "/links/look", { body: { link: token } }),
  );
  if (info.failure !== null)
    return (
      <>
        <Problem failure={info.failure} />
        <p class="soft">
          To make another link, run <code>npm run -s tapewire -- open</code> where the service runs.
        </p>
        <button type="button" class="button" onClick={forget}>
          Sign in with a key instead
        </button>
      </>
    );
  if (info.data === null) return <Skeleton lines={3} />;
  return <Open token={token} info={info.data} />;
}

function Open({ token, info }: { token: string; info: LinkInfo }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const doing = useDoing();
  const isNew = info.purpose === "invite";
  const body = {
    link: token,
    ...(info.needs_password ? { password } : {}),
    ...(isNew && name !== "" ? { name } : {}),
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void doing.run(() => signIn(body));
      }}
    >
      <p>{wordsOf(info)}</p>
      {isNew && (
        <Field label="Your name" wrong={doing.failure?.field("name")}>
          {(given) => (
            <input
              {...given}
              autocomplete="name"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
      )}
      {info.needs_password && (
        <Field label="New password" hint="At least 12 characters." wrong={doing.failure?.field("password")}>
          {(given) => (
            <input
              {...given}
              type="password"
              minLength={12}
              required
              autocomplete="new-password"
              value={password}
              onInput={({ currentTarget }) => setPassword(currentTarget.value)}
            />
          )}
        </Field>
      )}
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <button type="submit" class="button main" disabled={doing.isBusy}>
        Open the dashboard
      </button>
      <p class="quiet small">
        The link works once, for another <Until at={info.expires_at} />.
      </p>
    </form>
  );
}
