/** Values that examples share, so that a reader can follow one object through all of them. */
export const exampleIds = {
  item: "9961c939-c6c0-546b-a706-2aa5e06c3d13",
  account: "75c962cc-1daa-4702-b724-57d84c2e677f",
  key: "19a46ead-6489-43dd-a071-7cc2501bc788",
  webhook: "0b9c3f52-7f0e-4d2b-9a53-1f0d6a0c8e11",
  delivery: "msg_9961c939c6c0546ba7062aa5e06c3d13_48213",
  person: "5d0a4f0e-3c0f-4a57-9b59-5f1c2f4f6a90",
  session: "b2d1c1f4-7f0b-4a52-8d15-7b0d8e9c5a11",
  view: "e7a0f6de-6a2b-4f43-b5a5-0c3f3c0b7d21",
  request: "0a738569-314b-48bf-8e38-ab1abf92acd9",
} as const;
export const exampleCursor = "MSwyMDI2LTAzLTAyVDE0OjMwOjAwLjAwMFo";
export const exampleEtag = 'W/"pZkzBc1qvFzN8m2tq1uH0A"';

/** The times of one item: published, seen, scored. And the next reset of daily quotas. */
export const exampleTimes = {
  published: "2026-03-02T14:30:00.000Z",
  seen: "2026-03-02T14:30:02.125Z",
  scored: "2026-03-02T14:30:02.163Z",
  tonight: "2026-03-03T00:00:00.000Z",
} as const;

/** Filters of the example stream and of the example webhook endpoint. */
export const exampleFilters = {
  symbols: ["DEMO:OBTX"],
  actionability: true,
  tags: { corp_activity: ["earnings"] },
};
