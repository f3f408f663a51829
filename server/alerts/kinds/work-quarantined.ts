import { quantityText } from '../../domain';
import type { AlertKindRule, AlertFinding } from '../kind';

/** Counting stops here: the exact number beyond it is irrelevant. */
const countMax = 10_000;

/** Quarantined work, which failed repeatedly or crashed its workers and waits for a person. */
export const workQuarantined: AlertKindRule = {
  kind: 'work_set_aside',
  severity: 'medium',
  meaning:
    'Work is quarantined after repeated failures. Alerts when more subjects than the limit need a person.',
  defaults: { enabled: true, limit: 0, windowMinutes: 1440, noData: 'ok', renotifyMinutes: 1440 },
  limits: { min: 0, max: countMax - 1 },
  whenNotFound: 'gone',
  async find({ project: { sql, projectId }, ruleFor }): Promise<AlertFinding[]> {
    const { limit } = ruleFor('work_set_aside', null);
    const [row] = await sql<{ n: number; reason: string | null }[]>`
      select count(*)::int as n, (array_agg(reason))[1] as reason from (
        select reason from work where project_id = ${projectId} and state = 'quarantined' and experiment_id is null order by created_at desc limit ${countMax}
      ) as latest`;
    const n = row?.n ?? 0;
    const isAlerting = limit !== null && n > limit;
    const reason = row?.reason ?? null;
    return [
      {
        series: 'work',
        name: 'Work',
        verifier: null,
        state: isAlerting ? 'alerting' : 'ok',
        value: n,
        limit,
        message:
          n === 0
            ? 'No work is quarantined.'
            : `${quantityText(n, 'subject')} ${n === 1 ? 'is' : 'are'} quarantined${reason === null ? '' : `, the latest: ${reason}`}`,
        advice: isAlerting ? 'Read the reasons, fix the cause, and replay them.' : null,
        href: '/settings/work',
      },
    ];
  },
};
