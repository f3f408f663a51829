import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

/**
 * Milliseconds of processor time of one thread. On Linux it comes from the scheduler (proc(5),
 * `/proc/pid/task/tid/schedstat`: nanoseconds on a processor), so that waiting for a processor does
 * not count. On other systems it is the time in which the event loop was busy, which includes such
 * waiting.
 */
export function threadCpuMs(worker: Worker, threadId: number): number {
  if (threadId > 0) {
    try {
      const [onCpuNs] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'latin1').split(
        ' ',
        1,
      );
      return Number(onCpuNs) / 1e6;
    } catch {
      // The system is not Linux, or the thread has just exited.
    }
  }
  return worker.performance.eventLoopUtilization().active;
}
