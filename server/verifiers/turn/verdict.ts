import type { Action, Issue } from '../../domain';
import type { VerdictDecision } from '../plan-node';
import type { TurnDetail } from './detail';

/**
 * The verdict of a judge call: `pass`, `steer`, or none if the verifier failed or was not called.
 * There is no score. If the verifier fails, no person is notified and the answer is delivered
 * unchanged (QV-25, QV-32, X-5). Pure.
 *
 * @param otherwise the action if the answer did not pass
 */
export function ruleTurn(
  { decision, note, problem }: TurnDetail,
  otherwise: Action,
): Omit<VerdictDecision<TurnDetail>, 'detail'> {
  return {
    verdict: decision === 'pass' || decision === 'steer' ? decision : null,
    action: decision === 'pass' ? 'accept' : otherwise,
    score: null,
    confidence: null,
    needsHumanReview: false,
    issues: issuesOf(decision, note, problem),
    feedback: note,
  };
}

function issuesOf(
  decision: TurnDetail['decision'],
  note: string | null,
  problem: string | null,
): readonly Issue[] {
  const issue = (code: string, message: string | null, severity: Issue['severity']): Issue => ({
    code,
    message: (message ?? '').slice(0, 500).toWellFormed(),
    severity,
    path: null,
  });
  if (decision === 'steer') return [issue('steering_needed', note, 'high')];
  return decision === 'verifier_failed' ? [issue('verifier_failed', problem, 'medium')] : [];
}
