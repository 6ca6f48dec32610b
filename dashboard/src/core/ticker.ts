/** What is written as a ticker, or as EXCHANGE:TICKER, whether or not the service's table has it; null: it is something else. */
export const tickerOf = (text: string): string | null =>
  /^[\w.:/-]{1,24}$/.test(text) ? text.toUpperCase() : null;
