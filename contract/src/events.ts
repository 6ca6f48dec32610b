/** Parts that companies play in an event. */
export const eventRoles = [
  "subject",
  "target",
  "acquirer",
  "seller",
  "buyer",
  "supplier",
  "customer",
  "rival",
  "partner",
  "plaintiff",
  "defendant",
  "broker",
  "adviser",
  "regulator",
  "venue",
  "other",
] as const;
export type EventRole = (typeof eventRoles)[number];
