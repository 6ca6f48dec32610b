import type { Plugin } from "vite";

/** The page neither saves a place nor has the client library fill gaps: the tape reads what is missing itself. */
const aids = /\/sdk\/src\/stream\/rarely\/aids\.ts$/;
const none = "export const aidsOf = null;";

/** Code that others bring and the page never runs. */
export const leftOut = (): Plugin => ({
  name: "left-out",
  apply: "build",
  enforce: "pre",
  load: (id) => (aids.test(id) ? none : null),
  /**
   * Vite's own late imports load style sheets and other scripts ahead. There are none to load: the page has one style
   * sheet, and a script imports what it needs.
   */
  configResolved: ({ plugins }) => {
    const late = plugins.find(({ name }) => name === "native:import-analysis-build");
    if (late === undefined) throw new Error("Vite's plugin of late imports has another name now");
    late.applyToEnvironment = () => false;
  },
});
