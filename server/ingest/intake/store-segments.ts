import { type Ctx, isDeleted } from '../../platform';
import { insertAssembly } from '../../queue';
import { countIntake } from './count-intake';

/** The bytes of one trace's spans, as received in one request. */
export interface NewSegment {
  readonly projectId: string;
  readonly traceId: string;
  readonly hash: string;
  /** `json`, `proto`, or the same with `+gzip`. */
  readonly format: string;
  /** JSON text as a string, other formats as bytes. */
  readonly body: string | Buffer;
  /** Length of `body` in bytes. */
  readonly bytes: number;
  readonly spans: number;
  readonly hasRoot: boolean;
}

/** The longest time without assembly for a trace that keeps growing. */
const longestWaitMs = 60_000;

/**
 * Stores segments, their traces, the assembly work, counters and the wake-up in one statement.
 * `wakes`: with the notice to the workers; else the caller sends it. Returns which of them were
 * new. All bodies travel as one parameter and PostgreSQL splits them: as a JSON member each would
 * be escaped here and unescaped there, which costs four times as much.
 */
export async function storeSegments(
  ctx: Ctx,
  rows: readonly NewSegment[],
  { shard, wakes }: { readonly shard: string; readonly wakes: boolean },
): Promise<ReadonlySet<number>> {
  const packed = pack(rows);
  const stored = await ctx.sql<{ n: number }[]>`
    with bodies as materialized (
      select convert_to(${packed.text}::text, 'UTF8') as texts, ${packed.binary}::bytea as bytes
    ), input as materialized (
      select * from json_to_recordset(${packed.rows}::text::json) as r(
        n int, p text, t text, h text, f text, x boolean, o int, l int, s int, r boolean)
      where not ${isDeleted(ctx, ctx.sql`r.p`, ctx.sql`('trace', r.t)`)}
    ), stored as (
      insert into trace_segments (project_id, trace_id, hash, format, body, spans)
      select p, t, h, f, substring(case when x then bytes else texts end from o for l), s from input, bodies
      on conflict do nothing
      returning project_id, trace_id, hash
    ), fresh as materialized (
      select input.* from input join stored on project_id = p and trace_id = t and hash = h
    ), traced as (
      insert into traces as c (project_id, id, has_root) select p, t, bool_or(r) from fresh group by 1, 2 order by 1, 2
      on conflict (project_id, id) do update set has_root = c.has_root or excluded.has_root, last_received_at = now()
      returning project_id, id, has_root and revision = 0 as complete
    ), pending as (${insertAssembly(
      ctx.sql,
      ctx.sql`
      select project_id, id,
        now() + case when complete then 0 else ${ctx.env.traceIdleMs} end * interval '1 millisecond'
      from traced`,
      longestWaitMs,
    )}
    ), rolled as (${countIntake(
      ctx.sql,
      ['spans', 'duplicates'],
      ctx.sql`
      select i.p, (now() at time zone 'UTC')::date, ${shard},
        coalesce(sum(i.s) filter (where f.n is not null), 0),
        coalesce(sum(i.s) filter (where f.n is null), 0)
      from input i left join fresh f on f.n = i.n group by 1 order by 1`,
    )}
    )
    select n from fresh
    union all
    select ${wakeUp} + length(pg_notify('assay_work', '')::text) from (select 1 from pending where ${wakes} and due_at <= now() limit 1) as any_due`;
  return new Set(stored.map(({ n }) => n));
}

/** Row number of the wake-up in the statement's result: no input row has it. */
const wakeUp = -1;

interface Packed {
  readonly text: string;
  readonly binary: Buffer;
  /**
   * JSON: for each row the position of its bytes (`o`, from 1, for `l` bytes) in the text or, with
   * `x`, in the binary.
   */
  readonly rows: string;
}

function pack(rows: readonly NewSegment[]): Packed {
  const texts: string[] = [];
  const buffers: Buffer[] = [];
  let textAt = 1;
  let binaryAt = 1;
  const described = rows.map((row, n) => {
    const isBinary = typeof row.body !== 'string';
    const o = isBinary ? binaryAt : textAt;
    if (typeof row.body === 'string') {
      texts.push(row.body);
      textAt += row.bytes;
    } else {
      buffers.push(row.body);
      binaryAt += row.bytes;
    }
    return {
      n,
      p: row.projectId,
      t: row.traceId,
      h: row.hash,
      f: row.format,
      x: isBinary,
      o,
      l: row.bytes,
      s: row.spans,
      r: row.hasRoot,
    };
  });
  return { text: texts.join(''), binary: Buffer.concat(buffers), rows: JSON.stringify(described) };
}
