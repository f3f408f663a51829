/** Maximum share of subjects without a result for a trial or an experiment to be conclusive. */
export const maxWithoutResult = 0.05;

/**
 * Why a trial could not run; null if it could. An outage of a judge does not reflect on a prompt.
 * Comparisons exclude subjects that are `inconclusive` with one of the two options, and if these
 * exceed 5% the remaining subjects are not a fair sample.
 */
export function whyNotRun(
  withoutResult: number,
  subjects: number,
  reason: string | null,
): string | null {
  if (withoutResult <= maxWithoutResult * subjects) return null;
  const first = reason === null ? '' : ` The first: ${reason}`;
  return `could not run: ${withoutResult} of ${subjects} subjects have no result with one of the options, and at most 5% may. Check that the judges can be asked, and start the trial again.${first}`;
}

/**
 * Whether there is no finding of any kind: the judge could not be called, or its reply was
 * unreadable.
 */
export const hasNoResult = (outcome: string): boolean => outcome === 'inconclusive';
