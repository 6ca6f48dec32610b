/** A component that reads signals while it is drawn is drawn again when one of them changes. */
import { type Component, options } from "preact";
import { useState } from "preact/hooks";
import { begin, forget, type Reader, type Signal, signal } from "./signal.ts";

declare module "preact" {
  interface Options {
    /** Preact's name of the hook that runs before a component is drawn; its own hooks and signals use it too. */
    __r?(vnode: VNode): void;
  }
  interface VNode {
    /** Preact's name of the component of a node. */
    __c?: Component | null;
  }
}

/** A signal of a component's own. */
export const useSignal = <T>(value: T): Signal<T> => useState(() => signal(value))[0];

const components = new WeakMap<Component, Reader>();

function readerOf(component: Component): Reader {
  const known = components.get(component);
  if (known !== undefined) return known;
  const made = { read: new Set<Set<Reader>>(), told: () => component.setState({}) };
  components.set(component, made);
  return made;
}

const { __r: drawing, diffed, unmount } = options;
options.__r = (vnode) => {
  // Effects of the component may run here, and read for themselves.
  begin(null);
  drawing?.(vnode);
  if (vnode.__c) begin(readerOf(vnode.__c));
};
options.diffed = (vnode) => {
  begin(null);
  diffed?.(vnode);
};
options.unmount = (vnode) => {
  const gone = vnode.__c ? components.get(vnode.__c) : undefined;
  if (gone !== undefined) forget(gone);
  unmount?.(vnode);
};
