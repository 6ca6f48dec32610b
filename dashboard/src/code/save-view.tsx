import { useState } from "preact/hooks";
import { appCall } from "../api.ts";
import { useDoing } from "../core/load.ts";
import { account } from "../core/session.ts";
import type { Filters } from "../core/types.ts";
import { loadViews } from "../feed/watching.ts";
import { Field } from "../parts/field.tsx";
import { Problem } from "../parts/states.tsx";
import { tell } from "../parts/toast.tsx";

/** Keeps a filter under a name; with an alert the browser tells of its items. */
export function SaveView({ filter }: { filter: Filters }) {
  const [name, setName] = useState("");
  const [notify, setNotify] = useState(false);
  const doing = useDoing();
  const save = async () => {
    // Permission is asked for only here, when somebody wants an alert.
    const isAllowed = notify && (await Notification.requestPermission()) === "granted";
    const alert = notify ? { notify: isAllowed, sound: true } : null;
    await appCall("POST", `/accounts/${account.value?.id}/views`, { body: { name, filters: filter, alert } });
    await loadViews();
    tell(`View ${name} saved`);
    setName("");
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void doing.run(save);
      }}
    >
      <h3>Save as a view</h3>
      <Field label="Name" wrong={doing.failure?.field("name")}>
        {(given) => (
          <input
            {...given}
            value={name}
            required
            maxLength={100}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={notify}
          onChange={({ currentTarget }) => setNotify(currentTarget.checked)}
        />
        Alert me: a notification and a sound for each item, while this page is open
      </label>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <div>
        <button type="submit" class="button" disabled={doing.isBusy}>
          Save view
        </button>
      </div>
    </form>
  );
}
