import fc from "fast-check";

/**
 * Every character of Unicode, half surrogates excepted: as fast-check's own unit "binary", which takes a second of
 * processor in each process to prepare for text that nobody gives it.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + 0x800));
