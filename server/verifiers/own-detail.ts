import { ChecksDetail } from './checks/detail';
import { FunctionDetail } from './function/detail';
import { JudgeDetail } from './judge/detail';

/** The findings of a verifier that a project defined, by its kind. */
export type OwnDetailView =
  | ({ readonly kind: 'judge' } & JudgeDetail)
  | ({ readonly kind: 'checks' } & ChecksDetail)
  | ({ readonly kind: 'function' } & FunctionDetail);

/** Null if there is no verdict yet, and for a detail that this release cannot read. */
export function showOwnDetail(detail: unknown): OwnDetailView | null {
  const judge = JudgeDetail.safeParse(detail);
  if (judge.success) return { kind: 'judge', ...judge.data };
  const checks = ChecksDetail.safeParse(detail);
  if (checks.success) return { kind: 'checks', ...checks.data };
  const ran = FunctionDetail.safeParse(detail);
  return ran.success ? { kind: 'function', ...ran.data } : null;
}
