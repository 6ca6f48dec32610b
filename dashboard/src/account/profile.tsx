import { useState } from "preact/hooks";
import { get, send } from "../api.ts";
import { useDoing } from "../core/load.ts";
import { enter, leave, type Session, session } from "../core/session.ts";
import { Button } from "../parts/button.tsx";
import { Input } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Panel } from "../parts/screen.tsx";
import { Lock } from "../parts/states.tsx";
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
    await send("PATCH", "/app/v1/profile", body);
    enter(await get<Session>("/app/v1/session"));
    setPassword("");
    setCurrent("");
    tell("Saved");
  };
  const wrong = (field: string) => doing.failure?.field(field);
  return (
    <Panel title="You">
      <Form
        doing={doing}
        send={save}
        label="Save"
        look="stack narrow"
        aside={
          doing.failure?.status === 403 && (
            <Button run={() => leave("Sign in again, then save once more.")}>Sign in again</Button>
          )
        }
      >
        <Input label="Name" wrong={wrong("name")} required value={name} autocomplete="name" set={setName} />
        <Input
          label="E-mail"
          hint="You sign in with it."
          wrong={wrong("email")}
          type="email"
          value={email}
          autocomplete="username"
          set={setEmail}
        />
        <Passwords {...{ password, setPassword, current, setCurrent, wrong }} hasOne={person.has_password} />
      </Form>
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
        <Input
          label="Password now"
          wrong={wrong("current_password")}
          type="password"
          value={current}
          autocomplete="current-password"
          set={setCurrent}
        />
      )}
      <Input
        label={hasOne ? "New password" : "Password"}
        hint="At least 12 characters. Empty: it stays."
        wrong={wrong("password")}
        type="password"
        minLength={12}
        value={password}
        autocomplete="new-password"
        set={setPassword}
      />
    </>
  );
}
