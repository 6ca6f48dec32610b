import { get, queryText } from "../api.ts";
import { at } from "../core/address.ts";
import { paramsOf, wordsOf } from "../core/filter.ts";
import { useLoad } from "../core/load.ts";
import { account, context, isPerson } from "../core/session.ts";
import { askToNotify, lastFilter, setViews, type View } from "../feed/watchers.ts";
import { Button } from "../forms/button.tsx";
import { type Changes, useChanges } from "../forms/changes.ts";
import { Check } from "../forms/field.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";

/** Saved filters of the feed, with the alerts that some have. */
export default function Views() {
  const id = account.value?.id ?? "";
  const list = useLoad(`views ${id}`, async () => {
    const asked = context.peek();
    const answer = await get<{ data: View[] }>(`/app/v1/accounts/${id}/views`);
    setViews(answer.data, asked);
    return answer;
  });
  return (
    <Screen
      title="Views and alerts"
      actions={
        <a class="button" href={at("feed") + queryText({ ...paramsOf(lastFilter), filter: "open" })}>
          Make one from a filter
        </a>
      }
    >
      <Loading of={list} lines={3} height={36}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text="No view is saved. Set a filter on the live feed, then press Save view." />
          ) : (
            <Saved views={data} again={list.again} />
          )
        }
      </Loading>
    </Screen>
  );
}

function Saved({ views: all, again }: { views: readonly View[]; again: () => void }) {
  const { failure, change } = useChanges(again);
  return (
    <>
      <Problem failure={failure} />
      <Table rows={all} keyOf={({ id }) => id} columns={columnsOf(change)} />
      <p class="quiet small">Alerts come while Live is open and shows the item.</p>
    </>
  );
}

/** A cell that is so or not. */
const switched =
  (
    label: string,
    is: (view: View) => boolean,
    set: (view: View, isOn: boolean) => unknown,
  ): Column<View>[1] =>
  (view) => (
    <Check isOn={is(view)} set={(isOn) => set(view, isOn)}>
      <span class="unseen">
        {label} {view.name}
      </span>
    </Check>
  );

function columnsOf(change: Changes["change"]): readonly Column<View>[] {
  const patch = (view: View, said: string, body: object) =>
    change(said, "PATCH", `/app/v1/views/${view.id}`, body);
  const setNotify = async (view: View, isOn: boolean) => {
    const alert = { notify: isOn, sound: view.alert?.sound ?? true };
    await patch(view, isOn ? await askToNotify() : "Alert off", { alert });
  };
  const setSound = (view: View, sound: boolean) =>
    patch(view, sound ? "Sound on" : "Sound off", { alert: { notify: view.alert?.notify ?? false, sound } });
  const share = (view: View, shared: boolean) =>
    patch(view, shared ? "Shared with the account" : "Only yours", { shared });
  return [
    [
      "View",
      ({ name, filters }) => (
        <a href={at("feed") + queryText(paramsOf(filters))}>
          <bdi>{name}</bdi>
        </a>
      ),
    ],
    ["Filter", ({ filters }) => wordsOf(filters) || "Every item", "soft"],
    ["Alert", switched("Alert of", ({ alert }) => alert?.notify === true, setNotify)],
    ["Sound", switched("Sound of", ({ alert }) => alert?.sound === true, setSound)],
    ...(isPerson.value
      ? [["Shared", switched("Share with the account", ({ shared }) => shared, share)] satisfies Column<View>]
      : []),
    [
      "Actions",
      ({ id, name }) => (
        <Button
          look="plain danger"
          run={() => change(`View ${name} deleted`, "DELETE", `/app/v1/views/${id}`)}
        >
          Delete<span class="unseen"> {name}</span>
        </Button>
      ),
      "unseen",
    ],
  ];
}
