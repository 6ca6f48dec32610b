import { useState } from "preact/hooks";
import { appCall } from "../api.ts";
import { useDoing } from "../core/load.ts";
import { account } from "../core/session.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Problem } from "../parts/states.tsx";
import { Reveal } from "./reveal.tsx";
import type { CreatedKey } from "./types.ts";

interface CreateProps {
  readonly made: CreatedKey | null;
  readonly setMade: (made: CreatedKey) => void;
  readonly close: () => void;
}

const terms = [
  { days: "", label: "Never" },
  { days: "30", label: "In 30 days" },
  { days: "90", label: "In 90 days" },
  { days: "365", label: "In a year" },
];

/** Makes a key, then shows it: once. */
export function CreateKey({ made, setMade, close }: CreateProps) {
  const [hasCopied, setCopied] = useState(false);
  const mayClose = () =>
    made === null || hasCopied || confirm("The key is shown only now. Close without copying it?");
  return (
    <Dialog title={made === null ? "Create a key" : `Key ${made.name}`} close={close} mayClose={mayClose}>
      {made === null ? <Form setMade={setMade} /> : <Reveal made={made} copied={() => setCopied(true)} />}
    </Dialog>
  );
}

function Form({ setMade }: { setMade: (made: CreatedKey) => void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("");
  const doing = useDoing();
  const create = async () => {
    const expires =
      days === "" ? {} : { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() };
    setMade(
      await appCall<CreatedKey>("POST", `/accounts/${account.value?.id}/keys`, {
        body: { name, ...expires },
      }),
    );
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void doing.run(create);
      }}
    >
      <Field
        label="Name"
        hint="Where it will be used: notebook, trading desk, CI."
        wrong={doing.failure?.field("name")}
      >
        {(given) => (
          <input
            {...given}
            required
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Expires" wrong={doing.failure?.field("expires_at")}>
        {(given) => (
          <select {...given} value={days} onChange={({ currentTarget }) => setDays(currentTarget.value)}>
            {terms.map((term) => (
              <option key={term.days} value={term.days}>
                {term.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <div>
        <button type="submit" class="button main" disabled={doing.isBusy}>
          Create
        </button>
      </div>
    </form>
  );
}
