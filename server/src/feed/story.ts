/** Which items tell the same story. How it is told: docs/adr/0029-copies-keep-their-own-score.md. */
export { type Findings, type StoryFacts, storyFacts } from "./story/facts.ts";
export {
  mostEntries,
  nothingRecalled,
  type Recalled,
  StoryMemory,
  type StorySketch,
} from "./story/memory.ts";
