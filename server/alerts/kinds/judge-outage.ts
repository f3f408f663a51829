import { quantityText } from '../../domain';
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
  unfound: 'no_data',
  async find({ project: { sql, projectId }, now, ruleFor }) {
    const rule = ruleFor('judge_outage', null);
    const from = windowStart(now, rule.windowMinutes).toISOString();
    const rows = await sql<Row[]>`
      select provider, model, (count(*) filter (where state = 'answered'))::int as answered,
        (count(*) filter (where state = 'failed'))::int as failed,
        (array_agg(error_class order by created_at desc) filter (where state = 'failed'))[1] as problem
      from (
        select provider, model, state, error_class, created_at from llm_calls c
        where project_id = ${projectId} and created_at >= ${from}::timestamptz
          and not exists (select from verdicts v where v.project_id = c.project_id and v.id = c.verdict_id and v.experiment_id is not null)
          and not exists (select from work w where w.project_id = c.project_id and w.id = c.verdict_id and w.experiment_id is not null)
        order by created_at desc limit ${callsMax}
      ) as latest
      where state = 'answered' or error_class in ('timeout', 'rate_limited', 'overloaded', 'unauthorized', 'unreachable', 'bad_reply')
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
