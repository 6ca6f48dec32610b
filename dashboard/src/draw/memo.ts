import { Component, type ComponentChild, type ComponentClass } from "preact";

/** A component that is drawn again only when one of its properties is another (preact/compat has it, with much else). */
export function memo<P extends object>(draw: (props: P) => ComponentChild): ComponentClass<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>, state: object): boolean {
      // A signal that it reads has changed.
      if (state !== this.state) return true;
      for (const name in next) if (next[name] !== this.props[name]) return true;
      return false;
    }
    override render(props: P): ComponentChild {
      return draw(props);
    }
  };
}
