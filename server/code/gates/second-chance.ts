// A run that timed out on a loaded machine is inconclusive. It is repeated once, with more time,
// before it counts.
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { BoxJob, BoxMonitor, BoxResult } from '../../sandbox';

/** The parts of the sandbox monitor that the gates need. */
export type Boxes = Pick<BoxMonitor, 'run' | 'runPair'>;

/**
 * Starts to measure the machine's load. The returned function returns the load since then: 1 means
 * that the machine has no spare capacity.
 */
type WatchLoad = () => () => number;

/** The limit of the second run, as a multiple of the first: the load, clamped to this range. */
const longer = { min: 2, max: 4 } as const;
const busyFrom = 0.9;

export function withSecondChance(box: Boxes, watch: WatchLoad = watchLoad): Boxes {
  /** @returns the factor for the limits of a second run; null if the first one counts */
  const factorFor = (
    results: readonly (BoxResult | null)[],
    load: () => number,
    signal: AbortSignal,
  ): number | null => {
    if (signal.aborted || !results.some((result) => result?.end === 'timeout')) return null;
    const now = load();
    return now < busyFrom ? null : Math.min(longer.max, Math.max(longer.min, Math.ceil(now)));
  };
  return {
    async run(job, signal) {
      const load = watch();
      const first = await box.run(job, signal);
      const factor = factorFor([first], load, signal);
      return factor === null
        ? first
        : box.run(withLimit(job, first.limits.wallMs * factor), signal);
    },
    async runPair(jobs, signal) {
      const load = watch();
      const first = await box.runPair(jobs, signal);
      const factor = factorFor(first, load, signal);
      if (factor === null) return first;
      const wallMs = first[0].limits.wallMs * factor;
      return box.runPair([withLimit(jobs[0], wallMs), withLimit(jobs[1], wallMs)], signal);
    },
  };
}

/** Maximum total time of all attempts at a run with this limit. */
export function longestMs(limitMs: number): number {
  return limitMs * (1 + longer.max);
}

/**
 * The share of the requested limit that a run used: a second run had more time, and is charged
 * proportionally.
 */
export function chargedMs(result: BoxResult, requestedMs: number): number {
  return (result.durationMs / result.limits.wallMs) * requestedMs;
}

function withLimit(job: BoxJob, wallMs: number): BoxJob {
  return { ...job, limits: { ...job.limits, wallMs: Math.round(wallMs) } };
}

/** The larger of the processor utilization since the start and the load average per processor. */
function watchLoad(): () => number {
  const before = times();
  return () => {
    const now = times();
    const all = now.all - before.all;
    const busy = all <= 0 ? 0 : 1 - (now.idle - before.idle) / all;
    return Math.max(busy, (loadavg()[0] ?? 0) / availableParallelism());
  };
}

function times(): { readonly idle: number; readonly all: number } {
  let idle = 0;
  let all = 0;
  for (const { times: spent } of cpus()) {
    idle += spent.idle;
    all += spent.idle + spent.user + spent.nice + spent.sys + spent.irq;
  }
  return { idle, all };
}
