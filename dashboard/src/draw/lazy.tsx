import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component whose script is loaded when it is drawn. */
export interface Late<P> {
  (props: P): preact.JSX.Element | null;
  /** @returns null: it is there */
  readonly load: () => Promise<void> | null;
}

/**
 * A component that is loaded when it is drawn. A page that was opened before the service was updated asks for files that are
 * gone: it is loaded again.
 */
export function lazy<P extends object = object>(from: () => Promise<ComponentType<P>>): Late<P> {
  let Of: ComponentType<P> | null = null;
  let under: Promise<void> | null = null;
  const load = () => {
    if (Of !== null) return null;
    under ??= from().then(
      (loaded) => {
        Of = loaded;
      },
      () => location.reload(),
    );
    return under;
  };
  const Late = (props: P) => {
    const [, draw] = useState(false);
    const loading = load();
    useEffect(() => void loading?.then(() => draw(true)), []);
    return Of === null ? null : <Of {...props} />;
  };
  return Object.assign(Late, { load });
}
