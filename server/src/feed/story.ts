/** Which items tell the same story. How it is told: docs/adr/0029-copies-keep-their-own-score.md. */
export { type StoryFacts, storyFacts, type Told } from "./story/facts.ts";
export {
  mostEntries,
  nothingRecalled,
  type Recalled,
  StoryMemory,
  type StorySketch,
} from "./story/memory.ts";
