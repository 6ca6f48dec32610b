import { useState } from "preact/hooks";
import { get } from "../api.ts";
import { Spread } from "../charts/spread.tsx";
import { type Axis, axes, dimensions, withAxis, withTitle } from "../core/filter.ts";
import { short } from "../core/format.ts";
import { useGet, useLoad } from "../core/load.ts";
import type { EventList, Filters, Provider, SymbolEntry, TagList } from "../core/types.ts";
import { useId } from "../draw/id.ts";
import { Check, Field, Segments } from "../forms/field.tsx";
import { useHeld } from "../forms/held.ts";
import { NumberField } from "./number-field.tsx";

interface FieldsProps {
  readonly filter: Filters;
  readonly setFilter: (filter: Filters) => void;
  /** Webhooks cannot filter by source and provider. */
  readonly isForWebhook?: boolean;
  readonly wrong?: (name: string) => string | null;
}

interface Option {
  readonly value: string;
  readonly label: string;
  readonly count?: number;
}

/** Values that can be chosen on the axes that are not free text. */
function useOptions(): (param: string) => readonly Option[] {
  const sources = useGet<{ data: string[] }>("/v1/sources");
  const providers = useGet<{ data: Provider[] }>("/v1/providers");
  const events = useGet<EventList>("/v1/events");
  return (param) => {
    if (param === "aggregator") return (sources.data?.data ?? []).map((value) => ({ value, label: value }));
    if (param === "provider")
      return (providers.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
    if (param === "event")
      return (events.data?.data ?? []).map(({ name, label }) => ({ value: name, label }));
    return [];
  };
}

/** Every axis of a filter as fields; the feed and webhooks share it. */
export function FilterFields({ filter, setFilter, isForWebhook = false, wrong = () => null }: FieldsProps) {
  const optionsOf = useOptions();
  const lists = axes.filter(
    ({ param, isOnWebhooks }) => !dimensions.some((one) => one === param) && (isOnWebhooks || !isForWebhook),
  );
  return (
    <>
      <Title filter={filter} setFilter={setFilter} wrong={wrong} />
      <Actionability filter={filter} setFilter={setFilter} />
      {lists.map((axis) => (
        <Picker
          key={axis.param}
          axis={axis}
          values={axis.read(filter) ?? []}
          options={optionsOf(axis.param)}
          wrong={wrong(axis.param === "symbol" ? "symbols" : axis.param)}
          change={(values) => setFilter(withAxis(filter, axis, values))}
        />
      ))}
      <Sentiment filter={filter} setFilter={setFilter} />
      <TagFields filter={filter} setFilter={setFilter} />
      <Check
        isOn={filter.story_copies === false}
        set={(isOn) => {
          const { story_copies: _, ...rest } = filter;
          setFilter(isOn ? { ...rest, story_copies: false } : rest);
        }}
      >
        Leave out copies of a story
      </Check>
    </>
  );
}

function Actionability({ filter, setFilter }: FieldsProps) {
  const { actionability, ...rest } = filter;
  const value = actionability === undefined ? "any" : actionability ? "yes" : "no";
  return (
    <div class="field">
      <span>Actionable</span>
      <Segments
        label="Actionable"
        value={value}
        choices={{ any: "Any", yes: "Yes", no: "No" }}
        choose={(to) => setFilter(to === "any" ? rest : { ...rest, actionability: to === "yes" })}
      />
    </div>
  );
}

interface PickerProps {
  readonly axis: Axis;
  readonly values: readonly string[];
  readonly options: readonly Option[];
  readonly wrong: string | null;
  readonly change: (values: readonly string[]) => void;
}

/** Chosen symbols beyond these are not looked up. */
const mostLooked = 8;

/** The first of the symbols that the table does not have. A search gives the one with that ticker first. */
async function unknownOf(values: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const known = await Promise.all(
    values
      .slice(0, mostLooked)
      .map((q) => get<{ data: SymbolEntry[] }>("/v1/symbols", { q, limit: 1 }, signal)),
  );
  return values.find(
    (value, at) => known[at] && known[at].data[0]?.short_symbol !== value.split(":").at(-1)?.toUpperCase(),
  );
}

/** Chosen values, and a field that adds one; symbols are looked up as one writes. */
function Picker({ axis, values, options, wrong, change }: PickerProps) {
  const [text, setText] = useState("");
  const list = useId();
  const isSymbol = axis.param === "symbol";
  const found = useGet<{ data: SymbolEntry[] }>(isSymbol && text.length > 0 ? "/v1/symbols" : null, {
    q: text,
    limit: 12,
  });
  const offered = isSymbol
    ? (found.data?.data ?? []).map((one) => ({ value: one.symbol, label: one.name ?? "" }))
    : options;
  const add = (given: string) => {
    const value = given.trim();
    if (value !== "" && !values.includes(value))
      change([...values, isSymbol || axis.param === "exchange" ? value.toUpperCase() : value]);
    setText("");
  };
  const unknown = useLoad(isSymbol && values.length > 0 ? `known ${values}` : null, (signal) =>
    unknownOf(values, signal),
  );
  const told = unknown.data ? `No symbol ${unknown.data} is known: search by company in Find` : null;
  return (
    <Field label={axis.label} wrong={wrong ?? told}>
      {(given) => (
        <>
          {values.length > 0 && (
            <div class="chips">
              {values.map((value) => (
                <button
                  key={value}
                  type="button"
                  class="chip on"
                  aria-label={`Remove ${value}`}
                  onClick={() => change(values.filter((one) => one !== value))}
                >
                  <bdi>{options.find((one) => one.value === value)?.label ?? axis.said(value)}</bdi>{" "}
                  <span aria-hidden="true">×</span>
                </button>
              ))}
            </div>
          )}
          <input
            {...given}
            list={list}
            value={text}
            autocomplete="off"
            placeholder={isSymbol ? "AAPL or NASDAQ:AAPL" : "Add"}
            onInput={({ currentTarget }) => {
              const { value } = currentTarget;
              if (offered.some((one) => one.value === value)) add(value);
              else setText(value);
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add(text);
            }}
            onBlur={() => add(text)}
          />
          <datalist id={list}>
            {offered.slice(0, 200).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** The search box. What is typed holds when it is left or Enter is pressed: each change is another stream. */
function Title({ filter, setFilter, wrong }: FieldsProps) {
  const field = useHeld(filter.q ?? "");
  return (
    <Field label="Words of the title" hint={'All of them; "a phrase"; -not'} wrong={wrong?.("q") ?? null}>
      {(given) => (
        <input
          {...given}
          ref={field}
          type="search"
          maxLength={200}
          onChange={({ currentTarget }) => setFilter(withTitle(filter, currentTarget.value))}
        />
      )}
    </Field>
  );
}

const pairs = [
  ["sentiment_min", "sentiment_max"],
  ["min_conviction", "min_actionability_score"],
] as const;

/** Bounds of the sentiment, over how the last day's items are spread. */
function Sentiment({ filter, setFilter }: FieldsProps) {
  const isIn = (score: number) =>
    score >= (filter.sentiment_min ?? 0) && score <= (filter.sentiment_max ?? 10);
  return (
    <fieldset class="stack">
      <legend>Scores</legend>
      <Spread of="sentiment" hours={24} isIn={isIn} />
      {pairs.map((pair) => (
        <div key={pair[0]} class="row">
          {pair.map((name) => (
            <NumberField key={name} name={name} filter={filter} setFilter={setFilter} />
          ))}
        </div>
      ))}
      <p class="quiet small">In code and addresses sentiment is 0 to 10: five more.</p>
    </fieldset>
  );
}

const firstShown = 10;

/** The tag dimensions with how many items each value has. */
function TagFields({ filter, setFilter }: FieldsProps) {
  const tags = useGet<TagList>("/v1/tags");
  return (
    <>
      {(tags.data?.data ?? []).map(({ dimension, label, values }) => {
        const axis = axes.find(({ param }) => param === dimension);
        const chosen = axis?.read(filter) ?? [];
        if (axis === undefined) return null;
        const sorted = values.toSorted((a, b) => b.count - a.count);
        return (
          <details key={dimension} open={chosen.length > 0}>
            <summary>
              {label}
              {chosen.length > 0 && ` (${chosen.length})`}
            </summary>
            <div class="options">
              {sorted
                .filter(({ value }, index) => index < firstShown || chosen.includes(value))
                .map(({ value, label: name, count }) => (
                  <Check
                    key={value}
                    isOn={chosen.includes(value)}
                    set={(isOn) =>
                      setFilter(
                        withAxis(
                          filter,
                          axis,
                          isOn ? [...chosen, value] : chosen.filter((one) => one !== value),
                        ),
                      )
                    }
                  >
                    <span class="clip">{name}</span> <span class="num quiet small">{short(count)}</span>
                  </Check>
                ))}
            </div>
          </details>
        );
      })}
    </>
  );
}
