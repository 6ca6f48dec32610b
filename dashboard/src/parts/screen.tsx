import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { setTitle } from "../core/address.ts";
import { Guard } from "./states.tsx";

/** A screen with its title and what one can do on it. */
export function Screen({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  useEffect(() => setTitle(title), [title]);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {actions}
      </header>
      {children}
    </div>
  );
}

/** A part of a screen under a heading. */
export function Panel({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      <Guard>{children}</Guard>
    </section>
  );
}

/** One of several parts, chosen by tabs. */
export function Tabs<T extends string>({
  label,
  names,
  value,
  choose,
}: {
  label: string;
  names: readonly T[];
  value: T;
  choose: (name: T) => void;
}) {
  return (
    <div class="tabs" role="tablist" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === value}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
