import {
  type Action,
  type Issue,
  liveChannel,
  type Outcome,
  type Score,
  storableJson,
} from '../domain';
import type { Fragment, Sql } from 'postgres';
import type { Ctx } from '../platform';
import { type ClaimedWork, endWork } from '../queue';
import type { EffectiveThreshold } from '../thresholds';
import type { FigureCounts } from '../verifiers';
import { partColumn } from './populations';
import { counted, notifiedMissions } from './settle-counters';
import { isOutdated, superseded } from './settle-superseded';
import { rewindReviewQueue } from './rewind-review-queue';
import { refreshesNoted, spread } from './settle-spreads';

/** The models called for a verdict, and their cost. */
export interface Judging {
  readonly calls: number;
  readonly model: string | null;
  readonly crossModel: 'enforced' | 'unverified' | 'self' | 'same_family_allowed' | null;
  readonly costUsd: number;
  /** `costUsd` is a lower bound: the price of some call is unknown. */
  readonly priceUnknown: boolean;
  readonly tokens: number;
  /** `costUsd` as a share of the cost of the judged work; null if unknown (VS-38). */
  readonly shareOfTask: number | null;
  readonly overBudget: boolean;
}

/** No model was called. */
export const unjudged: Judging = {
  calls: 0,
  model: null,
  crossModel: null,
  costUsd: 0,
  priceUnknown: false,
  tokens: 0,
  shareOfTask: null,
  overBudget: false,
};

/** A decision ready to be stored, with the lease under which it was made. */
export interface Settlement {
  readonly work: ClaimedWork;
  /**
   * In a simulated project, when the work ended: it dates the verdict. Null in any other project.
   */
  readonly simulatedAt: Date | null;
  readonly kind: string;
  readonly verifierSlug: string;
  readonly verifierVersion: number;
  readonly turnId: string | null;
  readonly traceId: string | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly clientId: string | null;
  readonly outcome: Outcome;
  readonly verdict: string | null;
  readonly action: Action;
  readonly score: number | null;
  readonly confidence: number | null;
  readonly needsHumanReview: boolean;
  readonly decision: { readonly state: string; readonly reason: string | null };
  readonly issues: readonly Issue[];
  readonly feedback: string | null;
  readonly missionId: string | null;
  readonly taskId: string | null;
  /** The threshold for the score; null for kinds that count instead of comparing. */
  readonly threshold: EffectiveThreshold | null;
  readonly retries: { readonly used: number; readonly budget: number } | null;
  readonly judging: Judging;
  readonly detail: unknown;
  /** The basis of the decision, apart from thresholds; omitted by kinds that compare nothing. */
  readonly basis?: unknown;
  readonly excerpt: string;
  readonly scores: readonly Score[];
  /** The counts for the integrity rollup; null if integrity did not run. */
  readonly integrity: FigureCounts | null;
}

/**
 * The ids of the work that the statement ended, and of the verdicts that it stored for this work.
 * Work in neither set had an outdated fence.
 */
export interface Settled {
  readonly ended: ReadonlySet<string>;
  readonly stored: ReadonlySet<string>;
}

/**
 * Stores verdicts, scores, rollups and deliveries to destinations, and deletes the work, in one
 * statement: all or nothing. A settlement whose lease was lost is not stored (its `fence` is
 * outdated). If its subject and verifier version already have a verdict, a settlement only ends the
 * work (X-10). A verdict of a simulated project is dated by its work: it is created when the work
 * ended, and settles later by as long as the verification took. In other projects both are clock
 * times. Verdicts on outputs of experiments are stored with their scores, and change nothing else:
 * every part of the statement that counts or sends reads `stored`, which omits them.
 */
export async function storeVerdicts(
  ctx: Pick<Ctx, 'sql'>,
  owner: string,
  settlements: readonly Settlement[],
): Promise<Settled> {
  const input = storableJson(settlements.map(asRow));
  const measured = storableJson(settlements.flatMap(scoreRows));
  const rows = await ctx.sql<{ id: string | null; fresh: boolean }[]>`
    with recursive input as materialized (
      select * from jsonb_to_recordset(${input}::text::jsonb) as r(
        n int, p text, id text, fence bigint, subject_kind text, subject_id text, revision int, kind text, slug text, version int,
        turn_id text, trace_id text, session_id text, model text, client_id text, rule text, outcome text, verdict text, action text,
        score double precision, confidence double precision, needs_human_review boolean, decision_state text, decision_reason text,
        issues jsonb, feedback text, mission_id text, task_id text, threshold_value double precision, threshold_source text,
        threshold_version int, retries_used int, retries_budget int, judge_calls int, judge_model text, cross_model text,
        cost_usd double precision, price_unknown boolean, tokens bigint, share_of_task double precision, over_budget boolean,
        detail jsonb, basis jsonb, excerpt text, created_at timestamptz, simulated_at timestamptz,
        ran int, fallback int, figures int, unsourced int, reprompt int)
    ), mine as (
      select i.n, held.project_id, held.id, held.experiment_id from (select n, p, id, fence from input order by p, id) i cross join lateral (
        select w.project_id, w.id, w.experiment_id from work w
        where w.project_id = i.p and w.id = i.id and w.owner = ${owner} and w.fence = i.fence and w.state = 'waiting'
        limit 1 for update
      ) as held
    ), settled as (
      insert into verdicts (
        project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, turn_id, trace_id, session_id, model,
        client_id, rule, experiment_id, outcome, verdict, action, score, confidence, needs_human_review, decision_state, decision_reason, issues, feedback,
        mission_id, task_id, threshold_value, threshold_source, threshold_version, retries_used, retries_budget, judge_calls, judge_model,
        cross_model, cost_usd, price_unknown, tokens, share_of_task, over_budget, detail, basis, excerpt, superseded, created_at, settled_at)
      select i.p, i.id, i.kind, i.slug, i.version, i.subject_kind, i.subject_id, i.revision, i.turn_id, i.trace_id, i.session_id, i.model,
        i.client_id, i.rule, mine.experiment_id, i.outcome, i.verdict, i.action, i.score, i.confidence, i.needs_human_review, i.decision_state, i.decision_reason,
        i.issues, i.feedback, i.mission_id, i.task_id, i.threshold_value, i.threshold_source, i.threshold_version, i.retries_used,
        i.retries_budget, i.judge_calls, i.judge_model, i.cross_model, i.cost_usd, i.price_unknown, i.tokens, i.share_of_task, i.over_budget, i.detail, i.basis, i.excerpt,
        ${isOutdated(ctx.sql)},
        case when i.simulated_at is null then i.created_at else least(i.simulated_at, now()) end,
        case when i.simulated_at is null then now() else least(i.simulated_at + (now() - i.created_at), now()) end
      from input i join mine on mine.n = i.n
      order by i.p, i.id
      on conflict do nothing
      returning project_id, id, experiment_id, subject_kind, subject_id, superseded, revision, rule, decision_state, decision_reason, outcome, verifier_slug, verdict, score,
        mission_id, task_id, needs_human_review, over_budget, cost_usd, judge_calls, settled_at, extract(epoch from settled_at - created_at) * 1000 as wait_ms,
        coalesce(model, '') as model, coalesce(judge_model, '') as judge, verifier_version as version, cross_model is not distinct from 'self' as self,
        ${partColumn(ctx.sql)} as part, (settled_at at time zone 'UTC')::date as day, date_trunc('hour', settled_at, 'UTC') as hour
    ), stored as materialized (
      select * from settled where experiment_id is null
    ${scoresStored(ctx.sql, measured)}
    ${superseded(ctx.sql)} ${counted(ctx.sql)} ${notifiedMissions(ctx.sql)} ${spread(ctx.sql)} ${refreshesNoted(ctx.sql)}
    ${settlements.some(({ simulatedAt }) => simulatedAt !== null) ? rewindReviewQueue(ctx.sql) : ctx.sql``}
    ${deliveriesSent(ctx.sql)}
    ), done as (
      ${endWork(ctx.sql, ctx.sql`select project_id, id from mine`)}
    )
    select mine.id, settled.id is not null as fresh, null as notified from mine left join settled on settled.project_id = mine.project_id and settled.id = mine.id
    union all
    select null, false, pg_notify(${liveChannel}, project_id || ' ' || count(*))::text from settled group by project_id
    union all
    select null, false, pg_notify('assay_deliveries', '')::text from (select 1 from sent limit 1) as any_sent
    union all
    select null, false, pg_notify('assay_work', '')::text from (select 1 from released limit 1) as any_released`;
  return settledOf(rows);
}

/** The part of the statement that stores the scores of `settled`. @param rows JSON of scores */
function scoresStored(sql: Sql, rows: string): Fragment {
  return sql`
    ), measured as (
      insert into scores (
        project_id, verdict_id, ordinal, name, evaluator, state, value, met, must_pass, weight, reasoning, evidence, model,
        prompt_version, cost_usd, latency_ms, cached)
      select s.p, s.v, s.ordinal, s.name, s.evaluator, s.state, s.value, s.met, s.must_pass, s.weight, s.reasoning, s.evidence, s.model,
        s.prompt_version, s.cost_usd, s.latency_ms, s.cached
      from jsonb_to_recordset(${rows}::text::jsonb) as s(
        p text, v text, ordinal int, name text, evaluator text, state text, value double precision, met boolean, must_pass boolean,
        weight double precision, reasoning text, evidence jsonb, model text, prompt_version text, cost_usd double precision,
        latency_ms double precision, cached boolean)
      join settled on settled.project_id = s.p and settled.id = s.v`;
}

function deliveriesSent(sql: Sql): Fragment {
  return sql`
    ), sent as (
      insert into deliveries (project_id, id, destination_id, verdict_id)
      select s.project_id,
        'dlv_' || left(encode(sha256(convert_to(d.id || ' ' || s.id, 'UTF8')), 'hex'), 26),
        d.id, s.id
      from stored s
      join destinations d on d.project_id = s.project_id and d.enabled
        and 'verdicts' = any(d.sends) and (d.outcomes = '{}' or s.outcome = any(d.outcomes))
      order by s.project_id, s.id, d.id
      on conflict do nothing
      returning project_id`;
}

function settledOf(rows: readonly { readonly id: string | null; readonly fresh: boolean }[]) {
  const ended = rows.flatMap((row) => (row.id === null ? [] : [{ id: row.id, fresh: row.fresh }]));
  return {
    ended: new Set(ended.map(({ id }) => id)),
    stored: new Set(ended.filter(({ fresh }) => fresh).map(({ id }) => id)),
  };
}

function scoreRows({ work, scores }: Settlement): Record<string, unknown>[] {
  return scores.map((score, ordinal) => ({ p: work.projectId, v: work.id, ordinal, ...score }));
}

/**
 * `n` joins the parts of the statement: on two join columns the planner would expect a single row
 * and compare all pairs.
 */
function asRow(s: Settlement, n: number): Record<string, unknown> {
  const { work } = s;
  return {
    n,
    p: work.projectId,
    id: work.id,
    fence: work.fence,
    subject_kind: work.subjectKind,
    subject_id: work.subjectId,
    revision: work.revision,
    kind: s.kind,
    slug: s.verifierSlug,
    version: s.verifierVersion,
    turn_id: s.turnId,
    trace_id: s.traceId,
    session_id: s.sessionId,
    model: s.model,
    client_id: s.clientId,
    rule: work.rule,
    outcome: s.outcome,
    verdict: s.verdict,
    action: s.action,
    score: s.score,
    confidence: s.confidence,
    needs_human_review: s.needsHumanReview,
    decision_state: s.decision.state,
    decision_reason: s.decision.reason,
    issues: s.issues,
    feedback: s.feedback,
    mission_id: s.missionId,
    task_id: s.taskId,
    threshold_value: s.threshold?.value ?? null,
    threshold_source: s.threshold?.source ?? null,
    threshold_version: s.threshold?.version ?? null,
    retries_used: s.retries?.used ?? null,
    retries_budget: s.retries?.budget ?? null,
    judge_calls: s.judging.calls,
    judge_model: s.judging.model,
    cross_model: s.judging.crossModel,
    cost_usd: s.judging.costUsd,
    price_unknown: s.judging.priceUnknown,
    tokens: s.judging.tokens,
    share_of_task: s.judging.shareOfTask,
    over_budget: s.judging.overBudget,
    detail: s.detail,
    basis: s.basis ?? null,
    excerpt: s.excerpt,
    created_at: work.createdAt.toISOString(),
    simulated_at: s.simulatedAt?.toISOString() ?? null,
    ran: s.integrity === null ? 0 : 1,
    fallback: s.integrity?.fallback === true ? 1 : 0,
    figures: s.integrity?.figures ?? 0,
    unsourced: s.integrity?.unsourced ?? 0,
    reprompt: s.integrity?.reprompt === true ? 1 : 0,
  };
}
