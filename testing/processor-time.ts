/**
 * Milliseconds of processor time that a run takes in this process. Tests assert this instead of
 * wall-clock time, which includes the time that other processes of the machine take.
 */
export function processorMs(run: () => void): number {
  const began = process.cpuUsage();
  run();
  return processorMsSince(began);
}

/** The same for a run that ends later; concurrent runs of the process are included. */
export async function processorMsOf(run: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await run();
  return processorMsSince(began);
}

/** The same since `process.cpuUsage()` was read. */
export function processorMsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
