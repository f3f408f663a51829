import type { Action } from '../domain';
import { type Authority, type Decider, trustText, whyAdvisory } from '../thresholds';
import type { Settlement } from './settle';

/** Actions that stop work or send it back. Escalation to a person does neither. */
const binding: ReadonlySet<Action> = new Set<Action>(['retry', 'reject', 'abort']);

type Acting = Pick<Settlement, 'action' | 'issues'>;

/**
 * Restricts the actions of a verifier (calibration.md 5.11): if its setting enforces trust and it
 * is not qualified, it can neither stop work nor send it back, and an issue states the reason. The
 * verdict, the score, the outcome and all metrics are unchanged. Pure.
 */
export function withinAuthority(
  { action, issues }: Acting,
  authority: Authority,
  decider: Decider,
): Acting {
  const unqualified = binding.has(action) ? whyAdvisory(authority, decider) : null;
  if (unqualified === null) return { action, issues };
  const message = `"${action}" is advice only: the verifier ${decider.slug} is to be qualified before it may block or steer. ${trustText(unqualified)}`;
  return {
    action: 'accept_with_warning',
    issues: [...issues, { code: 'not_qualified', message, severity: 'low', path: null }],
  };
}
