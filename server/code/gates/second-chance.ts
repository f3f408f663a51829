// A run that timed out on a loaded machine says nothing about the code: it is run once more, with
// more time, before it counts.
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { BoxJob, BoxKeeper, BoxResult } from '../../sandbox';

/** What the gates need of the keeper of boxes. */
export type Boxes = Pick<BoxKeeper, 'run' | 'runPair'>;

/**
 * Begins to watch the machine. The function it returns gives the load since then: 1 is a machine
 * with no time left for others.
 */
type WatchLoad = () => () => number;

/** The second run may take so many times its limit: as the load is, within these. */
const longer = { min: 2, max: 4 } as const;
const busyFrom = 0.9;

export function withSecondChance(box: Boxes, watch: WatchLoad = watchLoad): Boxes {
  /** @returns the factor for the limits of a second run; null where the first one counts */
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

/** How long all attempts at a run of this limit may take together. */
export function longestMs(limitMs: number): number {
  return limitMs * (1 + longer.max);
}

/**
 * What a run used of the limit that was asked for: a second run had more time, and is charged by
 * its share of it.
 */
export function chargedMs(result: BoxResult, askedMs: number): number {
  return (result.durationMs / result.limits.wallMs) * askedMs;
}

function withLimit(job: BoxJob, wallMs: number): BoxJob {
  return { ...job, limits: { ...job.limits, wallMs: Math.round(wallMs) } };
}

/**
 * By what all processors did meanwhile, or by the processes that wait for one, whichever is more.
 */
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
