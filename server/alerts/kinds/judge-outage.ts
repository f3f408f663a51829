import { quantityText } from '../../domain';
import { judgeCalls } from '../judge-calls';
import type { AlertKindRule, AlertFinding, EffectiveRule } from '../kind';
import { windowStart } from '../window-start';
import { percent, spanOf } from '../wording';

/**
 * Minimum number of calls for a conclusion. A judge that is down is tried about once per second and
 * reaches it soon.
 */
const minCalls = 5;
/** Maximum number of calls, the latest of the window. */
const callsMax = 20_000;

interface Row {
  provider: string;
  model: string;
  answered: number;
  failed: number;
  problem: string | null;
}

/**
 * A provider's model that does not answer. Declined, invalid and cancelled requests are not
 * an outage. Work with an unavailable judge is parked without a verdict: an outage never appears as
 * a drop of the pass rate.
 */
export const judgeOutage: AlertKindRule = {
  kind: 'judge_outage',
  severity: 'high',
  meaning:
    'Share of calls to a judge that got no answer. The work waits meanwhile; the pass rate does not change.',
  defaults: { enabled: true, limit: 0.5, windowMinutes: 15, noData: 'ok', renotifyMinutes: 240 },
  limits: { min: 0, max: 1 },
  whenNotFound: 'no_data',
  async find({ project, now, ruleFor }) {
    const rule = ruleFor('judge_outage', null);
    const from = windowStart(now, rule.windowMinutes);
    const rows = await project.sql<Row[]>`
      select provider, model, (count(*) filter (where state = 'answered'))::int as answered,
        (count(*) filter (where state = 'failed'))::int as failed,
        (array_agg(error_class order by created_at desc) filter (where state = 'failed'))[1] as problem
      from (${judgeCalls(project, { from, limit: callsMax })}) as calls
      group by provider, model order by provider, model`;
    return rows.map((row) => outageFinding(row, rule));
  },
};

export function outageFinding(
  { provider, model, answered, failed, problem }: Row,
  { limit, windowMinutes }: EffectiveRule,
): AlertFinding {
  const series = `${provider}:${model}`;
  const calls = answered + failed;
  const shown = { series, name: series, verifier: null, limit, href: '/settings/providers' };
  const summary = `${failed.toLocaleString('en')} of ${quantityText(calls, 'call')} to ${series} got no answer in ${spanOf(windowMinutes)}`;
  if (calls < minCalls || limit === null) {
    return {
      ...shown,
      state: 'no_data',
      value: null,
      message: `${summary}: not enough data.`,
      advice: null,
    };
  }
  const isAlerting = failed / calls > limit;
  const last = problem === null ? '' : `, the last one ${problem.replaceAll('_', ' ')}`;
  return {
    ...shown,
    state: isAlerting ? 'alerting' : 'ok',
    value: failed / calls,
    message: `${summary} (${percent(failed / calls)}${last}).`,
    advice: isAlerting
      ? 'Work waits for the judge, or goes to its fallback. Check the provider and its key.'
      : null,
  };
}
