import type { CheckpointsSummary } from '@/app/_trpc/outputs';
import { plainText } from '@/app/_ui/visible-text';
import { checkpointName } from '../checkpoint-words';

type IssueRate = CheckpointsSummary['byIssue'][number];

/** The text of an issue: `unknown_agent` is `unknown agent`. */
export const issueText = (code: string | null): string =>
  code === null ? 'no issue named' : plainText(code).replaceAll('_', ' ');

/** A unique name for each issue: with its checkpoint when several have it. */
export function issueNames(issues: readonly Pick<IssueRate, 'kind' | 'code'>[]): string[] {
  const count = new Map<string | null, number>();
  for (const { code } of issues) count.set(code, (count.get(code) ?? 0) + 1);
  return issues.map(({ kind, code }) =>
    (count.get(code) ?? 0) > 1 ? `${issueText(code)} (${checkpointName[kind]})` : issueText(code),
  );
}

/** The note that the table has more rows than the chart; null when it does not. */
export const chartLimitText = (shownCount: number, all: number): string | null =>
  all > shownCount
    ? `The chart has the ${shownCount} most frequent of the ${all} issues in the table.`
    : null;

/** How many verdicts have both costs. */
export function costedText(costed: number, verdicts: number): string {
  const all = verdicts.toLocaleString('en');
  if (costed < verdicts)
    return `Of ${costed.toLocaleString('en')} of ${all} verdicts: the work of the others has no known cost.`;
  return verdicts === 1 ? 'Of the one verdict there is.' : `Of all ${all} verdicts.`;
}
