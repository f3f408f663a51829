import { quantityText } from '../../domain';
import type { AlertKindRule } from '../kind';

interface Row {
  model: string;
  open: number;
  problem: string | null;
}

/**
 * The gateway's circuit breaker of a verifier model (QV-33). It opens after a number of consecutive
 * failures and closes when a call succeeds or a person closes it. While it is open, answers are
 * delivered unverified. A replica without a report for a day is considered stopped.
 */
export const breakerOpen: AlertKindRule = {
  kind: 'breaker_open',
  severity: 'medium',
  meaning:
    'The circuit of a verifier model in the gateway is open: the gateway delivers answers unverified until it closes.',
  defaults: {
    enabled: true,
    limit: null,
    windowMinutes: 1440,
    noData: 'ok',
    renotifyMinutes: 1440,
  },
  limits: null,
  whenNotFound: 'gone',
  async find({ project: { sql, projectId }, ruleFor }) {
    const { windowMinutes } = ruleFor('breaker_open', null);
    const rows = await sql<Row[]>`
      select model, (count(*) filter (where is_open))::int as open, (array_agg(problem order by changed_at desc) filter (where is_open))[1] as problem
      from (
        select model, problem, changed_at, state in ('open', 'probing') and coalesce(reset_at < changed_at, true)
          and changed_at > now() - ${windowMinutes} * interval '1 minute' as is_open
        from gateway_breakers where project_id = ${projectId}
      ) as breakers
      group by model order by model`;
    return rows.map(({ model, open, problem }) => ({
      series: model,
      name: model,
      verifier: null,
      state: open > 0 ? ('alerting' as const) : ('ok' as const),
      value: open,
      limit: null,
      message:
        open > 0
          ? `The circuit of ${model} is open in ${quantityText(open, 'gateway process', 'gateway processes')}${problem === null ? '' : `: ${problem}`}. The gateway delivers answers unverified.`
          : `The circuit of ${model} is closed.`,
      advice:
        open > 0
          ? 'It retries automatically after its cooldown; check the provider, or close it manually.'
          : null,
      href: '/gateway',
    }));
  },
};
