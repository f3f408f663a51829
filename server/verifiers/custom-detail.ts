import { ChecksDetail } from './checks/detail';
import { FunctionDetail } from './function/detail';
import { JudgeDetail } from './judge/detail';

/** The findings of a verifier that a project defined, by its kind. */
export type CustomDetailView =
  | ({ readonly findings: 'judge' } & JudgeDetail)
  | ({ readonly findings: 'checks' } & ChecksDetail)
  | ({ readonly findings: 'function' } & FunctionDetail);

/**
 * Null for a kind that is built in, if there is no verdict yet, and for a detail that this release
 * cannot read.
 */
export function showCustomDetail(kind: string | null, detail: unknown): CustomDetailView | null {
  switch (kind) {
    case 'judge':
      return withFindings('judge', JudgeDetail.safeParse(detail).data);
    case 'checks':
      return withFindings('checks', ChecksDetail.safeParse(detail).data);
    case 'function':
      return withFindings('function', FunctionDetail.safeParse(detail).data);
    default:
      return null;
  }
}

const withFindings = <Findings extends string, Detail extends object>(
  findings: Findings,
  detail: Detail | undefined,
) => (detail === undefined ? null : { findings, ...detail });
