/** Which items tell the same story: docs/adr/0029-copies-keep-their-own-score.md, 0034 and 0044. */
export { judgedAlone } from "./alone.ts";
export { type Findings, type StoryFacts, type StoryItem, storyFacts } from "./facts.ts";
export {
  mostEntries,
  nothingRecalled,
  type Recalled,
  StoryMemory,
  type StorySketch,
  type VerdictAlone,
} from "./known-stories.ts";
