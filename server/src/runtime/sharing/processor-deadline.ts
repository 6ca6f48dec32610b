/**
 * Bounds what one synchronous calculation takes of the event loop. It counts processor time of this thread: on a busy
 * machine the system may hold a thread for longer than any short deadline, and no calculation of ours is at fault then.
 * @returns a function to call between steps: it throws what `error` makes once the steps took `mostMs`
 */
export function processorDeadline(mostMs: number, error: () => Error): () => void {
  const start = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(start);
    if ((user + system) / 1_000 >= mostMs) throw error();
  };
}
