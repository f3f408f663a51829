import type { Owed, OwedVerdict, OwingTurn, RuleDecision } from '../ingest';
import { ruleVerifiers } from '../verifiers';
import { decideTurn, type Rule } from './match';

/**
 * What one turn is owed under its project's rules, which come in the order of their names. Of
 * several rules that send it to one verifier the first does; one verdict is enough, and the others
 * say so.
 */
export function oweTurn(rules: readonly Rule[], turn: OwingTurn, newVerdictId: () => string): Owed {
  const verdicts: OwedVerdict[] = [];
  const decisions: RuleDecision[] = [];
  for (const rule of rules) {
    const ruling = decideTurn(rule, turn);
    if (ruling === null) continue;
    if (ruling.state !== 'run') {
      decisions.push({ ...ruling, verdictId: null });
      continue;
    }
    const first = verdicts.find((each) => each.verifier === rule.verifier);
    if (!ruleVerifiers.has(rule.verifier)) {
      decisions.push({
        ...ruling,
        state: 'blocked',
        reason: `this release has no verifier "${rule.verifier}"`,
        verdictId: null,
      });
    } else if (first !== undefined) {
      decisions.push({
        ...ruling,
        state: 'duplicate',
        reason: `the rule "${first.rule}" sends it to ${rule.verifier}`,
        verdictId: null,
      });
    } else {
      const verdictId = newVerdictId();
      verdicts.push({
        verdictId,
        verifier: rule.verifier,
        rule: rule.name,
        delaySeconds: rule.delaySeconds,
      });
      decisions.push({ ...ruling, verdictId });
    }
  }
  return { verdicts, decisions };
}
