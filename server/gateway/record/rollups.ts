import type { Ctx } from '../../platform';
import type { VerificationHeaders } from '../exchange';

/** Counts that wait for storage: by project, hour, route, verdict and reason. */
const KEYS_MAX = 20_000;
const HOUR_MS = 3_600_000;

interface Count {
  readonly p: string;
  /** Seconds of the epoch at which the hour begins. */
  readonly h: number;
  readonly r: string;
  readonly v: string;
  readonly x: string;
  calls: number;
  dropped: number;
}

/** Says that a counted call left no row. */
export type Drop = () => void;

/** Every call of the gateway by hour; in memory until storage has taken it. */
export interface Rollups {
  count(call: {
    readonly projectId: string;
    readonly route: string;
    readonly verification: VerificationHeaders;
    readonly at: Date;
  }): Drop;
  /**
   * Stores what was counted; at a fault it is kept. A commit whose answer was lost is counted
   * twice. @throws on faults of storage
   */
  flush(ctx: Pick<Ctx, 'sql'>): Promise<void>;
  readonly size: number;
}

export function createRollups(): Rollups {
  let counts = new Map<string, Count>();
  /** Of the call before: mostly the next one is of the same hour and route, and ends the same. */
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
      // Beyond the bound nothing new is kept: with storage away for days, by as many routes.
      if (counts.size >= KEYS_MAX) return count;
      counts.set(key, count);
    }
    latest = count;
    return count;
  }

  return {
    count({ projectId, route, verification, at }) {
      const hour = Math.floor(at.getTime() / HOUR_MS) * (HOUR_MS / 1000);
      const { verdict } = verification;
      const reason = verification.reason ?? '';
      entry(projectId, hour, route, verdict, reason).calls++;
      // Found again: the count of the call may have been stored since.
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
