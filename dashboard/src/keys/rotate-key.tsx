import { useState } from "preact/hooks";
import { appCall } from "../api.ts";
import { useDoing } from "../core/load.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Problem } from "../parts/states.tsx";
import { type ApiKey, type CreatedKey, shownOf } from "./types.ts";

const overlaps = [
  { seconds: 0, label: "Ends at once" },
  { seconds: 900, label: "15 minutes" },
  { seconds: 3_600, label: "1 hour" },
  { seconds: 21_600, label: "6 hours" },
  { seconds: 86_400, label: "24 hours" },
];

/** Another key in the place of this one; for a while both are valid. */
export function RotateKey({
  of: key,
  close,
  show,
}: {
  of: ApiKey;
  close: () => void;
  show: (made: CreatedKey) => void;
}) {
  const [graceS, setGrace] = useState(86_400);
  const doing = useDoing();
  const rotate = async () => {
    const made = await appCall<CreatedKey>("POST", `/keys/${key.id}/rotate`, { body: { grace_s: graceS } });
    close();
    show(made);
  };
  return (
    <Dialog title={`Rotate ${key.name} · ${shownOf(key)}`} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void doing.run(rotate);
        }}
      >
        <Field label="The old key stays valid for" hint="Never longer than its own expiry.">
          {(given) => (
            <select
              {...given}
              value={graceS}
              onChange={({ currentTarget }) => setGrace(Number(currentTarget.value))}
            >
              {overlaps.map(({ seconds, label }) => (
                <option key={seconds} value={seconds}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {doing.failure !== null && <Problem failure={doing.failure} />}
        <div>
          <button type="submit" class="button main" disabled={doing.isBusy}>
            Make the new key
          </button>
        </div>
      </form>
    </Dialog>
  );
}
