import type { ProjectCtx } from '../access';
import { Outcome } from '../domain';
import { identityOf } from '../ingest';
import { listVerdicts } from './list';
import type { VerdictRow } from './rows';

export type OutcomeCounts = Record<Outcome, number>;

export interface ModelSummary {
  readonly model: string | null;
  readonly outcomes: OutcomeCounts;
  readonly figures: number;
  readonly unsourced: number;
  readonly answers: number;
  readonly fallbackScans: number;
  readonly reprompts: number;
  readonly repromptsHelped: number;
}

export interface Overview extends Omit<ModelSummary, 'model'> {
  readonly from: Date;
  readonly to: Date;
  readonly turns: number;
  readonly waiting: number;
  readonly quarantined: number;
  readonly rejected: number;
  readonly lastVerdictAt: Date | null;
  readonly byModel: readonly ModelSummary[];
  readonly latestFailed: readonly VerdictRow[];
}

interface CountRow {
  model: string;
  passed: string;
  failed: string;
  needs_review: string;
  steered: string;
  inconclusive: string;
  skipped: string;
}

interface IntegrityRow {
  model: string;
  answers: string;
  fallback_scans: string;
  figures: string;
  unsourced: string;
  reprompts: string;
  reprompts_helped: string;
}

const noOutcomes = (): OutcomeCounts => ({
  passed: 0,
  failed: 0,
  needs_review: 0,
  steered: 0,
  inconclusive: 0,
  skipped: 0,
});
const noIntegrity = () => ({
  answers: 0,
  fallbackScans: 0,
  figures: 0,
  unsourced: 0,
  reprompts: 0,
  repromptsHelped: 0,
});
const dayMs = 86_400_000;

/**
 * The data of the overview for whole UTC days up to today, from the rollups, never from the
 * verdicts.
 */
export async function summariseProject(
  ctx: ProjectCtx,
  input: { readonly days: number },
): Promise<Overview> {
  const { sql, projectId } = ctx;
  const now = ctx.clock.now();
  const from = new Date(Math.floor(now.getTime() / dayMs) * dayMs - (input.days - 1) * dayMs);
  const fromDay = from.toISOString().slice(0, 10);
  const counts = await sql<CountRow[]>`
    select ${identityOf(ctx, sql`r.project_id`, sql`r.model`)} as model, sum(passed) as passed, sum(failed) as failed, sum(needs_review) as needs_review, sum(steered) as steered,
      sum(inconclusive) as inconclusive, sum(skipped) as skipped
    from verdict_rollups r where project_id = ${projectId} and day >= ${fromDay}::date group by 1`;
  const integrity = await sql<IntegrityRow[]>`
    select ${identityOf(ctx, sql`r.project_id`, sql`r.model`)} as model, sum(answers) as answers, sum(fallback_scans) as fallback_scans, sum(figures) as figures, sum(unsourced) as unsourced,
      sum(reprompts) as reprompts, sum(reprompts_helped) as reprompts_helped
    from integrity_rollups r where project_id = ${projectId} and day >= ${fromDay}::date group by 1`;
  const [state] = await sql<
    { waiting: number; quarantined: number; rejected: number; turns: number; last: string | null }[]
  >`
    select
      (select count(*)::int from work where project_id = ${projectId} and state in ('waiting', 'held') and experiment_id is null) as waiting,
      (select count(*)::int from work where project_id = ${projectId} and state = 'quarantined' and experiment_id is null) as quarantined,
      (select count(*)::int from dead_letters where project_id = ${projectId} and received_at >= ${from.toISOString()}::timestamptz) as rejected,
      (select count(*)::int from turns where project_id = ${projectId} and received_at >= ${from.toISOString()}::timestamptz)
        - (select count(*)::int from turns where project_id = ${projectId} and received_at >= ${from.toISOString()}::timestamptz and origin = 'experiment') as turns,
      (select settled_at from verdicts where project_id = ${projectId} and experiment_id is null order by settled_at desc limit 1) as last`;
  const { items: latestFailed } = await listVerdicts(ctx, { outcome: ['failed'], from, limit: 5 });
  return {
    from,
    to: now,
    turns: state?.turns ?? 0,
    waiting: state?.waiting ?? 0,
    quarantined: state?.quarantined ?? 0,
    rejected: state?.rejected ?? 0,
    lastVerdictAt: state?.last == null ? null : new Date(state.last),
    ...sumModels(counts, integrity),
    latestFailed,
  };
}

function sumModels(counts: readonly CountRow[], integrity: readonly IntegrityRow[]) {
  const models = new Map<string, { -readonly [K in keyof ModelSummary]: ModelSummary[K] }>();
  const total = { outcomes: noOutcomes(), ...noIntegrity() };
  const of = (model: string) => {
    let summary = models.get(model);
    if (summary === undefined) {
      summary = { model: model === '' ? null : model, outcomes: noOutcomes(), ...noIntegrity() };
      models.set(model, summary);
    }
    return summary;
  };
  for (const row of counts) {
    const summary = of(row.model);
    for (const outcome of Outcome.options) {
      summary.outcomes[outcome] += Number(row[outcome]);
      total.outcomes[outcome] += Number(row[outcome]);
    }
  }
  for (const row of integrity) {
    for (const target of [of(row.model), total]) {
      target.answers += Number(row.answers);
      target.fallbackScans += Number(row.fallback_scans);
      target.figures += Number(row.figures);
      target.unsourced += Number(row.unsourced);
      target.reprompts += Number(row.reprompts);
      target.repromptsHelped += Number(row.reprompts_helped);
    }
  }
  const byModel = [...models.values()].sort(
    (a, b) => sumOutcomes(b.outcomes) - sumOutcomes(a.outcomes),
  );
  return { ...total, byModel };
}

function sumOutcomes(counts: OutcomeCounts): number {
  return Outcome.options.reduce((sum, outcome) => sum + counts[outcome], 0);
}
