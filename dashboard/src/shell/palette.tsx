import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api.ts";
import { at, go } from "../core/address.ts";
import { isOperator } from "../core/session.ts";
import { looks, turn } from "../core/settings.ts";
import { tickerOf } from "../core/ticker.ts";
import type { SymbolEntry } from "../core/types.ts";
import { useId } from "../draw/id.ts";
import { places } from "./places.ts";

interface Command {
  readonly name: string;
  readonly kind: string;
  readonly run: () => void;
}

const fixed = (): readonly Command[] => [
  ...places
    .filter(({ group }) => group !== "Operator" || isOperator.value)
    .map(({ name, path }) => ({ name, kind: "Screen", run: () => go(path) })),
  { name: "Create a key", kind: "Action", run: () => go(`${at("keys")}?create=1`) },
  { name: "Create a webhook", kind: "Action", run: () => go(`${at("webhooks")}?create=1`) },
  { name: "Only actionable items", kind: "Action", run: () => go(`${at("feed")}?actionability=true`) },
  ...looks.map((look) => ({ name: look.next, kind: "Setting", run: () => turn(look) })),
];

/** Symbols of the service whose ticker or name begins with the text. */
function useSymbols(text: string): readonly Command[] {
  const [found, setFound] = useState<readonly Command[]>([]);
  useEffect(() => {
    const aborter = new AbortController();
    if (text.length === 0) setFound([]);
    else
      get<{ data: SymbolEntry[] }>("/v1/symbols", { q: text, limit: 8 }, aborter.signal)
        .then(({ data }) =>
          setFound(
            data.slice(0, 8).map(({ symbol, name }) => ({
              name: `${symbol}${name === null ? "" : `  ${name}`}`,
              kind: "Symbol",
              run: () => go(at("symbol", symbol)),
            })),
          ),
        )
        .catch(() => {});
    return () => aborter.abort();
  }, [text]);
  return found;
}

/** One field that leads to every screen, symbol, source and action. */
export default function Palette({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const box = useRef<HTMLDialogElement>(null);
  const list = useId();
  const asked = text.trim().toLowerCase();
  const commands = fixed().filter(({ name }) => name.toLowerCase().includes(asked));
  const search =
    asked === ""
      ? []
      : [
          {
            name: `Source ${asked}`,
            kind: "Feed",
            run: () => go(`${at("feed")}?aggregator=${encodeURIComponent(asked)}`),
          },
        ];
  const ticker = tickerOf(asked);
  // Items name tickers that the table does not have, and one ticker has a line on each exchange.
  const named =
    ticker === null
      ? []
      : [{ name: `Ticker ${ticker}`, kind: "Symbol", run: () => go(at("symbol", ticker)) }];
  const shown = [...commands, ...useSymbols(asked), ...named, ...search].slice(0, 16);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    command.run();
  };
  const move = (by: number) =>
    setChosen((before) => (before + by + shown.length) % Math.max(1, shown.length));
  return (
    <dialog ref={box} aria-label="Find" onCancel={close}>
      <input
        class="palette-input"
        placeholder="Screen, symbol, source or action"
        aria-label="Find"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={`${list}-${chosen}`}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") move(1);
          else if (event.key === "ArrowUp") move(-1);
          else if (event.key === "Enter") run(shown[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      <div class="palette-list" role="listbox" id={list} aria-label="Found">
        {shown.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field above has the focus and the keys
          <div
            key={`${command.kind}${command.name}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
          >
            <bdi class="grow clip">{command.name}</bdi>
            <span class="quiet small">{command.kind}</span>
          </div>
        ))}
      </div>
    </dialog>
  );
}
