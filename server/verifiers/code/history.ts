import { z } from 'zod';
import type { EarlierVerdict } from '../kind';
import { type TrajectoryEntry, TrajectoryEntry as Entry } from './detail';

/** The result of an earlier verification in the session, restored from storage. */
export interface Earlier {
  readonly verdict: 'PASS' | 'FAIL';
  /** Points. */
  readonly score: number;
  readonly iteration: number;
  readonly passThreshold: number;
  readonly at: Date;
  /** The path and content hash of each written file. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Parses only the members that the history needs, so that details of other releases can be read
 * too.
 */
const Stored = z.object({
  skipped: z.string().nullish(),
  pass_threshold: z.number(),
  points: z.object({ total: z.number() }),
  repair: z.object({ iteration: z.number().int().min(0) }),
  files: z.array(z.object({ path: z.string().nullable(), sha: z.string().nullable() })).default([]),
});

/**
 * Newest first. Skipped, inconclusive and unreadable verifications are omitted, as neither success
 * nor failure.
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
 * Tries of the same creation task, newest first, from this one back to the first (QEL-41). A
 * repeated iteration counts once: the newest.
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

/** Consecutive FAIL verdicts, counted back from this one (QEL-48). */
export function failuresInARow(now: 'PASS' | 'FAIL' | null, history: readonly Earlier[]): number {
  if (now !== 'FAIL') return 0;
  const success = history.findIndex(({ verdict }) => verdict === 'PASS');
  return 1 + (success < 0 ? history.length : success);
}

/**
 * Consecutive failed repairs over all tasks of the session. Any success resets the count; a failed
 * first try does not count (QEL-38).
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

/** Files written with three different contents in the session, including this time (QEL-42). */
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
