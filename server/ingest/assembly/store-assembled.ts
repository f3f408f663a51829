import type { Fragment } from 'postgres';
import { type Ctx, derivedId, isDeleted, userKey, userOf } from '../../platform';
import { type ClaimedWork, endWork, enqueueWithDecisions, postponeWork } from '../../queue';
import type { AssembledTrace, ForeignScore } from './assembled';
import { awaitsColumn, type PlannedVerifications } from '../intake/plan-turns';
import type { PreparedTurn } from '../intake/prepare';
import { countIntake, insertSessions } from '../intake/count-intake';
import { counterShard } from '../intake/store-turns';
import { costColumns, priceRows, type StoredCost } from '../models/price-rows';

/** A trace assembled under a claim, with its turns and their planned verifications. */
export interface TraceToStore {
  readonly work: ClaimedWork;
  readonly trace: AssembledTrace;
  readonly turns: readonly {
    readonly spanId: string;
    readonly turn: PreparedTurn;
    readonly planned: PlannedVerifications;
  }[];
  /** Verifications of the trace as a whole. */
  readonly planned: PlannedVerifications;
  /** Notes of the assembly, and of turns that were refused. */
  readonly notes: readonly { readonly spanId: string; readonly reason: string }[];
}

interface PlannedRow {
  project_id: string;
  id: string;
  subject_kind: string;
  subject_id: string;
  revision: number;
  verifier: string;
  rule: string | null;
  created_at: string;
}

/**
 * Pending work, decisions and their counts for changed turns and their traces. Part of the
 * statement below; reads `made`.
 */
function planChanged(ctx: Ctx, owner: string, traces: readonly TraceToStore[]): Fragment {
  const { sql } = ctx;
  return enqueueWithDecisions(sql, {
    shard: counterShard(0),
    work: sql`
      select q.p, q.w, made.kind, q.i, made.revision, q.v, q.r, case when q.now then ${owner} end,
        case when q.now then 1 else 0 end, case when q.now then 1 else 0 end,
        now() + case when q.now then ${ctx.env.leaseMs} else q.d * 1000 end * interval '1 millisecond', q.aw, null,
        'fast'
      from json_to_recordset(${JSON.stringify(traces.flatMap(plannedRows))}::text::json) as q(
        k text, p text, i text, w text, v text, r text, d bigint, now boolean, aw jsonb)
      join made on made.project_id = q.p and made.kind = q.k and made.id = q.i order by 1, 2`,
    decisions: sql`
      select q.p, q.i, made.revision, q.r, q.rv, made.kind, q.v, q.st, q.re, q.w, now()
      from json_to_recordset(${JSON.stringify(traces.flatMap(decisionRows))}::text::json) as q(
        k text, p text, i text, r text, rv int, v text, st text, re text, w text)
      join made on made.project_id = q.p and made.kind = q.k and made.id = q.i`,
  });
}

/** The sessions that spans name; reads `turned`, `input` and `mine`. */
function named({ sql }: Ctx): Fragment {
  return sql`
    named as (${insertSessions(
      sql,
      sql`
      select project_id, session_id, now() from turned where session_id is not null
      union select i.p, i.session, now()
      from input i join mine on mine.p = i.p and mine.t = i.t where i.session is not null
      order by 1, 2`,
    )}
    )`;
}

/** Counts new turns, after decisions as in `storeTurns`: the other order could deadlock. */
function turnsCounted({ sql }: Ctx): Fragment {
  return sql`
    rolled as (${countIntake(
      sql,
      ['turns'],
      sql`
      select project_id, (now() at time zone 'UTC')::date, ${counterShard(0)}, count(*) from turned
      where revision = 1 group by 1 order by 1`,
    )}
    )`;
}

/** Ends the assembly work unless spans arrived in the meantime; reads `mine`. */
function workEnded({ sql, env }: Ctx): Fragment {
  return sql`
    done as (
      ${endWork(sql, sql`select p as project_id, w as id from mine where quiet`)}
    ), again as (${postponeWork(
      sql,
      sql`select p as project_id, w as id from mine where not quiet`,
      env.traceIdleMs,
    )}
    )`;
}

/**
 * Stores traces with their turns, foreign scores, decisions and pending work, and ends their
 * assembly work, in one statement: all or nothing, and nothing for a trace that another worker has
 * claimed since. Turns with unchanged content are skipped and get no new work. Returns the work
 * that can run immediately, claimed by `owner`. Rows are locked in the order of the intake, the
 * trace and then its work: the reverse order would deadlock.
 */
export async function storeAssembled(
  ctx: Ctx,
  owner: string,
  traces: readonly TraceToStore[],
): Promise<ClaimedWork[]> {
  const priced = await priceTraces(ctx, traces);
  const rows = await ctx.sql<PlannedRow[]>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(priced.map(traceRow))}::text::json) as r(
        p text, t text, w text, fence bigint, seen int, name text, service text, session text, usr text, b timestamptz, e timestamptz,
        spans int, errors int, turns int, models text[], tin bigint, tout bigint, mu jsonb, cost double precision,
        cb text[], flags text[], tags text[], notes jsonb, uk text)
      where not ${isDeleted(ctx, ctx.sql`r.p`, ctx.sql`('trace', r.t), ('session', r.session), ('user', r.uk)`)}
    ), held as materialized (
      select c.project_id as p, c.id as t from traces c join input i on c.project_id = i.p and c.id = i.t order by 1, 2 for update of c
    ), mine as materialized (
      select w.project_id as p, w.id as w, i.t, w.revision = i.seen as quiet
      from input i left join held on held.p = i.p and held.t = i.t join work w on w.project_id = i.p and w.id = i.w
      where w.owner = ${owner} and w.fence = i.fence and w.state = 'waiting' order by 1, 2 for update of w
    ), coming as materialized (
      select c.* from json_to_recordset(${JSON.stringify(priced.flatMap(turnRows))}::text::json) as c(
        p text, t text, i text, s text, o text, m text, b timestamptz, e timestamptz, h text, d text, f text[], sp text, q text, uk text,
        mu jsonb, cost double precision, cb text[])
      join mine on mine.p = c.p and mine.t = c.t
      where not ${isDeleted(ctx, ctx.sql`c.p`, ctx.sql`('turn', c.i), ('session', c.s), ('user', c.uk)`)}
    ), turned as (
      insert into turns as c (project_id, id, session_id, trace_id, source, model, started_at, ended_at, content_hash, payload, flags, origin, span_id,
        usage, cost_usd, cost_basis, input_excerpt)
      select p, i, s, t, o, m, b, e, h, d, f, 'otlp', sp, mu, cost, cb, q from coming order by p, i
      on conflict (project_id, id) do update set session_id = excluded.session_id, source = excluded.source, model = excluded.model,
        started_at = excluded.started_at, ended_at = excluded.ended_at, content_hash = excluded.content_hash, payload = excluded.payload,
        flags = excluded.flags, revision = c.revision + 1, superseded = false, usage = excluded.usage, cost_usd = excluded.cost_usd,
        cost_basis = excluded.cost_basis, input_excerpt = excluded.input_excerpt
      where c.origin = 'otlp' and (c.content_hash <> excluded.content_hash or c.superseded)
      returning project_id, id, revision, session_id
    ), gone as (
      update turns c set superseded = true from mine
      where c.project_id = mine.p and c.trace_id = mine.t and c.origin = 'otlp' and not c.superseded
        and not exists (select 1 from coming where coming.p = c.project_id and coming.i = c.id)
    ), summed as (
      update traces c set revision = c.revision + 1, assembled_at = now(), name = i.name, service = i.service, session_id = i.session,
        user_id = i.usr, started_at = i.b, ended_at = i.e, spans = i.spans, errors = i.errors, turns = i.turns, models = i.models,
        input_tokens = i.tin, output_tokens = i.tout, usage = i.mu, cost_usd = i.cost, cost_basis = i.cb, flags = i.flags, tags = i.tags, notes = i.notes
      from input i join mine on mine.p = i.p and mine.t = i.t where c.project_id = i.p and c.id = i.t
      returning c.project_id, c.id, c.revision
    ), made as (
      select project_id, 'turn' as kind, id, revision from turned
      union all select project_id, 'trace', id, revision from summed
    ), ${named(ctx)}, ${planChanged(ctx, owner, traces)}
    , ${turnsCounted(ctx)}, measured as (
      insert into foreign_scores as c (project_id, id, subject_id, turn_id, trace_id, span_id, source, name, value, label, explanation, measured_at)
      select q.p, q.id, q.turn, q.turn, q.t, q.sp, 'otlp', q.name, q.value, q.label, q.why, q.at
      from json_to_recordset(${JSON.stringify(traces.flatMap(scoreRows))}::text::json) as q(
        p text, t text, id text, turn text, sp text, name text, value double precision, label text, why text, at timestamptz)
      join mine on mine.p = q.p and mine.t = q.t order by q.p, q.id
      on conflict (project_id, id) do update set subject_id = excluded.subject_id, turn_id = excluded.turn_id, explanation = excluded.explanation
      where (c.turn_id, c.explanation) is distinct from (excluded.turn_id, excluded.explanation)
    ), ${workEnded(ctx)}
    select project_id, id, subject_kind, subject_id, revision, verifier, rule, created_at from pending where owner is not null`;
  return rows.map(asClaimed);
}

function asClaimed(row: PlannedRow): ClaimedWork {
  return {
    projectId: row.project_id,
    id: row.id,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    revision: row.revision,
    verifier: row.verifier,
    rule: row.rule,
    fence: 1,
    attempts: 1,
    createdAt: new Date(row.created_at),
  };
}

type PricedTrace = Omit<TraceToStore, 'turns'> & {
  readonly cost: StoredCost | undefined;
  readonly turns: readonly (TraceToStore['turns'][number] & {
    readonly cost: StoredCost | undefined;
  })[];
};

/** Adds the cost of each trace and of each of its turns, at the prices of its start. */
async function priceTraces(ctx: Ctx, traces: readonly TraceToStore[]): Promise<PricedTrace[]> {
  const now = ctx.clock.now();
  const costs = await priceRows(
    ctx,
    traces.flatMap(({ work: { projectId }, trace, turns }) => [
      {
        projectId,
        usage: trace.usage.byModel,
        models: trace.models,
        at: trace.startedAt === null ? now : new Date(trace.startedAt),
      },
      ...turns.map(({ turn }) => ({
        projectId,
        usage: turn.usage,
        models: [turn.model],
        at: turn.startedAt === null ? now : new Date(turn.startedAt),
      })),
    ]),
  );
  let next = 0;
  return traces.map((each) => ({
    ...each,
    cost: costs[next++],
    turns: each.turns.map((turn) => ({ ...turn, cost: costs[next++] })),
  }));
}

type Row = Record<string, unknown>;

function traceRow({ work, trace, turns, notes, cost }: PricedTrace): Row {
  return {
    p: work.projectId,
    t: work.subjectId,
    w: work.id,
    fence: work.fence,
    seen: work.revision,
    name: trace.name,
    service: trace.service,
    session: trace.sessionId,
    usr: trace.userId,
    uk: trace.userId === null ? null : userKey(trace.userId),
    b: trace.startedAt,
    e: trace.endedAt,
    spans: trace.spans,
    errors: trace.errors,
    turns: turns.length,
    models: trace.models,
    tin: trace.usage.inputTokens,
    tout: trace.usage.outputTokens,
    ...costColumns(cost),
    flags: trace.flags,
    tags: trace.tags,
    notes,
  };
}

function turnRows({ work, turns }: PricedTrace): Row[] {
  return turns.map(({ spanId, turn, cost }) => ({
    p: work.projectId,
    t: work.subjectId,
    i: turn.id,
    s: turn.sessionId,
    o: turn.source,
    m: turn.model,
    b: turn.startedAt,
    e: turn.endedAt,
    h: turn.contentHash,
    d: turn.payload,
    f: turn.flags,
    sp: spanId,
    q: turn.inputExcerpt,
    uk: keyOfUser(turn),
    ...costColumns(cost),
  }));
}

function keyOfUser({ metadata }: PreparedTurn): string | null {
  const user = userOf(metadata);
  return user === null ? null : userKey(user);
}

/** Planned verifications of a trace and of its turns, with kind and id of each. */
function plannedOf({ work, turns, planned }: TraceToStore) {
  return [
    ...turns.map((each) => ({ k: 'turn', i: each.turn.id, planned: each.planned })),
    { k: 'trace', i: work.subjectId, planned },
  ];
}

function plannedRows(trace: TraceToStore): Row[] {
  return plannedOf(trace).flatMap(({ k, i, planned }) =>
    planned.verdicts.map((each) => ({
      k,
      p: trace.work.projectId,
      i,
      w: each.verdictId,
      v: each.verifier,
      r: each.rule,
      d: each.delaySeconds,
      now: each.delaySeconds === 0 && each.awaits === undefined,
      aw: awaitsColumn(each),
    })),
  );
}

function decisionRows(trace: TraceToStore): Row[] {
  return plannedOf(trace).flatMap(({ k, i, planned }) =>
    planned.decisions.map((each) => ({
      k,
      p: trace.work.projectId,
      i,
      r: each.rule,
      rv: each.ruleVersion,
      v: each.verifier,
      st: each.state,
      re: each.reason,
      w: each.verdictId,
    })),
  );
}

/**
 * The same measurement in a reassembled trace maps to the same row. Its turn may have become known
 * since.
 */
function scoreRows({ work, trace }: TraceToStore): Row[] {
  const rows = new Map<string, Row>();
  for (const score of trace.evaluations) {
    const id = derivedId(
      'fsc',
      work.subjectId,
      score.spanId,
      score.name,
      score.at ?? '',
      String(score.value),
      score.label ?? '',
    );
    if (!rows.has(id)) rows.set(id, scoreRow(work, id, score));
  }
  return [...rows.values()];
}

function scoreRow(work: ClaimedWork, id: string, score: ForeignScore): Row {
  return {
    p: work.projectId,
    t: work.subjectId,
    id,
    turn: score.turnId,
    sp: score.spanId,
    name: score.name,
    value: score.value,
    label: score.label,
    why: score.explanation,
    at: score.at,
  };
}
