import type { ProjectCtx } from '../../access';
import { identityOf } from '../../ingest';
import { readPassWeights } from '../session-weights';
import { modelPageDays, modelsFrom } from './list-models';

/**
 * The passed and failed results of one model from all verifiers on each of the last 30 UTC days,
 * oldest first, including days without results.
 */
export interface ModelDays {
  readonly model: string;
  readonly passed: number;
  readonly failed: number;
  /**
   * The weight of one result in an interval; below 1 if the results of a session are correlated.
   */
  readonly weight: number;
  readonly days: readonly {
    readonly day: string;
    readonly passed: number;
    readonly failed: number;
  }[];
}

const modelsMax = 24;
const dayMs = 86_400_000;

/** At most 24 models, those with the most results first, from the rollups. */
export async function listModelDays(ctx: ProjectCtx): Promise<ModelDays[]> {
  const { sql, projectId } = ctx;
  const from = modelsFrom(ctx.clock.now());
  const rows = await sql<{ model: string; day: string; passed: string; failed: string }[]>`
    with days as (
      select ${identityOf(ctx, sql`r.project_id`, sql`r.model`)} as model, day, sum(passed) as passed, sum(failed) as failed from verdict_rollups r
      where project_id = ${projectId} and day >= ${from.toISOString().slice(0, 10)}::date and model <> '' group by 1, 2
    ), models as (
      select model, sum(passed + failed) as results from days group by 1 having sum(passed + failed) > 0 order by 2 desc, 1 limit ${modelsMax}
    )
    select model, day::text, passed, failed from days join models using (model) order by models.results desc, model, day`;
  const weights = await readWeightsOfModels(ctx, from);
  const models = new Map<string, Map<string, { passed: number; failed: number }>>();
  for (const { model, day, passed, failed } of rows) {
    const days = models.get(model) ?? new Map<string, { passed: number; failed: number }>();
    models.set(model, days.set(day, { passed: Number(passed), failed: Number(failed) }));
  }
  return [...models].map(([model, byDay]) => {
    const days = Array.from({ length: modelPageDays }, (_, index) => {
      const day = new Date(from.getTime() + index * dayMs).toISOString().slice(0, 10);
      return { day, ...(byDay.get(day) ?? { passed: 0, failed: 0 }) };
    });
    const sum = (key: 'passed' | 'failed'): number =>
      days.reduce((total, each) => total + each[key], 0);
    return {
      model,
      passed: sum('passed'),
      failed: sum('failed'),
      weight: weights.get(model) ?? 1,
      days,
    };
  });
}

async function readWeightsOfModels(ctx: ProjectCtx, from: Date): Promise<Map<string, number>> {
  const { sql, projectId } = ctx;
  const rows = await sql<{ slug: string }[]>`
    select distinct verifier_slug as slug from verdict_rollups
    where project_id = ${projectId} and model <> ''
      and day >= ${from.toISOString().slice(0, 10)}::date`;
  return readPassWeights(ctx, {
    slugs: rows.map(({ slug }) => slug),
    by: identityOf(ctx, sql`v.project_id`, sql`coalesce(v.model, '')`),
    from,
  });
}
