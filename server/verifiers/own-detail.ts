import { ChecksDetail } from './checks/detail';
import { FunctionDetail } from './function/detail';
import { JudgeDetail } from './judge/detail';

/** The findings of a verifier that a project defined, by its kind. */
export type OwnDetailView =
  | ({ readonly findings: 'judge' } & JudgeDetail)
  | ({ readonly findings: 'checks' } & ChecksDetail)
  | ({ readonly findings: 'function' } & FunctionDetail);

/** Null if there is no verdict yet, and for a detail that this release cannot read. */
export function showOwnDetail(detail: unknown): OwnDetailView | null {
  const judge = JudgeDetail.safeParse(detail);
  if (judge.success) return { findings: 'judge', ...judge.data };
  const checks = ChecksDetail.safeParse(detail);
  if (checks.success) return { findings: 'checks', ...checks.data };
  const ran = FunctionDetail.safeParse(detail);
  return ran.success ? { findings: 'function', ...ran.data } : null;
}
