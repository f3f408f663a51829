import { randomInt } from 'node:crypto';
import type { Fragment } from 'postgres';
import { type Ctx, isDeleted, userKey, userOf } from '../../platform';
import { enqueueWithDecisions } from '../../queue';
import { costColumns, priceRows } from '../models/price-rows';
import { countIntake, insertSessions } from './count-intake';
import { awaitsColumn, type PlannedVerifications, type TurnOrigin } from './plan-turns';
import type { PreparedTurn } from './prepare';

/** A turn with its planned verifications, ready for the statement that stores both. */
export interface NewTurn {
  readonly projectId: string;
  readonly turn: PreparedTurn;
  readonly origin: TurnOrigin;
  readonly planned: PlannedVerifications;
  /**
   * The time of receipt in a simulated project, which dates rows and counters by it
   * (`simulatedTime`); omitted or null means now.
   */
  readonly receivedAt?: Date | null;
  /**
   * The owner that has already claimed the pending work (a verify call); null if any worker may
   * claim it.
   */
  readonly owner: string | null;
  /**
   * The experiment that made it; omitted for live turns. Such a turn counts in no live number.
   */
  readonly experimentId?: string;
}

/** Processes and parallel commits update separate counter rows, so that none waits for another. */
const shards = 8;
const shardOfProcess = randomInt(shards);

/** The shard of counters for one of the parallel commits of this process. */
export function counterShard(lane: number): string {
  return `${shardOfProcess}-${lane}`;
}

/** Row number of the wake-up in the statement's result: no input row has it. */
const wakeUp = -1;
/** Replaces the hash of a turn that must not be stored again (R-80); no content has it. */
export const deletedHash = 'deleted';

/**
 * Stores turns with their sessions, pending work, decisions, original bytes, counters and the
 * workers' wake-up in one statement. `wakes`: with the notice to the workers; else the caller sends
 * it. For each row whose id was already taken, returns the existing content hash or `deletedHash`;
 * such a row is not stored.
 */
export async function storeTurns(
  ctx: Ctx,
  rows: readonly NewTurn[],
  { shard, wakes }: { readonly shard: string; readonly wakes: boolean },
): Promise<Map<number, string>> {
  const enqueued = enqueueFresh(ctx, rows, shard);
  const costs = await priceRows(
    ctx,
    rows.map(({ projectId, turn, receivedAt }) => ({
      projectId,
      usage: turn.usage,
      models: [turn.model],
      at: turn.startedAt === null ? (receivedAt ?? ctx.clock.now()) : new Date(turn.startedAt),
    })),
  );
  const turnColumns = rows.map((row, at) => ({ ...turnRow(row, at), ...costColumns(costs[at]) }));
  const taken = await ctx.sql<{ n: number; hash: string | null }[]>`
    with given as materialized (
      select r.*, ${isDeleted(ctx, ctx.sql`r.p`, ctx.sql`('turn', r.i), ('trace', r.t), ('session', r.s), ('user', r.u)`)} as gone
      from json_to_recordset(${JSON.stringify(turnColumns)}::text::json) as r(
        n int, p text, i text, s text, t text, o text, m text, b timestamptz, e timestamptz, h text, d text, f text[], g text, y text, at timestamptz,
        q text, u text, mu jsonb, cost double precision, cb text[])
    ), input as materialized (
      select * from given where not gone
    ), stored as (
      insert into turns (project_id, id, session_id, trace_id, source, model, started_at, ended_at, content_hash, payload, flags, origin, received_at,
        usage, cost_usd, cost_basis, input_excerpt)
      select p, i, s, t, o, m, b, e, h, d, f, y, coalesce(at, now()), mu, cost, cb, q from input
      on conflict (project_id, id) do nothing
      returning project_id, id, session_id, received_at
    ), fresh as materialized (
      select n, p, i, h, g, coalesce(at, now()) as at from input join stored on project_id = p and id = i
    ), named as (${insertSessions(
      ctx.sql,
      ctx.sql`
      select project_id, session_id, min(received_at) from stored
      where session_id is not null group by 1, 2 order by 1, 2`,
    )}
    ), ${enqueued}
    , rolled as (${countIntake(
      ctx.sql,
      ['turns', 'duplicates'],
      ctx.sql`
      select p, (coalesce(at, now()) at time zone 'UTC')::date, ${shard}, count(stored.id),
        count(*) - count(stored.id)
      from input left join stored on project_id = p and id = i
      where y <> 'experiment' group by 1, 2 order by 1, 2`,
    )}
    ), originals as (
      insert into turn_originals (project_id, turn_id, content_hash, body)
      select p, i, h, decode(g, 'base64') from fresh where g is not null
    )
    select input.n, (select content_hash from turns t where t.project_id = input.p and t.id = input.i) as hash
    from input left join stored on stored.project_id = input.p and stored.id = input.i
    where stored.id is null
    union all
    select n, ${deletedHash} from given where gone
    union all
    select ${wakeUp}, pg_notify('assay_work', '')::text
    from (select 1 from pending where ${wakes} and owner is null and due_at <= now() limit 1) as any_pending
    union all
    select ${wakeUp}, pg_notify('assay_slow', '')::text
    from (select 1 from pending where lane = 'slow' limit 1) as any_slow`;
  const found = new Map<number, string>();
  for (const { n, hash } of taken) {
    if (n !== wakeUp) found.set(n, hash ?? (await readHash(ctx, rows[n])));
  }
  return found;
}

/** Pending work and decisions of the turns that are new; reads the statement's part `fresh`. */
function enqueueFresh({ sql, env }: Ctx, rows: readonly NewTurn[], shard: string): Fragment {
  return enqueueWithDecisions(sql, {
    shard,
    work: sql`
      select p, w, 'turn', i, 1, v, r, x, case when x is null then 0 else 1 end,
        case when x is null then 0 else 1 end,
        now() + case when x is null then d else ${env.leaseMs} end * interval '1 millisecond', aw, ex,
        coalesce(ln, 'fast')
      from fresh join json_to_recordset(${JSON.stringify(rows.flatMap(plannedRows))}::text::json) as q(
        k int, w text, v text, r text, x text, d bigint, aw jsonb, ex text, ln text) on k = n`,
    decisions: sql`
      select p, i, 1, r, rv, 'turn', v, st, re, w, at
      from fresh join json_to_recordset(${JSON.stringify(rows.flatMap(decisionRows))}::text::json) as q(
        k int, r text, rv int, v text, st text, re text, w text) on k = n`,
  });
}

function turnRow(
  { projectId, turn, origin, receivedAt }: NewTurn,
  index: number,
): Record<string, unknown> {
  const user = userOf(turn.metadata);
  return {
    n: index,
    p: projectId,
    i: turn.id,
    s: turn.sessionId,
    t: turn.traceId,
    o: turn.source,
    m: turn.model,
    b: turn.startedAt,
    e: turn.endedAt,
    h: turn.contentHash,
    d: turn.payload,
    f: turn.flags,
    y: origin,
    q: turn.inputExcerpt,
    ...(receivedAt == null ? {} : { at: receivedAt.toISOString() }),
    ...(user === null ? {} : { u: userKey(user) }),
    ...(turn.original === null ? {} : { g: turn.original.toString('base64') }),
  };
}

function plannedRows(
  { planned, owner, experimentId }: NewTurn,
  index: number,
): Record<string, unknown>[] {
  return planned.verdicts.map((verdict) => ({
    k: index,
    w: verdict.verdictId,
    v: verdict.verifier,
    r: verdict.rule,
    x: owner,
    d: verdict.delaySeconds * 1000,
    aw: awaitsColumn(verdict),
    ...(verdict.lane === undefined ? {} : { ln: verdict.lane }),
    ...(experimentId === undefined ? {} : { ex: experimentId }),
  }));
}

function decisionRows({ planned }: NewTurn, index: number): Record<string, unknown>[] {
  return planned.decisions.map((decision) => ({
    k: index,
    r: decision.rule,
    rv: decision.ruleVersion,
    v: decision.verifier,
    st: decision.state,
    re: decision.reason,
    w: decision.verdictId,
  }));
}

/** Reads the hash of a row that a commit inserted after the statement's snapshot. */
async function readHash(ctx: Ctx, row: NewTurn | undefined): Promise<string> {
  if (row === undefined) throw new Error('a result names no row');
  const [found] = await ctx.sql<{ content_hash: string }[]>`
    select content_hash from turns where project_id = ${row.projectId} and id = ${row.turn.id}`;
  return found?.content_hash ?? '';
}
