import type { Exchange, Params } from "./types.ts";

type ServeAs<E, A> = (exchange: E, params: Params) => Promise<A>;

interface Place<E, A> {
  readonly names: readonly string[];
  readonly serve: ServeAs<E, A>;
}

interface Shape<E, A> {
  /** The first path with this shape. */
  readonly template: string;
  readonly places: Map<string, Place<E, A>>;
}

const noValues: readonly string[] = [];
const noParams: Params = {};

/** The routes of a path. */
export class Found<E = Exchange, A = void> {
  /** The path as it was given to the router. */
  readonly template: string;
  readonly #places: ReadonlyMap<string, Place<E, A>>;
  readonly #values: readonly string[];

  constructor({ template, places }: Shape<E, A>, values: readonly string[]) {
    this.template = template;
    this.#places = places;
    this.#values = values;
  }

  /** Supported methods, for Allow. HEAD is supported wherever GET is. */
  get methods(): string[] {
    return [...this.#places.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  }

  takes(method: string): boolean {
    return this.#placeOf(method) !== undefined;
  }

  /** @returns null when the path does not support the method */
  serve(method: string, exchange: E): Promise<A> | null {
    const place = this.#placeOf(method);
    return place === undefined ? null : place.serve(exchange, this.#params(place.names));
  }

  #placeOf(method: string): Place<E, A> | undefined {
    return this.#places.get(method === "HEAD" ? "GET" : method);
  }

  #params(names: readonly string[]): Params {
    if (names.length === 0) return noParams;
    return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(this.#values[at] ?? "")]));
  }
}

/**
 * The paths of the server, written as in the contract: `{name}` is a parameter segment. A path without parameters takes
 * precedence over one with parameters. Requests in memory have exchanges of their own, which are answered by a value.
 */
export class Router<E = Exchange, A = void> {
  /** By path with `{}` for each parameter: the handlers by method. */
  readonly #shapes = new Map<string, Shape<E, A>>();
  readonly #plain = new Map<string, Found<E, A>>();
  /** Shapes with parameters, split into segments, by number of segments. */
  readonly #split = new Map<number, string[][]>();
  /** What is said of any path that does not exist; null: nothing but that. */
  readonly missing: string | null;

  constructor(missing: string | null = null) {
    this.missing = missing;
  }

  add(method: string, path: string, serve: ServeAs<E, A>): void {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const shape = path.replaceAll(/\{\w+\}/g, "{}");
    const known = this.#shapes.get(shape);
    const { template, places } = known ?? { template: path, places: new Map<string, Place<E, A>>() };
    places.set(method, { names, serve });
    if (known !== undefined) return;
    this.#shapes.set(shape, { template, places });
    if (names.length === 0) {
      this.#plain.set(path, new Found({ template, places }, noValues));
      return;
    }
    const segments = shape.split("/");
    this.#split.set(segments.length, [...(this.#split.get(segments.length) ?? []), segments]);
  }

  /**
   * @param path percent-encoded UTF-8; parameters are decoded
   * @returns null when the path does not exist
   */
  find(path: string): Found<E, A> | null {
    const plain = this.#plain.get(path);
    if (plain !== undefined) return plain;
    const segments = path.split("/");
    const parts = this.#split.get(segments.length)?.find((one) => fits(one, segments));
    const shape = this.#shapes.get(parts?.join("/") ?? "");
    if (parts === undefined || shape === undefined) return null;
    const values = segments.filter((_, at) => parts[at] === "{}");
    return new Found(shape, values);
  }
}

function fits(shape: readonly string[], segments: readonly string[]): boolean {
  return shape.every((part, at) => (part === "{}" ? segments[at] !== "" : part === segments[at]));
}
