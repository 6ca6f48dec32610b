import { send } from "../api.ts";
import { useLoad } from "../core/load.ts";
import { Button } from "../forms/button.tsx";
import { Input } from "../forms/field.tsx";
import { useFields } from "../forms/fields.ts";
import { Form } from "../forms/form.tsx";
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
  const info = useLoad(`link ${token}`, () => send<LinkInfo>("POST", "/app/v1/links/look", { link: token }));
  if (info.failure !== null)
    return (
      <>
        <Problem failure={info.failure} />
        <p class="soft">
          To make another link, run <code>npm run -s tapewire -- open</code> where the service runs.
        </p>
        <Button run={forget}>Go on without it</Button>
      </>
    );
  if (info.data === null) return <Skeleton lines={3} />;
  return <Open token={token} info={info.data} />;
}

function Open({ token, info }: { token: string; info: LinkInfo }) {
  const { doing, values, field } = useFields({ name: "", password: "" });
  const isInvited = info.purpose === "invite";
  // What is not asked for stays empty, and is not sent.
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
  return (
    <Form doing={doing} send={() => signIn({ link: token, ...given })} label="Open the dashboard">
      <p>{wordsOf(info)}</p>
      {isInvited && info.needs_password && <Input label="Your name" {...field("name")} autocomplete="name" />}
      {info.needs_password && (
        <Input
          label={isInvited ? "Your password here, or a new one" : "New password"}
          hint="At least 12 characters."
          {...field("password")}
          type="password"
          minLength={12}
          required
          autocomplete="new-password"
        />
      )}
      <p class="quiet small">
        The link works once, for another <Until at={info.expires_at} />.
      </p>
    </Form>
  );
}
