import type { ProjectCtx } from '../../access';
import { type Bucket, scoreOfBucket, type Spread, spreadOf } from '../spreads';
import { modelPageDays, modelsFrom } from './list-models';

/**
 * The spread of one verifier's scores for a model on each of the last 30 UTC days, oldest first;
 * null on days without scores.
 */
export interface ModelScores {
  readonly model: string;
  readonly days: readonly { readonly day: string; readonly spread: Spread | null }[];
}

const dayMs = 86_400_000;

/**
 * Scores are comparable only within one verifier. Returns named models, by name, from the counters
 * written on settling.
 */
export async function listModelScores(
  ctx: ProjectCtx,
  { verifier }: { readonly verifier: string },
): Promise<ModelScores[]> {
  const { sql, projectId } = ctx;
  const from = modelsFrom(ctx.clock.now());
  const rows = await sql<
    { model: string; day: string; counts: Readonly<Record<string, number>> }[]
  >`
    select model, day::text, counts from verdict_spreads
    where project_id = ${projectId} and verifier_slug = ${verifier} and measure = 'score' and model <> ''
      and day >= ${from.toISOString().slice(0, 10)}::date
    order by model, day`;
  const models = new Map<string, Map<string, Spread>>();
  for (const { model, day, counts } of rows) {
    const days = models.get(model) ?? new Map<string, Spread>();
    const buckets: Bucket[] = Object.entries(counts).map(([bucket, count]) => ({
      bucket: Number(bucket),
      count,
    }));
    models.set(model, days.set(day, spreadOf(buckets, scoreOfBucket)));
  }
  return [...models].map(([model, byDay]) => ({
    model,
    days: Array.from({ length: modelPageDays }, (_, index) => {
      const day = new Date(from.getTime() + index * dayMs).toISOString().slice(0, 10);
      return { day, spread: byDay.get(day) ?? null };
    }),
  }));
}
