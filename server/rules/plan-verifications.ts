import type { Outcome, SubjectTarget } from '../domain';
import type { PlannedVerifications, PlannedVerification, RuleDecision } from '../ingest';
import { decideByRule, type Rule, type RuleSubject, type PlannedDecision } from './match';

export interface PlanVerifications {
  /** All rules of the project, ordered by name. */
  readonly rules: readonly Rule[];
  readonly target: SubjectTarget;
  readonly subject: RuleSubject;
  readonly newVerdictId: () => string;
  /** Outcomes of stored verdicts, by verifier; omitted for a new subject. */
  readonly stored?: ReadonlyMap<string, Outcome>;
}

/**
 * Plans the verifications of one subject under its project's rules. If several rules select the
 * same verifier, the first one applies and the others record a duplicate, since one verdict is
 * enough. A rule that waits for another verifier's verdict is `filtered` if no such verdict will
 * come.
 */
export function planVerifications(input: PlanVerifications): PlannedVerifications {
  const verdicts: PlannedVerification[] = [];
  const decisions: RuleDecision[] = [];
  for (const rule of input.rules) {
    if (rule.target !== input.target) continue;
    const { awaits, ...ruling } = afterStored(decideByRule(rule, input.subject), input.stored);
    const refused = ruling.state === 'run' ? notSentReason(rule, verdicts) : null;
    if (ruling.state !== 'run' || refused !== null) {
      decisions.push({ ...ruling, ...refused, verdictId: null });
      continue;
    }
    const verdictId = input.newVerdictId();
    verdicts.push({
      verdictId,
      verifier: rule.verifier,
      rule: rule.name,
      delaySeconds: rule.delaySeconds,
      ...(awaits && { awaits }),
    });
    decisions.push({ ...ruling, verdictId });
  }
  return withoutUnreachable({ verdicts, decisions });
}

/** Decides a clause about a verdict when all verdicts of the subject are stored. */
function afterStored(
  ruling: PlannedDecision,
  stored: PlanVerifications['stored'],
): PlannedDecision {
  const { awaits, ...rest } = ruling;
  if (stored === undefined || awaits === undefined) return ruling;
  const outcome = stored.get(awaits.verifier);
  if (outcome !== undefined && awaits.outcomes.includes(outcome)) return rest;
  return { ...rest, state: 'filtered', reason: awaitedReason(awaits.verifier, outcome ?? null) };
}

/** The reason why a rule that waited for a verdict does not run. */
export function awaitedReason(verifier: string, outcome: Outcome | null): string {
  return outcome === null
    ? `verdict: ${verifier} gives none`
    : `verdict: the outcome of ${verifier} is ${outcome}`;
}

function notSentReason(
  rule: Rule,
  verdicts: readonly PlannedVerification[],
): Pick<RuleDecision, 'state' | 'reason'> | null {
  if (rule.verifierTargets.length === 0)
    return { state: 'blocked', reason: `the project has no verifier "${rule.verifier}"` };
  if (!rule.verifierTargets.includes(rule.target))
    return { state: 'blocked', reason: `${rule.verifier} does not verify a ${rule.target}` };
  const first = verdicts.find((each) => each.verifier === rule.verifier);
  return first === undefined
    ? null
    : { state: 'duplicate', reason: `the rule "${first.rule}" sends it to ${rule.verifier}` };
}

/** Removes verifications that wait for a verdict that no rule will produce. */
function withoutUnreachable({ verdicts, decisions }: PlannedVerifications): PlannedVerifications {
  const coming = new Set<string>();
  const added = (): boolean => {
    const more = verdicts.filter(
      ({ verifier, awaits }) =>
        !coming.has(verifier) && (awaits === undefined || coming.has(awaits.verifier)),
    );
    for (const { verifier } of more) coming.add(verifier);
    return more.length > 0;
  };
  while (added());
  const unreachable = new Map(
    verdicts.flatMap(({ verdictId, verifier, awaits }) =>
      coming.has(verifier) || awaits === undefined ? [] : [[verdictId, awaits.verifier] as const],
    ),
  );
  if (unreachable.size === 0) return { verdicts, decisions };
  return {
    verdicts: verdicts.filter(({ verdictId }) => !unreachable.has(verdictId)),
    decisions: decisions.map((each) => {
      const awaited = each.verdictId === null ? undefined : unreachable.get(each.verdictId);
      return awaited === undefined
        ? each
        : { ...each, state: 'filtered', reason: awaitedReason(awaited, null), verdictId: null };
    }),
  };
}
