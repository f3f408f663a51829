import type { ModelDays, ModelScores } from '@/app/_trpc/outputs';
import type { ChartData } from '@/app/_ui/chart-data';

/** A row per model and day with results; the median score by one verifier, if one is chosen. */
export function modelData(
  models: readonly ModelDays[],
  scores: readonly ModelScores[] | null,
  verifier: string | null,
): ChartData {
  const byModel = new Map(
    (scores ?? []).map(({ model, days }) => [
      model,
      new Map(days.map(({ day, spread }) => [day, spread])),
    ]),
  );
  const more = verifier === null ? [] : [`median score by ${verifier}`, `scores by ${verifier}`];
  return {
    columns: ['model', 'day', 'passed', 'failed', ...more],
    rows: models.flatMap(({ model, days }) =>
      days
        .filter(({ passed, failed }) => passed + failed > 0)
        .map(({ day, passed, failed }) => {
          const spread = byModel.get(model)?.get(day) ?? null;
          const row = [model, new Date(`${day}T00:00:00Z`), passed, failed];
          return verifier === null ? row : [...row, spread?.p50 ?? null, spread?.n ?? 0];
        }),
    ),
  };
}

/** The upper end of the scale shared by all models: 1, or enough for the largest median score. */
export function scaleOfScores(scores: readonly ModelScores[]): number {
  const greatest = Math.max(
    0,
    ...scores.flatMap(({ days }) => days.map(({ spread }) => spread?.p50 ?? 0)),
  );
  // Quantiles are accurate to 2%: a score of 1 may be estimated slightly above it.
  return greatest <= 1.02 ? 1 : 10 ** Math.ceil(Math.log10(greatest / 1.02));
}
