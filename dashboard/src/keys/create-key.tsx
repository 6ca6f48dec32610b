import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { useDoing } from "../core/load.ts";
import { account } from "../core/session.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Input, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
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
  const [name, setName] = useState("");
  const [days, setDays] = useState("");
  const doing = useDoing();
  const create = async () => {
    const expires =
      days === "" ? {} : { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() };
    setMade(
      await send<CreatedKey>("POST", `/app/v1/accounts/${account.value?.id}/keys`, { name, ...expires }),
    );
  };
  return (
    <Form doing={doing} send={create} label="Create">
      <Input
        label="Name"
        hint="Where it will be used: notebook, trading desk, CI."
        wrong={doing.failure?.field("name")}
        required
        maxLength={200}
        value={name}
        set={setName}
      />
      <Select
        label="Expires"
        wrong={doing.failure?.field("expires_at")}
        value={days}
        set={setDays}
        options={terms}
      />
    </Form>
  );
}
