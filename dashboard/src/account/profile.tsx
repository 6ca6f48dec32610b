import { useState } from "preact/hooks";
import { appCall } from "../api.ts";
import { useDoing } from "../core/load.ts";
import { enter, leave, type Session, session } from "../core/session.ts";
import { Field } from "../parts/field.tsx";
import { Panel } from "../parts/screen.tsx";
import { Lock, Problem } from "../parts/states.tsx";
import { tell } from "../parts/toast.tsx";

/** One's own name, address and password. */
export function Profile() {
  const person = session.value?.person ?? null;
  const [name, setName] = useState(person?.name ?? "");
  const [email, setEmail] = useState(person?.email ?? "");
  const [password, setPassword] = useState("");
  const [current, setCurrent] = useState("");
  const doing = useDoing();
  if (person === null)
    return (
      <Lock text="You are signed in with a key or the admin token, not as a person. The link of an invitation, which is made under People, signs you in as one." />
    );
  const save = async () => {
    const body = {
      ...(name === person.name ? {} : { name }),
      ...(email === (person.email ?? "") ? {} : { email }),
      ...(password === "" ? {} : { password, ...(person.has_password ? { current_password: current } : {}) }),
    };
    if (Object.keys(body).length === 0) return;
    await appCall("PATCH", "/profile", { body });
    enter(await appCall<Session>("GET", "/session"));
    setPassword("");
    setCurrent("");
    tell("Saved");
  };
  const wrong = (field: string) => doing.failure?.field(field);
  return (
    <Panel title="You">
      <form
        class="stack narrow"
        onSubmit={(event) => {
          event.preventDefault();
          void doing.run(save);
        }}
      >
        <Field label="Name" wrong={wrong("name")}>
          {(given) => (
            <input
              {...given}
              required
              value={name}
              autocomplete="name"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Field label="E-mail" hint="You sign in with it." wrong={wrong("email")}>
          {(given) => (
            <input
              {...given}
              type="email"
              value={email}
              autocomplete="username"
              onInput={({ currentTarget }) => setEmail(currentTarget.value)}
            />
          )}
        </Field>
        <Passwords {...{ password, setPassword, current, setCurrent, wrong }} hasOne={person.has_password} />
        {doing.failure !== null && <Problem failure={doing.failure} />}
        <div class="row">
          <button type="submit" class="button main" disabled={doing.isBusy}>
            Save
          </button>
          {doing.failure?.status === 403 && (
            <button type="button" class="button" onClick={() => leave("Sign in again, then save once more.")}>
              Sign in again
            </button>
          )}
        </div>
      </form>
    </Panel>
  );
}

interface PasswordsProps {
  readonly hasOne: boolean;
  readonly password: string;
  readonly setPassword: (password: string) => void;
  readonly current: string;
  readonly setCurrent: (password: string) => void;
  readonly wrong: (field: string) => string | null | undefined;
}

function Passwords({ hasOne, password, setPassword, current, setCurrent, wrong }: PasswordsProps) {
  return (
    <>
      {hasOne && (
        <Field label="Password now" wrong={wrong("current_password")}>
          {(given) => (
            <input
              {...given}
              type="password"
              value={current}
              autocomplete="current-password"
              onInput={({ currentTarget }) => setCurrent(currentTarget.value)}
            />
          )}
        </Field>
      )}
      <Field
        label={hasOne ? "New password" : "Password"}
        hint="At least 12 characters. Empty: it stays."
        wrong={wrong("password")}
      >
        {(given) => (
          <input
            {...given}
            type="password"
            minLength={12}
            value={password}
            autocomplete="new-password"
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        )}
      </Field>
    </>
  );
}
