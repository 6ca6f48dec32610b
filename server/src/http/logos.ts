import { createHash } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Answer, Params } from "./wire/types.ts";

/** Provider ids and logoids; the longest logoid of the symbol table has 130 characters. */
const wellFormed = /^[a-z0-9][a-z0-9._-]{0,199}$/;
const separators = /[._-]+/;

/** The id of a symbol's logo, made from its logoid or ticker. @returns a well-formed id; a well-formed one does not change */
export function logoIdOf(text: string): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 200);
  return id === "" ? "symbol" : id;
}

/** @param baseUrl address of the service for clients, with or without a path, without a slash at its end */
export function logoUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/logos/${id}.svg`;
}

const headers = {
  "Content-Type": "image/svg+xml; charset=utf-8",
  "Cache-Control": "public, max-age=604800",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
  "X-Content-Type-Options": "nosniff",
  // Lets pages of other origins use the picture, including cross-origin isolated ones.
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;

/**
 * GET /logos/{id}.svg, without a key. Any well-formed id has a picture, the same in every deployment.
 * @throws {ApiError} not_found
 */
export function logo({ file = "" }: Params): Answer {
  const id = file.endsWith(".svg") ? file.slice(0, -".svg".length) : "";
  if (!wellFormed.test(id)) throw new ApiError("not_found", { detail: "There is no logo with this name" });
  return { body: monogram(id), headers };
}

/** Of the picture's 64 units: the largest font size, and the largest width of the text. */
const lettering = { fontSize: 34, width: 52 } as const;

/** Letter widths in usual bold fonts, relative to the font size: M and W are wide, the others differ little. */
const widthOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum + (/[MW]/.test(letter) ? 1.1 : 0.8), 0);

/** A rounded square with the initials of an id. A well-formed id has no character that XML would need escaped. */
function monogram(id: string): string {
  const letters = initialsOf(id);
  const size = Math.min(lettering.fontSize, Math.floor(lettering.width / widthOf(letters)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img"><title>${titleOf(id)}</title>`,
    `<rect width="64" height="64" rx="14" fill="${backgroundOf(id)}"/>`,
    `<text x="32" y="32" dy="0.36em" fill="#ffffff" text-anchor="middle" font-size="${size}" font-weight="600"`,
    ` font-family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif">${letters}</text></svg>`,
  ].join("");
}

const minorWords: ReadonlySet<string> = new Set(["and", "de", "for", "of", "on", "the"]);

const wordsOf = (id: string): string[] => id.split(separators).filter((word) => word !== "");

/** 1 to 4 letters: a short id as a whole (`sec` is SEC, `brk.b` is BRKB), else the initials of its first significant words. */
function initialsOf(id: string): string {
  const words = wordsOf(id);
  const whole = words.join("");
  if (whole.length <= 4) return whole.toUpperCase();
  const major = words.filter((word) => !minorWords.has(word));
  const initials = (major.length === 0 ? words : major).slice(0, 3).map((word) => word.charAt(0));
  return initials.join("").toUpperCase();
}

/** `meta-platforms` becomes Meta Platforms; an id that is short enough for the logo is shown in capitals. */
function titleOf(id: string): string {
  if (wordsOf(id).join("").length <= 4) return id.toUpperCase();
  return wordsOf(id)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** Contrast of small text with its background: WCAG 2.2, 1.4.3, level AA. */
const leastContrast = 4.5;

/** A colour made from the id, as bright as white letters allow. */
function backgroundOf(id: string): string {
  const digest = createHash("sha256").update(id).digest();
  const hue = (digest.readUInt16BE(0) / 65_536) * 360;
  const saturation = 0.5 + (digest.readUInt8(2) / 255) * 0.2;
  let lightness = 0.5;
  let colour = rgbOf(hue, saturation, lightness);
  while (contrastWithWhite(colour) < leastContrast) {
    lightness -= 0.02;
    colour = rgbOf(hue, saturation, lightness);
  }
  return `#${colour.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Channels 0..255 of an HSL colour (CSS Color 4, 7.1). @param hue degrees */
function rgbOf(hue: number, saturation: number, lightness: number): number[] {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const k = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}

/** 1..21 (WCAG 2.2, contrast ratio). */
function contrastWithWhite(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
