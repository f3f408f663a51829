import { z } from 'zod';
import type { EarlierVerdict } from '../kind';
import { type TrajectoryEntry, TrajectoryEntry as Entry } from './detail';

/** What an earlier verification of the session came to, read back from what was stored of it. */
export interface Earlier {
  readonly verdict: 'PASS' | 'FAIL';
  /** Points. */
  readonly score: number;
  readonly iteration: number;
  readonly passThreshold: number;
  readonly at: Date;
  /** Path and content's hash of what was written. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Of the stored detail only what history goes by, so that a detail of another release is read as
 * well.
 */
const Stored = z.object({
  skipped: z.string().nullish(),
  pass_threshold: z.number(),
  points: z.object({ total: z.number() }),
  repair: z.object({ iteration: z.number().int().min(0) }),
  files: z.array(z.object({ path: z.string().nullable(), sha: z.string().nullable() })).default([]),
});

/**
 * Newest first. What was skipped, came to no verdict or cannot be read is left out: it is neither
 * success nor failure.
 */
export function readHistory(session: readonly EarlierVerdict[]): readonly Earlier[] {
  return session.flatMap(({ verdict, detail, createdAt }) => {
    const read = Stored.safeParse(detail);
    if (!read.success || read.data.skipped != null || (verdict !== 'PASS' && verdict !== 'FAIL'))
      return [];
    const { points, repair, files, pass_threshold: passThreshold } = read.data;
    const written = files.flatMap(({ path, sha }) =>
      path === null || sha === null ? [] : [[path, sha] as const],
    );
    const { iteration } = repair;
    return [
      {
        verdict,
        score: points.total,
        iteration,
        passThreshold,
        at: createdAt,
        files: new Map(written),
      },
    ];
  });
}

const TRAJECTORY_MAX = 10;

/**
 * Tries of the same creation task, newest first: from this one back to its first (QEL-41). A
 * repeated iteration counts once, the newest.
 */
export function trajectoryOf(
  now: TrajectoryEntry,
  history: readonly Earlier[],
): readonly TrajectoryEntry[] {
  const found = [Entry.parse(now)];
  let { iteration } = now;
  for (const each of history) {
    if (iteration === 0) break;
    if (each.iteration >= iteration) continue;
    ({ iteration } = each);
    const { verdict, score, passThreshold, at } = each;
    found.push({ iteration, score, verdict, pass_threshold: passThreshold, at: at.toISOString() });
  }
  return found.slice(0, TRAJECTORY_MAX);
}

/** Verdicts FAIL one after the other, this one and back (QEL-48). */
export function failuresInARow(now: 'PASS' | 'FAIL' | null, history: readonly Earlier[]): number {
  if (now !== 'FAIL') return 0;
  const success = history.findIndex(({ verdict }) => verdict === 'PASS');
  return 1 + (success < 0 ? history.length : success);
}

/**
 * Repairs that failed, over all tasks of the session; any success begins again, a first try that
 * fails does not count (QEL-38).
 */
export function failedRepairs(
  now: Pick<TrajectoryEntry, 'iteration' | 'verdict'>,
  history: readonly Earlier[],
): number {
  if (now.verdict !== 'FAIL') return 0;
  const success = history.findIndex(({ verdict }) => verdict === 'PASS');
  const since = success < 0 ? history : history.slice(0, success);
  return Number(now.iteration > 0) + since.filter(({ iteration }) => iteration > 0).length;
}

const WRITES_MAX = 3;

/** Files that were written otherwise three times in the session, this time included (QEL-42). */
export function writtenOften(
  files: ReadonlyMap<string, string>,
  history: readonly Earlier[],
): ReadonlySet<string> {
  const often = [...files].flatMap(([path, sha]) => {
    const contents = new Set([sha, ...history.flatMap((each) => each.files.get(path) ?? [])]);
    return contents.size >= WRITES_MAX ? [path] : [];
  });
  return new Set(often);
}
