/** Which items tell the same story. How it is told: docs/adr/0029-copies-keep-their-own-score.md, 0034 and 0044. */
export { judgedAlone } from "./story/alone.ts";
export { type Findings, type StoryFacts, type StoryItem, storyFacts } from "./story/facts.ts";
export {
  mostEntries,
  nothingRecalled,
  type Recalled,
  StoryMemory,
  type StorySketch,
  type VerdictAlone,
} from "./story/memory.ts";
