/**
 * Share of the subjects of a trial that may have no result before the trial says nothing of its
 * options.
 */
const mostWithoutResult = 0.05;

/**
 * Why a trial could not run; null where it could. An outage of a judge is no result of a prompt:
 * what came to `inconclusive` with one of the two options is left out of every comparison, and
 * where that is more than 5 % of the subjects those that are left are no sample of them.
 */
export function whyNotRun(
  withoutResult: number,
  subjects: number,
  reason: string | null,
): string | null {
  if (withoutResult <= mostWithoutResult * subjects) return null;
  const first = reason === null ? '' : ` The first: ${reason}`;
  return `could not run: ${withoutResult} of ${subjects} subjects have no result with one of the options, and at most 5 % may. Check that the judges can be asked, and start the trial again.${first}`;
}

/**
 * Neither a pass nor a fail nor any other finding: the judge could not be asked, or gave nothing
 * that could be read.
 */
export const hasNoResult = (outcome: string): boolean => outcome === 'inconclusive';
