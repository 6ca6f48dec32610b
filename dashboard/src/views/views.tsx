import { appCall, queryText } from "../api.ts";
import { at } from "../core/address.ts";
import { chipsOf, paramsOf } from "../core/filter.ts";
import { useDoing, useLoad } from "../core/load.ts";
import { account } from "../core/session.ts";
import { lastFilter, setViews, type View } from "../feed/watchers.ts";
import { Screen } from "../parts/screen.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { tell } from "../parts/toast.tsx";

/** Saved filters of the feed, with the alerts that some have. */
export default function Views() {
  const id = account.value?.id ?? "";
  const list = useLoad(`views ${id}`, async () => {
    const answer = await appCall<{ data: View[] }>("GET", `/accounts/${id}/views`);
    setViews(answer.data);
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
  const doing = useDoing();
  const change = (view: View, body: object, said: string) =>
    doing.run(async () => {
      await appCall("PATCH", `/views/${view.id}`, { body });
      tell(said);
      again();
    });
  const setNotify = async (view: View, isOn: boolean) => {
    if (isOn && "Notification" in window) await Notification.requestPermission();
    await change(
      view,
      { alert: isOn ? { notify: true, sound: view.alert?.sound ?? false } : null },
      isOn ? "Alert on" : "Alert off",
    );
  };
  const remove = (view: View) =>
    doing.run(async () => {
      await appCall("DELETE", `/views/${view.id}`);
      tell(`View ${view.name} deleted`);
      again();
    });
  return (
    <>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <Table head={["View", "Filter", "Alert", "Sound", "Shared", { unseen: "Actions" }]}>
        {all.map((view) => (
          <tr key={view.id}>
            <td>
              <a href={at("feed") + queryText(paramsOf(view.filters))}>
                <bdi>{view.name}</bdi>
              </a>
            </td>
            <td class="soft">
              {chipsOf(view.filters)
                .map(({ text }) => text)
                .join(" · ") || "Every item"}
            </td>
            <Switch
              label={`Alert of ${view.name}`}
              isOn={view.alert !== null}
              set={(isOn) => void setNotify(view, isOn)}
            />
            <Switch
              label={`Sound of ${view.name}`}
              isOn={view.alert?.sound === true}
              set={(sound) =>
                void change(
                  view,
                  { alert: { notify: view.alert?.notify ?? false, sound } },
                  sound ? "Sound on" : "Sound off",
                )
              }
            />
            <Switch
              label={`Share ${view.name} with the account`}
              isOn={view.shared}
              set={(shared) =>
                void change(view, { shared }, shared ? "Shared with the account" : "Only yours")
              }
            />
            <td>
              <button type="button" class="button plain danger" onClick={() => void remove(view)}>
                Delete<span class="unseen"> {view.name}</span>
              </button>
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Switch({ label, isOn, set }: { label: string; isOn: boolean; set: (isOn: boolean) => void }) {
  return (
    <td>
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => set(currentTarget.checked)} />
        <span class="unseen">{label}</span>
      </label>
    </td>
  );
}
