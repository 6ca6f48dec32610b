import type { Exchange, Params } from "./exchange.ts";

/** Answers an exchange, or throws what becomes its problem document. */
export type Serve = (exchange: Exchange, params: Params) => Promise<void>;

interface Place {
  readonly names: readonly string[];
  readonly serve: Serve;
}

const noValues: readonly string[] = [];
const noParams: Params = {};

/** What there is under a path. */
export class Found {
  readonly #places: ReadonlyMap<string, Place>;
  readonly #values: readonly string[];

  constructor(places: ReadonlyMap<string, Place>, values: readonly string[]) {
    this.#places = places;
    this.#values = values;
  }

  /** Those that may be used, for Allow; HEAD beside GET. */
  get methods(): string[] {
    return [...this.#places.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  }

  /** @returns null when the path does not take the method */
  serve(method: string, exchange: Exchange): Promise<void> | null {
    const place = this.#places.get(method === "HEAD" ? "GET" : method);
    return place === undefined ? null : place.serve(exchange, this.#params(place.names));
  }

  #params(names: readonly string[]): Params {
    if (names.length === 0) return noParams;
    return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(this.#values[at] ?? "")]));
  }
}

/**
 * The paths of the server. A path is given as in the contract, with `{name}` for a segment that is a parameter; a path
 * without parameters goes before one with.
 */
export class Router {
  /** By shape: the path with `{}` for each parameter; then by method. */
  readonly #places = new Map<string, Map<string, Place>>();
  readonly #plain = new Map<string, Found>();
  /** Shapes with parameters, split, by their number of segments. */
  readonly #shapes = new Map<number, string[][]>();

  add(method: string, path: string, serve: Serve): void {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const shape = path.replaceAll(/\{\w+\}/g, "{}");
    const known = this.#places.get(shape);
    const places = known ?? new Map<string, Place>();
    places.set(method, { names, serve });
    if (known !== undefined) return;
    this.#places.set(shape, places);
    if (names.length === 0) {
      this.#plain.set(path, new Found(places, noValues));
      return;
    }
    const segments = shape.split("/");
    this.#shapes.set(segments.length, [...(this.#shapes.get(segments.length) ?? []), segments]);
  }

  /**
   * @param path percent-encoded UTF-8; parameters are decoded
   * @returns null when there is nothing under it
   */
  find(path: string): Found | null {
    const plain = this.#plain.get(path);
    if (plain !== undefined) return plain;
    const segments = path.split("/");
    const shape = this.#shapes.get(segments.length)?.find((one) => fits(one, segments));
    const places = this.#places.get(shape?.join("/") ?? "");
    if (shape === undefined || places === undefined) return null;
    const values = segments.filter((_, at) => shape[at] === "{}");
    return new Found(places, values);
  }
}

function fits(shape: readonly string[], segments: readonly string[]): boolean {
  return shape.every((part, at) => (part === "{}" ? segments[at] !== "" : part === segments[at]));
}
