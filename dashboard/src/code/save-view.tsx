import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { useParams } from "../core/address.ts";
import { paramsOf, wordsOf } from "../core/filter.ts";
import { useDoing } from "../core/load.ts";
import { account, isPerson, session } from "../core/session.ts";
import type { Filters } from "../core/types.ts";
import { askToNotify, type View } from "../feed/watchers.ts";
import { loadViews } from "../feed/watching.ts";
import { Check, Input } from "../forms/field.tsx";
import { Form } from "../forms/form.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { tell } from "../parts/toast.tsx";

const mostOfName = 100;

/** Keeps a filter under a name; with an alert the browser tells of its items. */
export default function SaveView({ filter, close }: { filter: Filters; close: () => void }) {
  const [name, setName] = useState(() => wordsOf(filter).slice(0, mostOfName));
  const [shared, setShared] = useState(false);
  const [notify, setNotify] = useState(false);
  const [, change] = useParams();
  const doing = useDoing();
  const save = async () => {
    // Permission is asked for only here, when somebody wants an alert.
    const alerts = notify ? `. ${await askToNotify()}` : "";
    const alert = notify ? { notify, sound: true } : null;
    const body = { name, filters: filter, alert, shared };
    const made = await send<View>("POST", `/app/v1/accounts/${account.value?.id}/views`, body);
    await loadViews();
    tell(`View ${name} saved${alerts}`);
    close();
    // As it is kept: then it is the view that is open.
    change(paramsOf(made.filters));
  };
  return (
    <Dialog title="Save as a view" close={close}>
      <Form doing={doing} send={save} label="Save">
        <Input
          label="Name"
          wrong={doing.failure?.field("name")}
          value={name}
          required
          maxLength={mostOfName}
          set={setName}
        />
        <Check isOn={notify} set={setNotify}>
          Alert me: a notification and a sound while Live is open and shows the item
        </Check>
        {isPerson.value ? (
          <Check isOn={shared} set={setShared}>
            Shared with the account
          </Check>
        ) : (
          <p class="soft">Everybody of the account sees it: you are signed in as {session.value?.name}.</p>
        )}
      </Form>
    </Dialog>
  );
}
