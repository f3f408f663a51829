import type { ProjectCtx } from '../access';
import { identityOf } from '../ingest';
import { newId } from '../platform';
import { loadJudging, readPassWeights } from '../verdicts';
import { measured } from '../measures';
import { comparedShare, type ReportPeriod } from './read-verifiers';
import type { ReportedProject, ReportedVerifier } from './report-content';
import { reportedActions } from './report-words';

/** Maximum number of rows in each table of a report, which states the number of further ones. */
const rowsMax = { models: 60, events: 60, changes: 60, reasons: 100, debts: 100 } as const;
const dayMs = 86_400_000;
const detailChars = 300;

const day = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * The part of a report about the project as a whole, except its costs. Covers whole UTC days:
 * counts are the daily counts written on settling and deciding.
 */
export async function readProject(
  ctx: ProjectCtx,
  period: ReportPeriod,
  verifiers: readonly ReportedVerifier[],
): Promise<Omit<ReportedProject, 'costs'> & { readonly budgetShare: number }> {
  const [outcomes, models, labelDebt, decisions, alerts, changes, judging] = await Promise.all([
    readOutcomes(ctx, period),
    readModels(ctx, period),
    readLabelDebt(ctx, verifiers),
    readDecisions(ctx, period),
    readAlerts(ctx, period),
    readChanges(ctx, period),
    loadJudging(ctx, ctx.projectId, 'task'),
  ]);
  return {
    outcomes,
    ...models,
    label_debt: labelDebt,
    decisions,
    alerts,
    ...changes,
    budgetShare: judging.costBudgetShare,
  };
}

const outcomeNames = [
  'passed',
  'failed',
  'needs_review',
  'steered',
  'inconclusive',
  'skipped',
] as const;

async function readOutcomes(
  { sql, projectId }: ProjectCtx,
  { from, to }: ReportPeriod,
): Promise<ReportedProject['outcomes']> {
  const rows = await sql<(Record<(typeof outcomeNames)[number], string> & { verifier: string })[]>`
    select verifier_slug as verifier, sum(passed) as passed, sum(failed) as failed, sum(needs_review) as needs_review, sum(steered) as steered,
      sum(inconclusive) as inconclusive, sum(skipped) as skipped
    from verdict_rollups where project_id = ${projectId} and day >= ${day(from)}::date and day < ${day(to)}::date group by 1 order by 1`;
  return rows.map(({ verifier, passed, failed, needs_review, steered, inconclusive, skipped }) => ({
    verifier,
    passed: Number(passed),
    failed: Number(failed),
    needs_review: Number(needs_review),
    steered: Number(steered),
    inconclusive: Number(inconclusive),
    skipped: Number(skipped),
  }));
}

interface ModelRow {
  verifier: string;
  model: string;
  passed: string;
  decided: string;
  old_passed: string;
  old_decided: string;
  all_rows: number;
}

/**
 * Models with the most verdicts of the period first, per verifier: results of one verifier do not
 * apply to another.
 */
async function readModels(
  ctx: ProjectCtx,
  { from, to, before }: ReportPeriod,
): Promise<Pick<ReportedProject, 'models' | 'models_left_out'>> {
  const { sql, projectId } = ctx;
  const rows = await sql<ModelRow[]>`
    select verifier, model, passed, decided, old_passed, old_decided, (count(*) over ())::int as all_rows from (
      select verifier_slug as verifier, ${identityOf(ctx, sql`r.project_id`, sql`r.model`)} as model,
        coalesce(sum(passed) filter (where day >= ${day(from)}::date), 0) as passed,
        coalesce(sum(passed + failed) filter (where day >= ${day(from)}::date), 0) as decided,
        coalesce(sum(passed) filter (where day < ${day(from)}::date), 0) as old_passed,
        coalesce(sum(passed + failed) filter (where day < ${day(from)}::date), 0) as old_decided
      from verdict_rollups r where project_id = ${projectId} and day >= ${day(before)}::date and day < ${day(to)}::date group by 1, 2
    ) as counted where decided > 0 order by decided desc, verifier, model limit ${rowsMax.models}`;
  const wanted = {
    slugs: [...new Set(rows.map(({ verifier }) => verifier))],
    by: sql`v.verifier_slug || ' ' || ${identityOf(ctx, sql`v.project_id`, sql`coalesce(v.model, '')`)}`,
  };
  const [weights, oldWeights] = await Promise.all([
    readPassWeights(ctx, { ...wanted, from, to }),
    readPassWeights(ctx, { ...wanted, from: before, to: from }),
  ]);
  return {
    models: rows.map((row) => {
      const name = `${row.verifier} ${row.model}`;
      const now = {
        numerator: Number(row.passed),
        denominator: Number(row.decided),
        weight: weights.get(name),
      };
      const old = {
        numerator: Number(row.old_passed),
        denominator: Number(row.old_decided),
        weight: oldWeights.get(name),
      };
      return {
        model: row.model === '' ? null : row.model,
        verifier: row.verifier,
        pass_rate: measured(now, undefined, now.weight),
        before: comparedShare(now, old),
      };
    }),
    models_left_out: Math.max(0, (rows[0]?.all_rows ?? 0) - rows.length),
  };
}

/** The trust gaps that more labels can close. */
const ofLabels = ['labels', 'defects', 'good', 'label_age'];

/**
 * At the time of reading: the items waiting in the review queue, and the gaps to the next trust
 * state.
 */
async function readLabelDebt(
  { sql, projectId }: ProjectCtx,
  verifiers: readonly ReportedVerifier[],
): Promise<ReportedProject['label_debt']> {
  const rows = await sql<
    { verifier: string; open: number; audit: number; oldest: string | null }[]
  >`
    select verifier_slug as verifier, count(*)::int as open, (count(*) filter (where 'audit' = any(queues)))::int as audit,
      min(drawn_at) as oldest
    from review_items where project_id = ${projectId} and state = 'open' group by 1 order by 2 desc, 1 limit ${rowsMax.debts}`;
  const oldest = rows.flatMap((row) => (row.oldest === null ? [] : [Date.parse(row.oldest)]));
  return {
    open_items: rows.reduce((sum, { open }) => sum + open, 0),
    oldest_at: oldest.length === 0 ? null : new Date(Math.min(...oldest)).toISOString(),
    by_verifier: rows.map(({ verifier, open, audit }) => ({ verifier, open, audit })),
    missing: verifiers.flatMap(({ verifier, trust }) =>
      trust.gaps
        .filter(({ what }) => ofLabels.includes(what))
        .map(({ text, have, need }) => ({ verifier, text, have, need })),
    ),
  };
}

async function readDecisions(
  { sql, projectId }: ProjectCtx,
  { from, to }: ReportPeriod,
): Promise<ReportedProject['decisions']> {
  const rows = await sql<{ rule: string; state: string; count: string }[]>`
    select rule, state, sum(count) as count from decision_rollups
    where project_id = ${projectId} and day >= ${day(from)}::date and day < ${day(to)}::date
    group by 1, 2 having sum(count) > 0 order by 3 desc, 1, 2`;
  const counted = rows.map(({ rule, state, count }) => ({ rule, state, count: Number(count) }));
  const reasons = counted.filter(({ state }) => state !== 'run');
  const sum = (of: typeof counted): number => of.reduce((total, { count }) => total + count, 0);
  return {
    run: sum(counted) - sum(reasons),
    not_run: sum(reasons),
    reasons: reasons.slice(0, rowsMax.reasons),
  };
}

interface EventRow {
  kind: string;
  series: string;
  name: string;
  event: string;
  severity: string;
  message: string;
  found: number;
  created_at: string;
  all_rows: number;
}

async function readAlerts(
  { sql, projectId }: ProjectCtx,
  { from, to }: ReportPeriod,
): Promise<ReportedProject['alerts']> {
  const [now, events] = await Promise.all([
    sql<
      {
        kind: string;
        series: string;
        name: string;
        severity: string;
        message: string;
        advice: string | null;
        since: string;
      }[]
    >`
      select kind, series, name, severity, message, advice, since from alert_states
      where project_id = ${projectId} and state = 'alerting'
      order by array_position(array['high', 'medium', 'low'], severity), since, kind, series limit ${rowsMax.events}`,
    sql<EventRow[]>`
      select kind, series, name, event, severity, message, found, created_at, (count(*) over ())::int as all_rows from alert_events
      where project_id = ${projectId} and created_at >= ${from.toISOString()}::timestamptz and created_at < ${to.toISOString()}::timestamptz
      order by created_at desc, id desc limit ${rowsMax.events}`,
  ]);
  return {
    now: now.map(({ since, ...alert }) => ({ ...alert, since: new Date(since).toISOString() })),
    events: events.map(({ created_at, all_rows: _, ...event }) => ({
      ...event,
      at: new Date(created_at).toISOString(),
    })),
    events_left_out: Math.max(0, (events[0]?.all_rows ?? 0) - events.length),
  };
}

/** Configuration changes that affect verdicts, newest first. */
async function readChanges(
  { sql, projectId }: ProjectCtx,
  { from, to }: ReportPeriod,
): Promise<Pick<ReportedProject, 'changes' | 'changes_left_out'>> {
  // Ids begin with the time of their creator's clock: allow one day of tolerance, and filter by
  // `at`.
  const [first, last] = [
    newId('aud', new Date(from.getTime() - dayMs)),
    newId('aud', new Date(to.getTime() + dayMs)),
  ];
  const rows = await sql<
    {
      at: string;
      actor_label: string;
      action: string;
      target: string | null;
      detail: unknown;
      all_rows: number;
    }[]
  >`
    select at, actor_label, action, target, detail, (count(*) over ())::int as all_rows from audit_events
    where project_id = ${projectId} and id >= ${first} and id < ${last} and at >= ${from.toISOString()}::timestamptz
      and at < ${to.toISOString()}::timestamptz and action in ${sql([...reportedActions])}
    order by id desc limit ${rowsMax.changes}`;
  return {
    changes: rows.map((row) => ({
      at: new Date(row.at).toISOString(),
      by: row.actor_label,
      action: row.action,
      target: row.target,
      detail: detailText(row.detail),
    })),
    changes_left_out: Math.max(0, (rows[0]?.all_rows ?? 0) - rows.length),
  };
}

/**
 * The plain members of an audit row other than its target: `value 0.6, before 0.7, reason too
 * strict`. Pure.
 */
function detailText(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return '';
  return Object.entries(detail)
    .flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [`${name.replaceAll('_', ' ')} ${value}`]
        : [],
    )
    .join(', ')
    .slice(0, detailChars);
}
