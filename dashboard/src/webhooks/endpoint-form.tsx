import { useState } from "preact/hooks";
import { toWebhook } from "tapewire";
import { send } from "../api.ts";
import { at, go } from "../core/address.ts";
import { notOnWebhooks } from "../core/filter.ts";
import { useDoing } from "../core/load.ts";
import type { Filters } from "../core/types.ts";
import { FilterFields } from "../filter/filter-fields.tsx";
import { WouldMatch } from "../filter/would-match.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Input, Select } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
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
      const made = await send<Webhook>("POST", "/v1/webhooks", body);
      go(`${at("webhooks", made.id)}?tab=Settings&new=1`);
      return;
    }
    await send("PATCH", `/v1/webhooks/${hook.id}`, {
      ...body,
      description: description === "" ? null : description,
    });
    tell("Endpoint saved");
    saved?.();
    close();
  };
  const wrong = (name: string) => doing.failure?.field(`filters.${name}`) ?? null;
  return (
    <Dialog title={hook === undefined ? "Create a webhook" : "Change the webhook"} close={close} isSide>
      <Form doing={doing} send={save} label={hook === undefined ? "Create" : "Save"}>
        <Input
          label="URL"
          hint="https, or http on this machine where the service allows it."
          wrong={doing.failure?.field("url")}
          type="url"
          required
          value={url}
          placeholder="https://example.com/hook"
          set={setUrl}
        />
        <Input
          label="Description"
          wrong={doing.failure?.field("description")}
          maxLength={500}
          value={description}
          set={setDescription}
        />
        <FormatField format={format} setFormat={setFormat} wrong={doing.failure?.field("format")} />
        <Select
          label="Stop retrying after"
          wrong={doing.failure?.field("max_age")}
          value={maxAgeS}
          set={(to) => setMaxAge(Number(to))}
          options={ages(maxAgeS)}
        />
        {lost.length > 0 && (
          <p class="note">
            Webhooks cannot filter by {lost.join(" and ").toLowerCase()}: that part is left out.
          </p>
        )}
        <h3>Which items</h3>
        <WouldMatch filter={filter} />
        <FilterFields filter={filter} setFilter={setFilter} isForWebhook wrong={wrong} />
      </Form>
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
  return <Select label="Format" hint={hint} wrong={wrong} value={format} set={setFormat} options={formats} />;
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
