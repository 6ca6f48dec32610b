import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { useDoing } from "../core/load.ts";
import { Select } from "../forms/field.tsx";
import { Form } from "../forms/form.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { type ApiKey, type CreatedKey, shownOf } from "./types.ts";

const overlaps = [
  [0, "Ends at once"],
  [900, "15 minutes"],
  [3_600, "1 hour"],
  [21_600, "6 hours"],
  [86_400, "24 hours"],
] as const;

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
    const made = await send<CreatedKey>("POST", `/app/v1/keys/${key.id}/rotate`, { grace_s: graceS });
    close();
    show(made);
  };
  return (
    <Dialog title={`Rotate ${key.name} · ${shownOf(key)}`} close={close}>
      <Form doing={doing} send={rotate} label="Make the new key">
        <Select
          label="The old key stays valid for"
          hint="Never longer than its own expiry."
          value={graceS}
          set={(to) => setGrace(Number(to))}
          options={overlaps}
        />
      </Form>
    </Dialog>
  );
}
