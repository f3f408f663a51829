import { boxReportEveryMs } from '../../queue';
import type { AlertKindRule, AlertFinding, AlertCheck } from '../kind';
import { duration } from '../wording';

/**
 * Workers report every `noteBoxEveryMs`; after three missed reports a worker is considered stopped.
 */
const silentSeconds = (3 * boxReportEveryMs) / 1000;

interface Row {
  /** Seconds that the oldest item has waited to be claimed; null if nothing waits. */
  fast: number | null;
  slow: number | null;
  in_hand: boolean;
  /** Seconds since the last report of any worker; null if there was none. */
  silent: number | null;
}

/**
 * Whether received input is also processed, by the database clock. Detects work that has
 * waited too long, judge calls that no one claims because their queue is unavailable, and
 * workers without reports. An edge process checks it if no worker does.
 */
export const intakeStalled: AlertKindRule = {
  kind: 'intake_stalled',
  severity: 'high',
  meaning:
    'The oldest pending work is older than the limit, or no worker is running. Nothing is lost: received work stays pending.',
  defaults: { enabled: true, limit: 30, windowMinutes: 5, noData: 'alert', renotifyMinutes: 240 },
  limits: { min: 5, max: 86_400 },
  whenNotFound: 'gone',
  async find(check) {
    const { limit } = check.ruleFor('intake_stalled', null);
    return limit === null ? [] : stalledFindings(await readStall(check), limit);
  },
};

async function readStall({ project: { sql, projectId } }: AlertCheck): Promise<Row> {
  const [row] = await sql<Row[]>`
    select extract(epoch from now() - (select min(due_at) from (
        (select due_at from work where project_id = ${projectId} and state = 'waiting' and owner is null and lane = 'fast' and due_at <= now()
          and experiment_id is null order by due_at limit 1)
        union all
        (select due_at from work where state = 'waiting' and owner is not null and lane = 'fast' and due_at <= now() and project_id = ${projectId}
          and experiment_id is null order by due_at limit 1)
      ) as each))::float8 as fast,
      extract(epoch from now() - (select min(o.due_at) from (values (0), (1), (2), (3)) as p(priority) cross join lateral (
        select due_at from work where project_id = ${projectId} and priority = p.priority and state = 'waiting' and owner is null and lane = 'slow'
          and hinted_at is null and due_at <= now() and experiment_id is null order by due_at limit 1
      ) as o))::float8 as slow,
      exists (select from work where project_id = ${projectId} and state = 'waiting' and lane = 'slow'
        and ((owner is null and hinted_at is not null) or (owner is not null and due_at > now()))) as in_hand,
      extract(epoch from now() - (select max(noted_at) from worker_boxes))::float8 as silent`;
  return row ?? { fast: null, slow: null, in_hand: false, silent: null };
}

export function stalledFindings(
  { fast, slow, in_hand: inHand, silent }: Row,
  limit: number,
): AlertFinding[] {
  const shown = { verifier: null, href: '/settings/work' };
  const workAge = fast ?? 0;
  const judgingAge = inHand ? 0 : (slow ?? 0);
  const lives = silent !== null && silent <= silentSeconds;
  return [
    {
      ...shown,
      series: 'work',
      name: 'Work',
      state: workAge > limit ? 'alerting' : 'ok',
      value: workAge,
      limit,
      message:
        fast === null
          ? 'No work is pending.'
          : `The oldest pending work has waited for ${duration(fast)}.`,
      advice:
        workAge > limit
          ? 'Start workers, or more of them. Assay still receives data, and workers will process the pending work.'
          : null,
    },
    {
      ...shown,
      series: 'judging',
      name: 'Judging',
      state: judgingAge > limit ? 'alerting' : 'ok',
      value: judgingAge,
      limit,
      message:
        judgingAge > limit
          ? `The oldest work that waits for a judge has been pending for ${duration(judgingAge)}, and no worker has claimed any: the queue is unavailable, or no worker reaches it.`
          : 'Workers claim work that waits for judges.',
      advice:
        judgingAge > limit
          ? 'Check the workers, and Redis where REDIS_URL is set. The rows are kept, and published again when the queue is available.'
          : null,
    },
    {
      ...shown,
      series: 'workers',
      name: 'Workers',
      state: silent === null ? 'no_data' : lives ? 'ok' : 'alerting',
      value: silent,
      limit: silentSeconds,
      message:
        silent === null
          ? 'No worker has sent a heartbeat in the last day.'
          : `The last heartbeat of a worker came ${duration(Math.max(0, silent))} ago.`,
      advice: lives ? null : 'Start a worker.',
    },
  ];
}
