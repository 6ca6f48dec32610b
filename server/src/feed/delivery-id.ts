/** webhook-id of a log entry: the same for every endpoint, attempt, resend and replay. It contains no dot. */
export function deliveryIdOf(itemId: string, seq: number): string {
  return `msg_${itemId.replaceAll("-", "")}_${seq}`;
}

/** @returns null when the text is no delivery id */
export function parseDeliveryId(text: string): { readonly itemId: string; readonly seq: number } | null {
  const found = /^msg_([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})_(\d{1,15})$/.exec(text);
  if (found === null) return null;
  return { itemId: found.slice(1, 6).join("-"), seq: Number(found[6]) };
}
