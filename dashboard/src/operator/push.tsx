import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { at } from "../core/address.ts";
import { Button } from "../forms/button.tsx";
import { Input, TextArea } from "../forms/field.tsx";
import { useFields } from "../forms/fields.ts";
import { Form } from "../forms/form.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { tell } from "../parts/toast.tsx";
import type { PushResult } from "./types.ts";

/** An item of the operator's own: it goes the way of every other. */
export function PushForm({ close }: { close: () => void }) {
  const { doing, values, field } = useFields({ title: "", body: "", symbols: "" }, "[0].");
  const [made, setMade] = useState<PushResult | null>(null);
  const push = async () => {
    const named = values.symbols.split(/[\s,]+/).filter((one) => one !== "");
    const { data } = await send<{ data: PushResult[] }>("POST", "/admin/v1/items", [
      { ...values, symbols: named },
    ]);
    setMade(data[0] ?? null);
  };
  const retract = async (id: string) => {
    await send("DELETE", `/admin/v1/items/${id}`);
    tell("Item retracted");
    setMade(null);
  };
  return (
    <Dialog title="Push an item" close={close}>
      <Form doing={doing} send={push} label="Push">
        <Input label="Title" {...field("title")} required maxLength={1_000} />
        <TextArea label="Text" {...field("body")} />
        <Input
          label="Symbols"
          hint="AAPL, NASDAQ:MSFT. Others are found in the text."
          {...field("symbols")}
        />
      </Form>
      {made !== null && (
        <p class={`note ${made.status === "rejected" ? "wrong" : "live"} row wrap`} role="status">
          <span class="grow">
            {made.status === "rejected" ? `Rejected: ${made.error}` : `The item is ${made.status}.`}
          </span>
          {made.id !== null && (
            <>
              <a class="button" href={at("item", made.id)}>
                Open it
              </a>
              <Button look="danger" run={() => doing.run(() => retract(made.id ?? ""))}>
                Retract
              </Button>
            </>
          )}
        </p>
      )}
    </Dialog>
  );
}
