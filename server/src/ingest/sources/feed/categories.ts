import { cleanTitle } from "../../text/text.ts";
import type { FeedCategory } from "./entries.ts";

/**
 * The facts in an entry's categories. GlobeNewswire names the issuer in them:
 * <category domain="https://www.globenewswire.com/rss/stock">Nasdaq:ABCD, and .../rss/ISIN; another Tapewire with the domain
 * tapewire:symbol.
 */
export function categoriesOf(given: readonly FeedCategory[]): {
  symbols: string[];
  isins: string[];
  categories: string[];
} {
  const found: ReturnType<typeof categoriesOf> = { symbols: [], isins: [], categories: [] };
  for (const { name, domain } of given) {
    const text = cleanTitle(name);
    if (text === null) continue;
    if (domain !== null && /\/rss\/isin$/i.test(domain)) {
      if (isIsin(text)) found.isins.push(text.toUpperCase());
    } else if (
      domain !== null &&
      /\/rss\/stock$|^tapewire:symbol$/i.test(domain) &&
      /^[^:]{2,40}:\s*[^\s:]{1,12}$/.test(text)
    )
      found.symbols.push(text);
    else found.categories.push(text);
  }
  return found;
}

/** Country, nine letters or digits, and the check digit (ISO 6166): Luhn over the digits, letters as 10 to 35. */
export function isIsin(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}[0-9]$/i.test(text)) return false;
  const digits = [...text].map((character) => Number.parseInt(character, 36)).join("");
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
