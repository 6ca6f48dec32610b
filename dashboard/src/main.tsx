import { render } from "preact";
import "./draw/drawn.ts";
import { App } from "./app.tsx";
import { failureOf } from "./core/failure.ts";
import { begin } from "./core/session.ts";
import { Problem } from "./parts/states.tsx";

const place = document.getElementById("app");

function draw(): void {
  if (place === null) return;
  render(<App />, place);
}

// Asked first: the answer is under way while the page is drawn.
const begun = begin();
draw();
begun.catch((error: unknown) => {
  if (place !== null)
    render(
      <main class="screen">
        <Problem failure={failureOf(error)} again={() => location.reload()} />
      </main>,
      place,
    );
});
