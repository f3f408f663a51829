import type { ProjectCtx } from '../../access';
import { identityOf } from '../../ingest';
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
  const rows = await sql<{ model: string; day: string; counts: Counts }[]>`
    select ${identityOf(ctx, sql`s.project_id`, sql`s.model`)} as model, day::text, counts from verdict_spreads s
    where project_id = ${projectId} and verifier_slug = ${verifier} and measure = 'score' and model <> ''
      and day >= ${from.toISOString().slice(0, 10)}::date
    order by 1, 2`;
  const models = new Map<string, Map<string, Counts[]>>();
  for (const { model, day, counts } of rows) {
    const days = models.get(model) ?? new Map<string, Counts[]>();
    models.set(model, days.set(day, [...(days.get(day) ?? []), counts]));
  }
  return [...models].map(([model, byDay]) => ({
    model,
    days: Array.from({ length: modelPageDays }, (_, index) => {
      const day = new Date(from.getTime() + index * dayMs).toISOString().slice(0, 10);
      const counts = byDay.get(day);
      return {
        day,
        spread: counts === undefined ? null : spreadOf(bucketsOf(counts), scoreOfBucket),
      };
    }),
  }));
}

type Counts = Readonly<Record<string, number>>;

/** The counts of all names of a model, summed. */
function bucketsOf(counts: readonly Counts[]): Bucket[] {
  const sums = new Map<number, number>();
  for (const [bucket, count] of counts.flatMap((each) => Object.entries(each)))
    sums.set(Number(bucket), (sums.get(Number(bucket)) ?? 0) + count);
  return [...sums].map(([bucket, count]) => ({ bucket, count }));
}
