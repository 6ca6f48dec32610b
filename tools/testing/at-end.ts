/** What a process of tests keeps from file to file, and gives up after the last one. */
const closing: (() => Promise<void>)[] = [];

/** Whether this process runs several files; else nothing is to be kept, and nothing that is registered here is called. */
export const runsManyFiles = /\btools\/testing\//.test(process.argv[1] ?? "");

/** @param close called once, after the last file */
export function atEnd(close: () => Promise<void>): void {
  closing.push(close);
}

export async function closeAll(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
}
