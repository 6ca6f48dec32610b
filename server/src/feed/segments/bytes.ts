/** The bytes of all parts, one after another. */
export function joined(parts: readonly ArrayBufferView[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return bytes;
}

/** A copy, which is aligned and keeps no larger buffer alive. */
export function copied(bytes: Uint8Array): ArrayBuffer {
  const made = new Uint8Array(bytes.length);
  made.set(bytes);
  return made.buffer;
}
