import type { ButtonHTMLAttributes, ComponentChildren } from "preact";

interface ButtonProps extends Omit<ButtonHTMLAttributes, "onClick" | "type" | "class" | "style"> {
  /** Words of the style sheet, such as `main` or `plain danger`. */
  readonly look?: string;
  readonly run: () => unknown;
  readonly children: ComponentChildren;
}

/** A button that does something. */
export const Button = ({ look = "", run, ...rest }: ButtonProps) => (
  <button type="button" class={`button ${look}`} onClick={() => void run()} {...rest} />
);
