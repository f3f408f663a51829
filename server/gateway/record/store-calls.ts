import {
  cleanText,
  efficacyOf,
  type AnswerVerification,
  type SteeringRecord,
  type BufferedIntegrity,
  storableJson,
} from '../../domain';
import { type Ctx, isDeleted, storeBisecting } from '../../platform';
import { bucketOf } from '../../verdicts';

/** One proxied model call, a row of `gateway_calls`. */
export interface NewCallRow {
  readonly projectId: string;
  readonly id: string;
  readonly turnId: string | null;
  readonly route: string;
  readonly sessionId: string;
  readonly dialect: string;
  readonly model: string | null;
  /** As the upstream reports them; null if not reported. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly stream: boolean;
  readonly status: number;
  readonly verdict: string;
  readonly reason: string | null;
  readonly verificationId: string | null;
  readonly truncated: boolean;
  readonly partial: boolean;
  readonly units: number;
  readonly counter: number;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  readonly deliveryDelayMs: number | null;
  readonly episode: AnswerVerification | null;
  readonly integrity: BufferedIntegrity | null;
  readonly createdAt: Date;
}

/**
 * Stores a batch in one statement. Existing calls stay unchanged, and a row that PostgreSQL rejects
 * does not affect the others. @throws on storage errors
 */
export async function storeCalls(
  ctx: Pick<Ctx, 'sql' | 'log'>,
  rows: readonly NewCallRow[],
): Promise<void> {
  await storeBisecting(
    rows,
    (part) => insertCalls(ctx, part),
    ({ id, projectId }, error) =>
      ctx.log.error(
        { err: error, call: id, project: projectId },
        'the row of a call was refused by PostgreSQL',
      ),
  );
}

/** Also updates the daily counts (`gateway_days`) for calls that were not stored before. */
async function insertCalls({ sql }: Pick<Ctx, 'sql'>, rows: readonly NewCallRow[]): Promise<void> {
  await sql`
    with q as materialized (
      select * from json_to_recordset(${JSON.stringify(rows.map(asInput))}::text::json) as q(
        p text, i text, t text, r text, s text, d text, m text, st boolean, c int, v text, x text, w text, tr boolean, pa boolean, u int, n int,
        f double precision, du double precision, h double precision, hb int, de text, ef text, ep text, it text, ti bigint, tn bigint,
        at timestamptz)
      where not ${isDeleted({ sql }, sql`q.p`, sql`('session', q.s), ('turn', q.t)`)}
    ), stored as (
      insert into gateway_calls (project_id, id, turn_id, route, session_id, dialect, model, stream, status, verdict, reason, verification_id,
        truncated, partial, units, counter, first_byte_ms, duration_ms, held_ms, decision, episode, integrity, input_tokens,
        output_tokens, created_at)
      select p, i, t, r, s, d, m, st, c, v, x, w, tr, pa, u, n, f, du, h, de, ep::jsonb, it::jsonb, ti, tn, at from q
      on conflict do nothing
      returning project_id, id
    ), fresh as (
      select p, (at at time zone 'UTC')::date as day, ef, hb from q join stored on stored.project_id = q.p and stored.id = q.i
      where ef is not null or hb is not null
    )
    insert into gateway_days as g (project_id, day, fixed, not_fixed, worse, unknown, withheld, undelivered, held)
    select p, day, count(*) filter (where ef = 'fixed'), count(*) filter (where ef = 'not_fixed'), count(*) filter (where ef = 'worse'),
      count(*) filter (where ef = 'unknown'), count(*) filter (where ef = 'withheld'), count(*) filter (where ef = 'undelivered'),
      coalesce((select jsonb_object_agg(hb, k) from (
        select hb, count(*) as k from fresh f where f.p = fresh.p and f.day = fresh.day and hb is not null group by hb) as buckets), '{}')
    from fresh group by p, day order by p, day
    on conflict (project_id, day) do update set
      fixed = g.fixed + excluded.fixed, not_fixed = g.not_fixed + excluded.not_fixed, worse = g.worse + excluded.worse,
      unknown = g.unknown + excluded.unknown, withheld = g.withheld + excluded.withheld, undelivered = g.undelivered + excluded.undelivered,
      held = g.held || coalesce((
        select jsonb_object_agg(key, k::bigint + coalesce((g.held ->> key)::bigint, 0)) from jsonb_each_text(excluded.held) as added(key, k)), '{}')`;
}

/** The chart counter for a steer: its effect if it was applied. */
export function steerOf(steer: SteeringRecord | null): string | null {
  if (steer === null) return null;
  if (steer.state === 'applied') return efficacyOf(steer);
  return steer.state === 'control' ? 'withheld' : 'undelivered';
}

function asInput(row: NewCallRow): Record<string, unknown> {
  return {
    p: row.projectId,
    i: row.id,
    t: row.turnId,
    r: row.route,
    s: cleanText(row.sessionId).text,
    d: row.dialect,
    m: row.model === null ? null : cleanText(row.model).text,
    st: row.stream,
    c: row.status,
    v: row.verdict,
    x: row.reason,
    w: row.verificationId,
    tr: row.truncated,
    pa: row.partial,
    u: row.units,
    n: row.counter,
    f: row.firstByteMs,
    du: row.durationMs,
    h: row.deliveryDelayMs,
    hb: row.deliveryDelayMs === null ? null : bucketOf(row.deliveryDelayMs),
    de: row.episode?.decision ?? null,
    ef: steerOf(row.episode?.steer ?? null),
    ep: row.episode === null ? null : storableJson(row.episode),
    it: row.integrity === null ? null : storableJson(row.integrity),
    ti: row.inputTokens,
    tn: row.outputTokens,
    at: row.createdAt.toISOString(),
  };
}
