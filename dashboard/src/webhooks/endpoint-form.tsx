import { useState } from "preact/hooks";
import { toWebhook } from "tapewire";
import { call } from "../api.ts";
import { at, go } from "../core/address.ts";
import { notOnWebhooks } from "../core/filter.ts";
import { useDoing } from "../core/load.ts";
import type { Filters } from "../core/types.ts";
import { FilterFields } from "../filter/filter-fields.tsx";
import { WouldMatch } from "../filter/would-match.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Problem } from "../parts/states.tsx";
import { tell } from "../parts/toast.tsx";
import type { Webhook, WebhookWithoutSecret } from "./types.ts";

interface FormProps {
  readonly filter: Filters;
  readonly close: () => void;
  /** The endpoint to change; absent: a new one. */
  readonly hook?: WebhookWithoutSecret;
  readonly saved?: () => void;
}

/** Makes or changes an endpoint. */
export function EndpointForm({ filter: given, close, hook, saved }: FormProps) {
  const [url, setUrl] = useState(hook?.url ?? "");
  const [description, setDescription] = useState(hook?.description ?? "");
  const [maxAgeS, setMaxAge] = useState(hook?.max_age ?? 86_400);
  const [format, setFormat] = useState<string>(hook?.format ?? "tapewire");
  const [filter, setFilter] = useState<Filters>(toWebhook(given));
  const doing = useDoing();
  const lost = notOnWebhooks(given);
  const save = async () => {
    const settings = { url, filters: filter, max_age: maxAgeS, format };
    const body = { ...settings, ...(description === "" ? {} : { description }) };
    if (hook === undefined) {
      const made = await call<Webhook>("POST", "/v1/webhooks", { body });
      go(`${at("webhooks", made.id)}?tab=Settings&new=1`);
      return;
    }
    await call("PATCH", `/v1/webhooks/${hook.id}`, {
      body: { ...body, description: description === "" ? null : description },
    });
    tell("Endpoint saved");
    saved?.();
    close();
  };
  const wrong = (name: string) => doing.failure?.field(`filters.${name}`) ?? null;
  return (
    <Dialog title={hook === undefined ? "Create a webhook" : "Change the webhook"} close={close} isSide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void doing.run(save);
        }}
      >
        <Field
          label="URL"
          hint="https, or http on this machine where the service allows it."
          wrong={doing.failure?.field("url")}
        >
          {(aria) => (
            <input
              {...aria}
              type="url"
              required
              value={url}
              placeholder="https://example.com/hook"
              onInput={({ currentTarget }) => setUrl(currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Description" wrong={doing.failure?.field("description")}>
          {(aria) => (
            <input
              {...aria}
              maxLength={500}
              value={description}
              onInput={({ currentTarget }) => setDescription(currentTarget.value)}
            />
          )}
        </Field>
        <FormatField format={format} setFormat={setFormat} wrong={doing.failure?.field("format")} />
        <Field label="Stop retrying after" wrong={doing.failure?.field("max_age")}>
          {(aria) => (
            <select
              {...aria}
              value={maxAgeS}
              onChange={({ currentTarget }) => setMaxAge(Number(currentTarget.value))}
            >
              {ages(maxAgeS).map(([seconds, label]) => (
                <option key={seconds} value={seconds}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {lost.length > 0 && (
          <p class="note">
            Webhooks cannot filter by {lost.join(" and ").toLowerCase()}: that part is left out.
          </p>
        )}
        <h3>Which items</h3>
        <WouldMatch filter={filter} />
        <FilterFields filter={filter} setFilter={setFilter} isForWebhook wrong={wrong} />
        {doing.failure !== null && <Problem failure={doing.failure} />}
        <div>
          <button type="submit" class="button main" disabled={doing.isBusy}>
            {hook === undefined ? "Create" : "Save"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FormatFieldProps {
  readonly format: string;
  readonly setFormat: (format: string) => void;
  readonly wrong: string | null | undefined;
}

function FormatField({ format, setFormat, wrong }: FormatFieldProps) {
  const hint =
    format === "telegram" ? "URL: https://api.telegram.org/bot<TOKEN>/sendMessage?chat_id=<CHAT>" : "";
  return (
    <Field label="Format" hint={hint} wrong={wrong}>
      {(aria) => (
        <select {...aria} value={format} onChange={({ currentTarget }) => setFormat(currentTarget.value)}>
          {formats.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const formats = [
  ["tapewire", "JSON, signed"],
  ["slack", "Slack message"],
  ["discord", "Discord message"],
  ["telegram", "Telegram message"],
] as const;

const usualAges: readonly (readonly [number, string])[] = [
  [60, "1 minute"],
  [3_600, "1 hour"],
  [21_600, "6 hours"],
  [86_400, "1 day"],
  [604_800, "7 days"],
];
const ages = (current: number) =>
  usualAges.some(([seconds]) => seconds === current)
    ? usualAges
    : [...usualAges, [current, `${current} s`] as const];
