import { type CheckInput, prepareEntry } from '../../evaluators/checks';
import type { CustomSubject } from '../custom';
import type { PlanNode } from '../plan-node';
import type { ChecksConfig } from './config';

const TIMEOUT_MS = 10_000;

/**
 * One node for each check, in the order of the definition. They need nothing and cost nothing, so
 * the walker runs them, and lists their scores, in this order.
 */
export function planChecks(
  { subject, variables }: CustomSubject,
  { config }: { readonly config: ChecksConfig },
): readonly PlanNode[] {
  const input: CheckInput = { subject, root: { ...subject, ...variables } };
  return config.checks.map((entry, at): PlanNode => {
    const { title, evaluator, run } = prepareEntry(entry);
    return {
      name: `check ${at + 1}`,
      title,
      evaluator,
      needs: [],
      mustPass: entry.must_pass,
      weight: entry.weight,
      cost: 0,
      timeoutMs: TIMEOUT_MS,
      run: async () => ({ score: await run(input), detail: null }),
    };
  });
}
