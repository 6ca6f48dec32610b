import { get, send } from "../api.ts";
import { enter, leave, type Session, session } from "../core/session.ts";
import { Button } from "../forms/button.tsx";
import { Input } from "../forms/field.tsx";
import { useFields } from "../forms/fields.ts";
import { Form } from "../forms/form.tsx";
import { Panel } from "../parts/screen.tsx";
import { Lock } from "../parts/states.tsx";
import { tell } from "../parts/toast.tsx";

/** One's own name, address and password. */
export function Profile() {
  const person = session.value?.person ?? null;
  const known: Readonly<Record<string, string>> = {
    name: person?.name ?? "",
    email: person?.email ?? "",
    password: "",
    current_password: "",
  };
  const { doing, values, field } = useFields(known);
  if (person === null)
    return (
      <Lock
        text={`You are signed in as ${session.value?.name}. An invitation, made under People, signs you in as a person.`}
      />
    );
  const save = async () => {
    const changed = Object.entries(values).filter(([name, value]) => value !== known[name]);
    if (changed.length === 0) return;
    await send("PATCH", "/app/v1/profile", Object.fromEntries(changed));
    enter(await get<Session>("/app/v1/session"));
    field("password").set("");
    field("current_password").set("");
    tell("Saved");
  };
  const hasOne = person.has_password;
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
        <Input label="Name" {...field("name")} required autocomplete="name" />
        <Input
          label="E-mail"
          hint="You sign in with it."
          {...field("email")}
          type="email"
          autocomplete="username"
        />
        {hasOne && (
          <Input
            label="Password now"
            {...field("current_password")}
            type="password"
            autocomplete="current-password"
          />
        )}
        <Input
          label={hasOne ? "New password" : "Password"}
          hint="At least 12 characters. Empty: it stays."
          {...field("password")}
          type="password"
          minLength={12}
          autocomplete="new-password"
        />
      </Form>
    </Panel>
  );
}
