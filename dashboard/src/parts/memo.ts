import { Component, type ComponentChild, type FunctionComponent, h } from "preact";

/** A component that is drawn again only when one of its properties is another (preact/compat has it, with much else). */
export function memo<P extends object>(draw: (props: P) => ComponentChild): FunctionComponent<P> {
  class Kept extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>, state: object): boolean {
      // A signal that it reads has changed.
      if (state !== this.state) return true;
      const before: Readonly<Record<string, unknown>> = { ...this.props };
      return Object.entries(next).some(([name, value]) => before[name] !== value);
    }
    override render(props: P): ComponentChild {
      return draw(props);
    }
  }
  return (props) => h(Kept, props);
}
