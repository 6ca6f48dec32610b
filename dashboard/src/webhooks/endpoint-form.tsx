import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { at, go } from "../core/address.ts";
import { notOnWebhooks, onWebhooks } from "../core/filter.ts";
import type { Filters } from "../core/types.ts";
import { lazy } from "../draw/lazy.tsx";
import { Input, Select } from "../forms/field.tsx";
import { useFields } from "../forms/fields.ts";
import { Form } from "../forms/form.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { tell } from "../parts/toast.tsx";
import type { Webhook, WebhookWithoutSecret } from "./types.ts";

const WouldMatch = lazy(() => import("../shell/door.ts").then((door) => door.WouldMatch));
const FilterFields = lazy(() => import("../shell/door.ts").then((door) => door.FilterFields));

interface FormProps {
  readonly filter: Filters;
  readonly close: () => void;
  /** The endpoint to change; absent: a new one. */
  readonly hook?: WebhookWithoutSecret;
  readonly saved?: () => void;
}

/** Makes or changes an endpoint. */
export function EndpointForm({ filter: given, close, hook, saved }: FormProps) {
  const { doing, values, field } = useFields({
    url: hook?.url ?? "",
    description: hook?.description ?? "",
    max_age: String(hook?.max_age ?? 86_400),
    format: hook?.format ?? "tapewire",
  });
  const [filter, setFilter] = useState<Filters>(onWebhooks(given));
  const lost = notOnWebhooks(given);
  const save = async () => {
    const { description, ...settings } = values;
    const body = { ...settings, filters: filter, max_age: Number(values.max_age) };
    if (hook === undefined) {
      const made = await send<Webhook>("POST", "/v1/webhooks", {
        ...body,
        ...(description !== "" && { description }),
      });
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
          {...field("url")}
          type="url"
          required
          placeholder="https://example.com/hook"
        />
        <Input label="Description" {...field("description")} maxLength={500} />
        <Select
          label="Format"
          hint={
            values.format === "telegram"
              ? "URL: https://api.telegram.org/bot<TOKEN>/sendMessage?chat_id=<CHAT>"
              : ""
          }
          {...field("format")}
          options={formats}
        />
        <Select label="Stop retrying after" {...field("max_age")} options={ages(Number(values.max_age))} />
        {lost && <p class="note">{lost}</p>}
        <h3>Which items</h3>
        <WouldMatch filter={filter} />
        <FilterFields filter={filter} setFilter={setFilter} isForWebhook wrong={wrong} />
      </Form>
    </Dialog>
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
