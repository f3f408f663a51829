/**
 * Milliseconds of processor time that a function takes in this process. Tests assert this instead
 * of wall-clock time, which includes time taken by other processes on the machine.
 */
export function processorMs(run: () => void): number {
  const began = process.cpuUsage();
  run();
  return processorMsSince(began);
}

/**
 * The same for an asynchronous function; includes other work that the process does in the meantime.
 */
export async function processorMsOf(run: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await run();
  return processorMsSince(began);
}

/** The same since an earlier `process.cpuUsage()`. */
export function processorMsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
