import { quantityText } from '../../domain';
import type { AlertKindRule } from '../kind';
import { windowStart } from '../window-start';
import { spanOf } from '../wording';

const countMax = 10_000;

interface Row {
  id: string;
  name: string;
  dead: number;
  error: string | null;
}

/**
 * Abandoned deliveries to a destination. A delivery that is replayed and succeeds is no
 * longer dead.
 */
export const deliveryDead: AlertKindRule = {
  kind: 'delivery_dead',
  severity: 'medium',
  meaning: 'More deliveries to one destination than the limit were abandoned after all attempts.',
  defaults: { enabled: true, limit: 0, windowMinutes: 1440, noData: 'ok', renotifyMinutes: 1440 },
  limits: { min: 0, max: countMax - 1 },
  whenNotFound: 'gone',
  async find({ project: { sql, projectId }, now, ruleFor }) {
    const { limit, windowMinutes } = ruleFor('delivery_dead', null);
    const from = windowStart(now, windowMinutes).toISOString();
    const rows = await sql<Row[]>`
      select d.id, d.name, v.dead, v.error from destinations d cross join lateral (
        select count(*)::int as dead, (array_agg(last_error))[1] as error from (
          select last_error from deliveries where project_id = ${projectId} and destination_id = d.id and state = 'dead'
            and created_at >= ${from}::timestamptz order by created_at desc limit ${countMax}
        ) as latest
      ) as v
      where d.project_id = ${projectId} and d.enabled order by d.id`;
    return rows.map(({ id, name, dead, error }) => {
      const isAlerting = limit !== null && dead > limit;
      const why = error === null ? '' : `, the latest: ${error}`;
      return {
        series: id,
        name,
        verifier: null,
        state: isAlerting ? ('alerting' as const) : ('ok' as const),
        value: dead,
        limit,
        message:
          dead === 0
            ? `No delivery to ${name} was abandoned in ${spanOf(windowMinutes)}.`
            : `${quantityText(dead, 'delivery', 'deliveries')} to ${name} ${dead === 1 ? 'was' : 'were'} abandoned in ${spanOf(windowMinutes)}${why}.`,
        advice: isAlerting ? 'Check the receiver, and send them again.' : null,
        href: '/settings/webhooks',
      };
    });
  },
};
