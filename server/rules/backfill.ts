import type { Fragment } from 'postgres';
import { enterProject, type ProjectCtx } from '../access';
import type { Outcome } from '../domain';
import { type Ctx, invalid, newId, refused } from '../platform';
import {
  type ClaimedJob,
  countDecisions,
  createJob,
  insertDecisions,
  insertWork,
  type Job,
  type JobProgress,
  type JobStep,
  updateDecisions,
} from '../queue';
import {
  loadTurns,
  partBySize,
  type RuleDecision,
  type StoredTurn,
  type TurnOrigin,
  turnKey,
} from '../ingest';
import type { BackfillRange } from './input';
import { getRule } from './list-rules';
import { loadRules } from './load';
import type { Rule } from './match';
import { planVerifications } from './plan-verifications';
import { storedSubject } from './stored-subject';

export const backfillKind = 'rules.backfill';

/** Times as `toISOString` returns them; null means unbounded. */
interface BackfillInput {
  readonly rule: string;
  readonly from: string | null;
  readonly to: string;
}

/** The last processed turn; its time in microseconds, as PostgreSQL writes it. */
interface BackfillCursor {
  readonly at: string;
  readonly id: string;
}

interface BackfillResult {
  readonly decided: Readonly<Record<string, number>>;
  /** Turns left unchanged: verified before, or already decided by the rule's current version. */
  readonly known: number;
}

/** Turns per step, and the limit of the progress count: counting further is not worth the time. */
const stepTurns = 500;
const countedMax = 1_000_000;

/**
 * Creates a job that applies a rule to stored turns: those it has not decided yet, and those that
 * an earlier version of the rule skipped.
 * @throws AssayError not_found, invalid_request (an invalid time), refused (the rule is disabled,
 * an empty range)
 */
export async function backfillRule(
  ctx: ProjectCtx,
  input: BackfillRange & { readonly name: string; readonly jobId?: string | undefined },
): Promise<Job> {
  const rule = await getRule(ctx, input.name);
  if (!rule.enabled) throw refused(`the rule "${rule.name}" is disabled; enable it first`);
  for (const [path, time] of [
    ['from', input.from],
    ['to', input.to],
  ] as const) {
    const isTime = time === undefined || (time.getTime() >= 0 && time.getUTCFullYear() <= 9999);
    if (!isTime)
      throw invalid(`${path}: must be in the years 1970 to 9999`, [
        { path, message: 'must be in the years 1970 to 9999' },
      ]);
  }
  const to = input.to ?? ctx.clock.now();
  if (input.from !== undefined && input.from >= to) {
    throw refused('from: must be before `to`', [{ path: 'from', message: 'must be before `to`' }]);
  }
  const body: BackfillInput = {
    rule: rule.name,
    from: input.from?.toISOString() ?? null,
    to: to.toISOString(),
  };
  return createJob(ctx, { id: input.jobId, kind: backfillKind, input: body });
}

/** A step of this job: at most 500 turns, oldest first. */
export function createBackfillStep(ctx: Ctx): JobStep {
  return async (job: ClaimedJob): Promise<JobProgress> => {
    const project = enterProject(
      ctx,
      { id: job.projectId, slug: job.projectSlug },
      { kind: 'system', id: 'job', label: job.createdBy },
    );
    const input = job.input as BackfillInput;
    const rules = await loadRules(project, project.projectId);
    const rule = rules.find((each) => each.name === input.rule);
    if (rule === undefined) throw refused(`the rule "${input.rule}" was deleted`);
    if (!rule.enabled) throw refused(`the rule "${rule.name}" was disabled`);
    const total = job.cursor === null ? await countTurns(project, input) : job.total;
    const page = await nextTurns(project, input, job.cursor as BackfillCursor | null);
    const before = (job.result as BackfillResult | null) ?? { decided: {}, known: 0 };
    const last = page.at(-1);
    if (last === undefined)
      return { cursor: null, done: job.done, total: job.done, errors: [], result: before };
    const states = await decidePage(project, rule, page);
    const decided = new Map(Object.entries(before.decided));
    for (const state of states) decided.set(state, (decided.get(state) ?? 0) + 1);
    return {
      cursor: { at: last.at, id: last.id },
      done: job.done + page.length,
      total,
      errors: [],
      result: {
        decided: Object.fromEntries(decided),
        known: before.known + page.length - states.length,
      },
    };
  };
}

async function countTurns(
  { sql, projectId }: ProjectCtx,
  { from, to }: BackfillInput,
): Promise<number | null> {
  const [count] = await sql<{ n: number }[]>`
    select count(*)::int as n from (
      select 1 from turns where project_id = ${projectId} and not superseded and origin <> 'experiment' and received_at < ${to}::timestamptz
        and received_at >= coalesce(${from}::timestamptz, '-infinity') limit ${countedMax + 1}) as counted`;
  return count === undefined || count.n > countedMax ? null : count.n;
}

interface PageTurn {
  readonly projectId: string;
  readonly subjectId: string;
  readonly id: string;
  readonly origin: TurnOrigin;
  readonly at: string;
}

async function nextTurns(
  { sql, projectId }: ProjectCtx,
  { from, to }: BackfillInput,
  after: BackfillCursor | null,
): Promise<PageTurn[]> {
  const rows = await sql<{ id: string; origin: TurnOrigin; at: string }[]>`
    select id, origin, to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from turns where project_id = ${projectId} and not superseded and origin <> 'experiment' and received_at < ${to}::timestamptz
      and received_at >= coalesce(${after?.at ?? from}::timestamptz, '-infinity')
      ${after === null ? sql`` : sql`and (received_at, id) > (${after.at}::timestamptz, ${after.id})`}
    order by received_at, id limit ${stepTurns}`;
  return rows.map((row) => ({ ...row, projectId, subjectId: row.id }));
}

/** Decides the turns that the rule's current version has not decided; returns the new states. */
async function decidePage(
  ctx: ProjectCtx,
  rule: Rule,
  page: readonly PageTurn[],
): Promise<string[]> {
  const known = await loadKnown(ctx, rule, page);
  const open = page.filter((turn) => known.get(turn.id)?.stays !== true);
  const states: string[] = [];
  const now = ctx.clock.now();
  for (const part of await partBySize(ctx, open)) {
    const turns = await loadTurns(ctx, part);
    const decided: Decided[] = [];
    for (const each of part) {
      const turn = turns.get(turnKey(each.projectId, each.id))?.();
      if (turn === undefined) continue;
      const { decisions } = planVerifications({
        rules: [rule],
        target: 'turn',
        subject: storedSubject(turn, each.origin),
        newVerdictId: () => newId('ver', now),
        stored: known.get(each.id)?.outcomes ?? new Map(),
      });
      const [decision] = decisions;
      if (decision !== undefined)
        decided.push({
          turn,
          decision: withoutSecond(decision, known.get(each.id)?.sentBy ?? null),
        });
    }
    states.push(...(await storeDecided(ctx, rule, decided)));
  }
  return states;
}

interface Known {
  /**
   * The rule's decision on this revision is kept: it led to a verification, or the current version
   * made it.
   */
  readonly stays: boolean;
  /** Why the verifier has a verdict, or will get one, without this rule; null if neither. */
  readonly sentBy: string | null;
  /** Outcomes of the verdicts on this revision, by verifier. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

async function loadKnown(
  ctx: ProjectCtx,
  rule: Rule,
  page: readonly PageTurn[],
): Promise<Map<string, Known>> {
  const ids = JSON.stringify(page.map((turn) => turn.id));
  const rows = await ctx.sql<
    {
      id: string;
      stays: boolean;
      other_rule: string | null;
      has_verdict: boolean;
      outcomes: Record<string, Outcome>;
    }[]
  >`
    select t.id,
      exists (select 1 from decisions d where d.project_id = t.project_id and d.subject_id = t.id and d.revision = t.revision
        and d.rule = ${rule.name} and not ${isLeftOut(ctx, rule)}) as stays,
      (select min(d.rule) from decisions d where d.project_id = t.project_id and d.subject_id = t.id and d.revision = t.revision
        and d.rule <> ${rule.name} and d.verifier = ${rule.verifier} and d.verdict_id is not null) as other_rule,
      exists (select 1 from verdicts v where v.project_id = t.project_id and v.subject_id = t.id
        and v.revision = t.revision and v.verifier_slug = ${rule.verifier} and v.experiment_id is null) as has_verdict,
      coalesce((select jsonb_object_agg(v.verifier_slug, v.outcome order by v.verifier_version) from verdicts v
        where v.project_id = t.project_id and v.subject_id = t.id and v.revision = t.revision and v.experiment_id is null), '{}') as outcomes
    from jsonb_array_elements_text(${ids}::text::jsonb) as k(id)
    join turns t on t.project_id = ${ctx.projectId} and t.id = k.id and t.origin <> 'experiment'`;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        stays: row.stays,
        sentBy:
          row.other_rule === null
            ? row.has_verdict
              ? `it has a verdict of ${rule.verifier} already`
              : null
            : `the rule "${row.other_rule}" sent it to ${rule.verifier}`,
        outcomes: new Map(Object.entries(row.outcomes)),
      },
    ]),
  );
}

/**
 * Whether the rule's decision `d` may be replaced: an earlier version of the rule left the turn
 * out. A decision with a verdict id led to a verification, which runs only once.
 */
function isLeftOut({ sql }: ProjectCtx, rule: Rule): Fragment {
  return sql`(d.state <> 'run' and d.verdict_id is null and d.rule_version < ${rule.version})`;
}

function withoutSecond(decision: RuleDecision, sentBy: string | null): RuleDecision {
  return decision.state !== 'run' || sentBy === null
    ? decision
    : { ...decision, state: 'duplicate', reason: sentBy, verdictId: null };
}

interface Decided {
  readonly turn: StoredTurn;
  readonly decision: RuleDecision;
}

/**
 * Stores decisions with their pending work, counts and notification, in one statement. Decisions of
 * an earlier version that left the turn out are replaced. All others are kept, so that the second
 * of two concurrent backfills keeps the rows of the first. Returns the stored states.
 */
async function storeDecided(
  ctx: ProjectCtx,
  rule: Rule,
  decided: readonly Decided[],
): Promise<string[]> {
  if (decided.length === 0) return [];
  const { sql, projectId } = ctx;
  const input = decided.map((each) => decidedRow(rule, each));
  const rows = await sql<{ state: string | null }[]>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(input)}::text::json) as r(i text, rv int, st text, re text, w text, run_at timestamptz)
    ), left_out as materialized (
      select d.subject_id, d.revision, d.state, (d.decided_at at time zone 'UTC')::date as day
      from input join decisions d on d.project_id = ${projectId} and d.subject_id = i and d.revision = rv and d.rule = ${rule.name}
      where ${isLeftOut(ctx, rule)} order by 1 for update of d
    ), renewed as (${updateDecisions(
      sql,
      sql`
      select ${projectId}::text as project_id, l.subject_id, l.revision, ${rule.name}::text as rule,
        ${rule.version}::int as rule_version, ${rule.verifier}::text as verifier, st as state,
        re as reason, w as verdict_id, l.state as state_before, l.day as day_before
      from left_out l join input on i = l.subject_id and rv = l.revision`,
    )}
    ), first as (${insertDecisions(
      sql,
      sql`
      select ${projectId}, i, rv, ${rule.name}, ${rule.version}, 'turn', ${rule.verifier}, st, re, w,
        now()
      from input order by i`,
    )}
    ), decided as (
      select subject_id, state, verdict_id from first union all select subject_id, state, verdict_id from renewed
    ), pending as (${insertWork(
      sql,
      sql`
      select ${projectId}, w, 'turn', i, rv, ${rule.verifier}, ${rule.name}, null, 0, 0,
        greatest(now(), run_at), null::jsonb, null, 'fast'
      from input join decided on decided.subject_id = i and decided.verdict_id = w`,
    )}
    ), counted as (${countDecisions(
      sql,
      sql`
      select ${projectId}, day, ${rule.name}, state, 'backfill', sum(n) from (
        select (now() at time zone 'UTC')::date as day, state, 1 as n from decided
        union all select day_before, state_before, -1 from renewed
      ) as moved group by day, state having sum(n) <> 0 order by day, state`,
    )}
    )
    select state, null as notified from decided
    union all
    select null, pg_notify('assay_work', '')::text from (select 1 from pending limit 1) as any_pending`;
  return rows.flatMap((row) => (row.state === null ? [] : [row.state]));
}

function decidedRow(rule: Rule, { turn, decision }: Decided): Record<string, unknown> {
  return {
    i: turn.id,
    rv: turn.revision,
    st: decision.state,
    re: decision.reason,
    w: decision.verdictId,
    // The delay allows for late data of a turn; for an old turn it is already over.
    run_at: new Date(turn.receivedAt.getTime() + rule.delaySeconds * 1000).toISOString(),
  };
}
