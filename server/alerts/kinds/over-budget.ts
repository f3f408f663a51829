import { minSampleSize, quantityText } from '../../domain';
import type { AlertKindRule, AlertFinding, AlertCheck, EffectiveRule } from '../kind';
import { dayOf, windowStart } from '../window-start';
import { percent, spanOf, verifierName, verifierPage } from '../wording';

/**
 * Maximum number of verdicts per verifier, the latest of the window. Of these, only verdicts on
 * work with a known cost count.
 */
const verdictsMax = 10_000;

/**
 * Verifications that a budget skipped, or that exceeded one (S-110). For each rule with a daily
 * budget: the share of today's turns (UTC) that its budget skipped. For each verifier with judges:
 * the share of its verdicts whose judging exceeded the allowed share of the work's cost (VS-38).
 */
export const overBudget: AlertKindRule = {
  kind: 'over_budget',
  severity: 'medium',
  meaning:
    'Share of a rule’s turns that exceeded its daily budget today, or of a verifier’s verdicts whose judging exceeded its budget.',
  defaults: {
    enabled: true,
    limit: 0.05,
    windowMinutes: 1440,
    noData: 'ok',
    renotifyMinutes: 1440,
  },
  limits: { min: 0, max: 1 },
  whenNotFound: 'gone',
  async find(check) {
    const rule = check.ruleFor('over_budget', null);
    const [rules, verifiers] = await Promise.all([readRules(check), readVerifiers(check, rule)]);
    return [
      ...rules.map((row) => ofRule(row, rule)),
      ...verifiers.map((row) => ofVerifier(row, rule)),
    ];
  },
};

interface RuleRow {
  name: string;
  budget: number;
  ran: number;
  over: number;
}

interface VerifierRow {
  slug: string;
  verdicts: number;
  over: number;
}

function readRules({ project: { sql, projectId } }: AlertCheck): Promise<RuleRow[]> {
  return sql<RuleRow[]>`
    select r.name, r.daily_budget as budget, coalesce(sum(d.count) filter (where d.state = 'run'), 0)::int as ran,
      coalesce(sum(d.count) filter (where d.state = 'over_budget'), 0)::int as over
    from rules r
    left join decision_rollups d on d.project_id = ${projectId} and d.rule = r.name and d.day = (now() at time zone 'UTC')::date
    where r.project_id = ${projectId} and r.daily_budget is not null and r.enabled group by r.name, r.daily_budget order by r.name`;
}

function readVerifiers(
  { project: { sql, projectId }, now }: AlertCheck,
  rule: EffectiveRule,
): Promise<VerifierRow[]> {
  const from = windowStart(now, rule.windowMinutes);
  return sql<VerifierRow[]>`
    select s.slug, count(*)::int as verdicts, (count(*) filter (where v.over_budget))::int as over
    from (select distinct verifier_slug as slug from verdict_rollups where project_id = ${projectId} and day >= ${dayOf(from)}::date) as s
    cross join lateral (
      select over_budget, share_of_task from verdicts where project_id = ${projectId} and verifier_slug = s.slug and turn_id is null
        and experiment_id is null and settled_at >= ${from.toISOString()}::timestamptz
      order by settled_at desc, id desc limit ${verdictsMax}
    ) as v
    where v.over_budget or v.share_of_task is not null
    group by s.slug order by s.slug`;
}

function ofRule({ name, budget, ran, over }: RuleRow, { limit }: EffectiveRule): AlertFinding {
  const shown = {
    series: `rule:${name}`,
    name: `rule ${name}`,
    verifier: null,
    limit,
    href: `/rules/${encodeURIComponent(name)}?state=over_budget`,
  };
  const all = ran + over;
  if (all === 0 || limit === null) {
    return {
      ...shown,
      state: 'no_data',
      value: null,
      message: `The rule ${name} has decided nothing today.`,
      advice: null,
    };
  }
  const isAlerting = over / all > limit;
  const summary = `The rule ${name} left out ${over.toLocaleString('en')} of today’s ${quantityText(all, 'turn')} (${percent(over / all)})`;
  return {
    ...shown,
    state: isAlerting ? 'alerting' : 'ok',
    value: over / all,
    message:
      over === 0
        ? `The rule ${name} is within its budget of ${quantityText(budget, 'turn')} a day.`
        : `${summary}: its budget is ${quantityText(budget, 'turn')} a day.`,
    advice: isAlerting ? 'Raise the budget, or lower the sampling share of the rule.' : null,
  };
}

function ofVerifier(
  { slug, verdicts, over }: VerifierRow,
  { limit, windowMinutes }: EffectiveRule,
): AlertFinding {
  const name = verifierName(slug);
  const shown = {
    series: `verifier:${slug}`,
    name,
    verifier: null,
    limit,
    href: verifierPage(slug),
  };
  const summary = `Judging was over its share of the cost for ${over.toLocaleString('en')} of ${quantityText(verdicts, 'verdict')} of ${name} in ${spanOf(windowMinutes)}`;
  if (verdicts < minSampleSize || limit === null) {
    return {
      ...shown,
      state: 'no_data',
      value: null,
      message: `${summary}. A rate needs ${minSampleSize}.`,
      advice: null,
    };
  }
  const isAlerting = over / verdicts > limit;
  return {
    ...shown,
    state: isAlerting ? 'alerting' : 'ok',
    value: over / verdicts,
    message: `${summary} (${percent(over / verdicts)}).`,
    advice: isAlerting
      ? 'Choose a cheaper judge, use fewer judges, or raise the judging budget.'
      : null,
  };
}
