import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectCtx } from '../access';
import type { Ctx } from '../platform';
import type { MaskedType } from './masker';

/**
 * Counts replaced values by project, day (UTC) and type in `masked_values`. The values themselves
 * are kept nowhere.
 */
export interface MaskedTally {
  /**
   * Synchronous; never throws. Stored in the background, together with other counts that arrive
   * until then.
   */
  note(projectId: string, counts: Iterable<readonly [MaskedType, number]>): void;
  /** Resolves when everything so far is stored, or could not be stored after `close`. */
  idle(): Promise<void>;
  /** Ends retries. */
  close(): Promise<void>;
}

interface Row {
  readonly p: string;
  readonly d: string;
  readonly t: string;
  n: number;
}

const RETRY_MS = 1000;

export function createMaskedTally(ctx: Pick<Ctx, 'sql' | 'clock' | 'log'>): MaskedTally {
  let rows = new Map<string, Row>();
  let working: Promise<void> | null = null;
  const closing = new AbortController();

  function add(row: Row): void {
    const id = JSON.stringify([row.p, row.d, row.t]);
    const known = rows.get(id);
    if (known === undefined) rows.set(id, { ...row });
    else known.n += row.n;
  }

  async function work(): Promise<void> {
    while (rows.size > 0) {
      const taken = rows;
      rows = new Map();
      try {
        await store(ctx, [...taken.values()]);
      } catch (error) {
        ctx.log.warn({ err: error }, 'counts of masked values could not be stored');
        if (closing.signal.aborted) return;
        for (const row of taken.values()) add(row);
        await delay(RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      }
    }
  }

  return {
    note(projectId, counts) {
      const day = ctx.clock.now().toISOString().slice(0, 10);
      for (const [type, values] of counts) add({ p: projectId, d: day, t: type, n: values });
      if (rows.size === 0) return;
      working ??= work().finally(() => {
        working = null;
      });
    },
    idle: async () => void (await working),
    async close() {
      closing.abort();
      await working;
    },
  };
}

/** A deleted project has no counts. */
async function store({ sql }: Pick<Ctx, 'sql'>, rows: readonly Row[]): Promise<void> {
  await sql`
    insert into masked_values as m (project_id, day, type, replaced)
    select p, d, t, n from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(p text, d date, t text, n bigint)
    where exists (select from projects where id = p)
    order by p, d, t
    on conflict (project_id, day, type) do update set replaced = m.replaced + excluded.replaced`;
}

/** How many values were replaced in the last 30 days, by type; the most frequent one first. */
export async function countMasked(
  ctx: ProjectCtx,
): Promise<readonly { readonly type: string; readonly count: number }[]> {
  const { sql, clock, projectId } = ctx;
  const since = new Date(clock.now().getTime() - SHOWN_DAYS * DAY_MS);
  return sql<{ type: string; count: number }[]>`
    select type, sum(replaced)::float8 as count from masked_values
    where project_id = ${projectId} and day > (${since.toISOString()}::timestamptz at time zone 'UTC')::date
    group by type order by count desc, type`;
}

const SHOWN_DAYS = 30;
const DAY_MS = 86_400_000;
