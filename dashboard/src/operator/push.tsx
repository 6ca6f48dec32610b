import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { at } from "../core/address.ts";
import { useDoing } from "../core/load.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Input, TextArea } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { tell } from "../parts/toast.tsx";
import type { PushResult } from "./types.ts";

/** An item of the operator's own: it goes the way of every other. */
export function PushForm({ close }: { close: () => void }) {
  const [title, setTitle] = useState("");
  const [body, setBody] = useState("");
  const [symbols, setSymbols] = useState("");
  const [made, setMade] = useState<PushResult | null>(null);
  const doing = useDoing();
  const push = async () => {
    const named = symbols.split(/[\s,]+/).filter((one) => one !== "");
    const { data } = await send<{ data: PushResult[] }>("POST", "/admin/v1/items", [
      { title, body, symbols: named },
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
        <Input
          label="Title"
          wrong={doing.failure?.field("[0].title")}
          required
          maxLength={1_000}
          value={title}
          set={setTitle}
        />
        <TextArea label="Text" value={body} set={setBody} />
        <Input
          label="Symbols"
          hint="AAPL, NASDAQ:MSFT. Others are found in the text."
          value={symbols}
          set={setSymbols}
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
