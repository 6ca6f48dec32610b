/** Whether this is the name of a time zone that dates can be read in. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
