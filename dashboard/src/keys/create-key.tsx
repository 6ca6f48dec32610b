import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { iso } from "../core/range.ts";
import { account } from "../core/session.ts";
import { Input, Select } from "../forms/field.tsx";
import { useFields } from "../forms/fields.ts";
import { Form } from "../forms/form.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Reveal } from "./reveal.tsx";
import type { CreatedKey } from "./types.ts";

interface CreateProps {
  readonly made: CreatedKey | null;
  readonly setMade: (made: CreatedKey) => void;
  readonly close: () => void;
}

const terms = [
  ["", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
] as const;

/** Makes a key, then shows it: once. */
export function CreateKey({ made, setMade, close }: CreateProps) {
  const [hasCopied, setCopied] = useState(false);
  const mayClose = () =>
    made === null || hasCopied || confirm("The key is shown only now. Close without copying it?");
  return (
    <Dialog title={made === null ? "Create a key" : `Key ${made.name}`} close={close} mayClose={mayClose}>
      {made === null ? <Fields setMade={setMade} /> : <Reveal made={made} copied={() => setCopied(true)} />}
    </Dialog>
  );
}

function Fields({ setMade }: { setMade: (made: CreatedKey) => void }) {
  const { doing, values, field } = useFields({ name: "", expires_at: "" });
  const create = async () => {
    const { name, expires_at: days } = values;
    const expires = days === "" ? {} : { expires_at: iso(Date.now() + Number(days) * 86_400_000) };
    setMade(
      await send<CreatedKey>("POST", `/app/v1/accounts/${account.value?.id}/keys`, { name, ...expires }),
    );
  };
  return (
    <Form doing={doing} send={create} label="Create">
      <Input
        label="Name"
        hint="Where it will be used: notebook, trading desk, CI."
        {...field("name")}
        required
        maxLength={200}
      />
      <Select label="Expires" {...field("expires_at")} options={terms} />
    </Form>
  );
}
