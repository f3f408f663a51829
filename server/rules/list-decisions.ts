import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import type { DecisionState } from '../domain';
import { invalid } from '../platform';
import type { DecisionFilters } from './input';

/** A rule's decision on one revision of a subject, and its current state. */
export interface Decision {
  readonly subjectId: string;
  readonly subjectKind: string;
  readonly revision: number;
  readonly rule: string;
  readonly ruleVersion: number;
  readonly verifier: string;
  readonly state: DecisionState;
  readonly reason: string | null;
  /** The resulting verdict, stored or pending. */
  readonly verdictId: string | null;
  /** False while the verdict is pending. */
  readonly settled: boolean;
  readonly decidedAt: Date;
}

export interface DecisionPage {
  readonly items: readonly Decision[];
  readonly nextCursor: string | null;
}

interface Row {
  subject_id: string;
  subject_kind: string;
  revision: number;
  rule: string;
  rule_version: number;
  verifier: string;
  state: DecisionState;
  reason: string | null;
  verdict_id: string | null;
  settled: boolean;
  decided_at: string;
  at: string;
}

/**
 * Decisions of one subject or of one rule, newest first, by keyset.
 * @throws AssayError invalid_request (neither is given, or the cursor is from another list)
 */
export async function listDecisions(
  ctx: ProjectCtx,
  filters: DecisionFilters,
): Promise<DecisionPage> {
  const { sql } = ctx;
  const { subject, rule, state } = filters;
  if (subject === undefined && rule === undefined) {
    throw invalid('subject_id: is required, or `rule`', [
      { path: 'subject_id', message: 'is required, or `rule`' },
    ]);
  }
  const limit = filters.limit ?? 50;
  const after = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const rows = await sql<Row[]>`
    select * from (
      select d.subject_id, d.subject_kind, d.revision, d.rule, d.rule_version, d.verifier, d.decided_at,
        to_char(d.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, ${outcomeOfDecision(ctx)}
      from decisions d
      left join verdicts v on v.project_id = d.project_id and v.id = d.verdict_id
      left join work w on w.project_id = d.project_id and w.id = d.verdict_id
      left join lateral (
        select o.id from verdicts o
        where v.id is null and w.id is null and d.state = 'run' and o.project_id = d.project_id and o.subject_kind = d.subject_kind
          and o.subject_id = d.subject_id and o.revision = d.revision and o.verifier_slug = d.verifier
        order by o.verifier_version desc limit 1
      ) as other on true
      where d.project_id = ${ctx.projectId}
        ${subject === undefined ? sql`` : sql`and d.subject_id = ${subject}`}
        ${rule === undefined ? sql`` : sql`and d.rule = ${rule}`}
        ${state === undefined ? sql`` : sql`and d.state in (${state}, 'run')`}
        ${after === null ? sql`` : sql`and d.decided_at <= ${after.at}::timestamptz and (d.decided_at, d.subject_id, d.revision, d.rule) < (${after.at}::timestamptz, ${after.subject}, ${after.revision}::int, ${after.rule})`}
    ) as composed
    ${state === undefined ? sql`` : sql`where state = ${state}`}
    order by decided_at desc, subject_id desc, revision desc, rule desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asDecision),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

/**
 * Current state, reason and verdict: after a rule decided `run`, the verifier's result may have
 * changed them.
 */
function outcomeOfDecision({ sql }: ProjectCtx): Fragment {
  return sql`
    case
      when d.state <> 'run' then d.state
      when v.id is not null then v.decision_state
      when w.state = 'quarantined' then 'failed'
      when w.id is not null then 'run'
      when other.id is not null then 'duplicate'
      else 'expired'
    end as state,
    case
      when d.state <> 'run' then d.reason
      when v.id is not null then v.decision_reason
      when w.state = 'quarantined' then w.reason
      when w.owner is not null then 'being verified'
      when w.id is not null then 'waiting, due at ' || to_char(w.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      when other.id is not null then 'it has a verdict of this verifier already'
      else 'a newer revision took its place'
    end as reason,
    coalesce(v.id, w.id, other.id, d.verdict_id) as verdict_id,
    d.state <> 'run' or w.id is null as settled`;
}

function asDecision(row: Row): Decision {
  return {
    subjectId: row.subject_id,
    subjectKind: row.subject_kind,
    revision: row.revision,
    rule: row.rule,
    ruleVersion: row.rule_version,
    verifier: row.verifier,
    state: row.state,
    reason: row.reason,
    verdictId: row.verdict_id,
    settled: row.settled,
    decidedAt: new Date(row.decided_at),
  };
}

interface DecisionPosition {
  readonly at: string;
  readonly subject: string;
  readonly revision: number;
  readonly rule: string;
}

function cursorAt(row: Row): string {
  return Buffer.from(JSON.stringify([row.at, row.subject_id, row.revision, row.rule])).toString(
    'base64url',
  );
}

function readCursor(cursor: string): DecisionPosition {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value)) {
      const [at, subject, revision, rule] = value as unknown[];
      const placed =
        typeof at === 'string' &&
        /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) &&
        typeof subject === 'string';
      if (
        placed &&
        typeof revision === 'number' &&
        Number.isInteger(revision) &&
        Math.abs(revision) < 2 ** 31 &&
        typeof rule === 'string'
      )
        return { at, subject, revision, rule };
    }
  } catch {
    // Reported below, like any other invalid cursor.
  }
  throw invalid('cursor: must come from `next_cursor` of this list', [
    { path: 'cursor', message: 'must come from `next_cursor` of this list' },
  ]);
}
