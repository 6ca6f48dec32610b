import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { at } from "../core/address.ts";
import { useDoing } from "../core/load.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Problem } from "../parts/states.tsx";
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
    const { data } = await call<{ data: PushResult[] }>("POST", "/admin/v1/items", {
      body: [{ title, body, symbols: named }],
    });
    setMade(data[0] ?? null);
  };
  const retract = async (id: string) => {
    await call("DELETE", `/admin/v1/items/${id}`);
    tell("Item retracted");
    setMade(null);
  };
  return (
    <Dialog title="Push an item" close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void doing.run(push);
        }}
      >
        <Field label="Title" wrong={doing.failure?.field("[0].title")}>
          {(given) => (
            <input
              {...given}
              required
              maxLength={1_000}
              value={title}
              onInput={({ currentTarget }) => setTitle(currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Text">
          {(given) => (
            <textarea {...given} value={body} onInput={({ currentTarget }) => setBody(currentTarget.value)} />
          )}
        </Field>
        <Field label="Symbols" hint="AAPL, NASDAQ:MSFT. Others are found in the text.">
          {(given) => (
            <input
              {...given}
              value={symbols}
              onInput={({ currentTarget }) => setSymbols(currentTarget.value)}
            />
          )}
        </Field>
        {doing.failure !== null && <Problem failure={doing.failure} />}
        <div>
          <button type="submit" class="button main" disabled={doing.isBusy}>
            Push
          </button>
        </div>
      </form>
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
              <button
                type="button"
                class="button danger"
                onClick={() => void doing.run(() => retract(made.id ?? ""))}
              >
                Retract
              </button>
            </>
          )}
        </p>
      )}
    </Dialog>
  );
}
