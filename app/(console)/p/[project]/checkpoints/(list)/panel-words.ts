import type { CheckpointsSummary } from '@/app/_trpc/outputs';
import { plainText } from '@/app/_ui/visible-text';
import { checkpointName } from '../checkpoint-words';

type IssueRate = CheckpointsSummary['byIssue'][number];

/** What people read for an issue: `unknown_agent` is `unknown agent`. */
export const issueText = (code: string | null): string =>
  code === null ? 'no issue named' : plainText(code).replaceAll('_', ' ');

/** A name for each issue that no other has: with its checkpoint where it occurs for several. */
export function issueNames(issues: readonly Pick<IssueRate, 'kind' | 'code'>[]): string[] {
  const count = new Map<string | null, number>();
  for (const { code } of issues) count.set(code, (count.get(code) ?? 0) + 1);
  return issues.map(({ kind, code }) =>
    (count.get(code) ?? 0) > 1 ? `${issueText(code)} (${checkpointName[kind]})` : issueText(code),
  );
}

/** That the table has more than the chart; null where it has not. */
export const restText = (drawn: number, all: number): string | null =>
  all > drawn
    ? `The chart has the ${drawn} most frequent of the ${all} issues in the table.`
    : null;

/** Of which verdicts both costs are known. */
export function costedText(costed: number, verdicts: number): string {
  const all = verdicts.toLocaleString('en');
  if (costed < verdicts)
    return `Of ${costed.toLocaleString('en')} of ${all} verdicts: the others’ work has no known cost.`;
  return verdicts === 1 ? 'Of the one verdict there is.' : `Of all ${all} verdicts.`;
}
