import type { Ctx } from '../../platform';
import type { VerificationHeaders } from '../exchange';

/** Limit of counts that wait for storage, by project, hour, route, verdict and reason. */
const KEYS_MAX = 20_000;
const HOUR_MS = 3_600_000;

interface Count {
  readonly p: string;
  /** Start of the hour, in epoch seconds. */
  readonly h: number;
  readonly r: string;
  readonly v: string;
  readonly x: string;
  calls: number;
  dropped: number;
}

/** Marks a counted call as dropped. */
export type Drop = () => void;

/** Counts of all calls by hour, in memory until they are stored. */
export interface Rollups {
  count(call: {
    readonly projectId: string;
    readonly route: string;
    readonly outcome: VerificationHeaders;
    readonly at: Date;
  }): Drop;
  /**
   * Stores the counts; keeps them on an error. If the reply to a commit is lost, they are counted
   * twice. @throws on storage errors
   */
  flush(ctx: Pick<Ctx, 'sql'>): Promise<void>;
  readonly size: number;
}

export function createRollups(): Rollups {
  let counts = new Map<string, Count>();
  /** The entry of the previous call: the next call usually has the same key. */
  let latest: Count | null = null;

  function entry(p: string, h: number, r: string, v: string, x: string): Count {
    if (
      latest !== null &&
      latest.x === x &&
      latest.v === v &&
      latest.r === r &&
      latest.h === h &&
      latest.p === p
    )
      return latest;
    const key = `${p}\n${h}\n${r}\n${v}\n${x}`;
    let count = counts.get(key);
    if (count === undefined) {
      count = { p, h, r, v, x, calls: 0, dropped: 0 };
      // Beyond the limit, new entries are dropped. Reaching it takes days without storage and very
      // many routes.
      if (counts.size >= KEYS_MAX) return count;
      counts.set(key, count);
    }
    latest = count;
    return count;
  }

  return {
    count({ projectId, route, outcome, at }) {
      const hour = Math.floor(at.getTime() / HOUR_MS) * (HOUR_MS / 1000);
      const { verdict } = outcome;
      const reason = outcome.reason ?? '';
      entry(projectId, hour, route, verdict, reason).calls++;
      // Looked up again: the entry may have been stored since.
      return () => void entry(projectId, hour, route, verdict, reason).dropped++;
    },
    async flush(ctx) {
      if (counts.size === 0) return;
      const taken = counts;
      counts = new Map();
      latest = null;
      try {
        await store(ctx, [...taken.values()]);
      } catch (error) {
        for (const { p, h, r, v, x, calls, dropped } of taken.values()) {
          const count = entry(p, h, r, v, x);
          count.calls += calls;
          count.dropped += dropped;
        }
        throw error;
      }
    },
    get size() {
      return counts.size;
    },
  };
}

async function store({ sql }: Pick<Ctx, 'sql'>, counts: readonly Count[]): Promise<void> {
  await sql`
    insert into gateway_rollups as c (project_id, hour, route, verdict, reason, calls, dropped)
    select p, to_timestamp(h), r, v, x, calls, dropped
    from json_to_recordset(${JSON.stringify(counts)}::text::json)
      as t(p text, h double precision, r text, v text, x text, calls bigint, dropped bigint)
    order by 1, 2, 3, 4, 5
    on conflict (project_id, hour, route, verdict, reason)
    do update set calls = c.calls + excluded.calls, dropped = c.dropped + excluded.dropped`;
}
