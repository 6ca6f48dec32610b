/** Artifacts with invented content: one that is likely to move a price, and one that is not. */
export const news = {
  type: "news",
  title: "Quillbrook Corp raises full-year guidance after record quarter",
  body: "Revenue rose 24% to $84 million. The company now expects revenue of $340 million for the year.",
} as const;
export const dull = {
  type: "news",
  title: "Five things to know about gardening",
  body: "Water your plants.",
} as const;
