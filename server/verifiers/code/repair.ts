import type { TrajectoryEntry } from './detail';

/**
 * The number of repairs made, and the budget (QEL-36). Retries of other kinds do not count here
 * (X-4).
 */
export interface RepairState {
  readonly iteration: number;
  readonly budget: number;
  /** One repair beyond the budget was allowed, since the last repair improved on the one before. */
  readonly bonusGranted: boolean;
  /** Another repair is allowed. */
  readonly isLeft: boolean;
}

/**
 * @param trajectory newest first, beginning with this try
 * @param budget repairs without the bonus
 */
export function repairStateOf(trajectory: readonly TrajectoryEntry[], budget: number): RepairState {
  const iteration = trajectory[0]?.iteration ?? 0;
  const last = trajectory.findIndex((each) => each.iteration === budget);
  const bonusGranted = budget > 0 && last >= 0 && improved(trajectory[last], trajectory[last + 1]);
  return {
    iteration,
    budget,
    bonusGranted,
    isLeft: iteration < budget || (iteration === budget && bonusGranted),
  };
}

/** An equal score is not an improvement, and neither is a missing score. */
export function improved(
  now: TrajectoryEntry | undefined,
  before: TrajectoryEntry | undefined,
): boolean {
  if (now == null || before == null || now.score === null || before.score === null) return false;
  return now.score > before.score;
}

export interface Exhausted {
  readonly iteration: number;
  readonly total: number;
  readonly missing: readonly string[];
  readonly details: readonly string[];
}

const DETAILS_MAX = 10;

/**
 * The note added to the answer when no repair is left (QEL-37). It states the number of repairs
 * made.
 */
export function exhaustedNote({ iteration, total, missing, details }: Exhausted): string {
  const attempts = `${iteration} ${iteration === 1 ? 'attempt' : 'attempts'}`;
  const more = details.length > DETAILS_MAX ? [`and ${details.length - DETAILS_MAX} more`] : [];
  return [
    `Repair budget exhausted (${attempts}). Score: ${total}/100.`,
    ...(missing.length === 0 ? [] : [`Missing: ${missing.join(', ')}.`]),
    ...(details.length === 0
      ? []
      : [`Details: ${[...details.slice(0, DETAILS_MAX), ...more].join(' ')}`]),
  ].join(' ');
}

/** Whether a tool reported that its output was truncated (QEL-40). */
export function isTruncated(toolResults: readonly string[]): boolean {
  return toolResults.some(
    (text) =>
      text.includes('[Truncated') || text.includes('[truncated') || text.includes('max_tokens'),
  );
}

const BOOST_FROM = 3;

/** Suggests a larger model after several failures in a row (QEL-48). */
export function boostSuggestion(failures: number, model: string | null): string | null {
  if (failures < BOOST_FROM) return null;
  return `${failures} verifications in a row failed in this session. A larger model than ${model ?? 'this one'} may finish the task: hand it over for this task only.`;
}
