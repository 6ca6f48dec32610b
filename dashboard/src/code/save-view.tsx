import { useState } from "preact/hooks";
import { appCall } from "../api.ts";
import { chipsOf } from "../core/filter.ts";
import { useDoing } from "../core/load.ts";
import { account } from "../core/session.ts";
import type { Filters } from "../core/types.ts";
import { loadViews } from "../feed/watching.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Problem } from "../parts/states.tsx";
import { tell } from "../parts/toast.tsx";

const mostOfName = 100;
const nameOf = (filter: Filters) =>
  chipsOf(filter)
    .map(({ text }) => text)
    .join(" · ")
    .slice(0, mostOfName);

/** Keeps a filter under a name; with an alert the browser tells of its items. */
export default function SaveView({ filter, close }: { filter: Filters; close: () => void }) {
  const [name, setName] = useState(() => nameOf(filter));
  const [shared, setShared] = useState(false);
  const [notify, setNotify] = useState(false);
  const doing = useDoing();
  const save = async () => {
    // Permission is asked for only here, when somebody wants an alert.
    const isAllowed = notify && (await Notification.requestPermission()) === "granted";
    const alert = notify ? { notify: isAllowed, sound: true } : null;
    const body = { name, filters: filter, alert, shared };
    await appCall("POST", `/accounts/${account.value?.id}/views`, { body });
    await loadViews();
    tell(`View ${name} saved`);
    close();
  };
  return (
    <Dialog title="Save as a view" close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void doing.run(save);
        }}
      >
        <Field label="Name" wrong={doing.failure?.field("name")}>
          {(given) => (
            <input
              {...given}
              value={name}
              required
              maxLength={mostOfName}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Check
          isOn={notify}
          set={setNotify}
          text="Alert me: a notification and a sound while this page is open"
        />
        <Check isOn={shared} set={setShared} text="Shared with the account" />
        {doing.failure !== null && <Problem failure={doing.failure} />}
        <div>
          <button type="submit" class="button main" disabled={doing.isBusy}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Check({ isOn, set, text }: { isOn: boolean; set: (isOn: boolean) => void; text: string }) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => set(currentTarget.checked)} />
      {text}
    </label>
  );
}
