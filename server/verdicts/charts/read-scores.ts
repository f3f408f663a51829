import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { comparesScore, listThresholds } from '../../thresholds';
import { type Bucket, scoreOfBucket, type Spread, spreadOf } from '../spreads';
import { type ScoreBin, scaleOf, scoreBins } from './score-bins';

/** The distribution of a verifier's scores. */
export interface ScoreHistogram {
  /** Null means no lower limit. */
  readonly from: Date | null;
  /** The end of the scale, which begins at 0. */
  readonly max: number;
  readonly bins: readonly ScoreBin[];
  readonly spread: Spread;
  /** The number of verdicts in the period that were not skipped, with or without a score. */
  readonly verdicts: number;
  /** Current project-wide thresholds that scores are compared with. */
  readonly thresholds: readonly {
    readonly key: string;
    readonly value: number;
    readonly meaning: string;
  }[];
}

interface Row {
  measure: 'score' | 'failed_score';
  day: string;
  counts: Readonly<Record<string, number>>;
}

/**
 * Reads the counters written on settling, never the verdicts, over all versions and models: spreads
 * are not stored per version.
 */
export async function readScores(
  ctx: ProjectCtx,
  { verifier, from }: { readonly verifier: string; readonly from: Date | undefined },
): Promise<ScoreHistogram> {
  const { sql, projectId } = ctx;
  const { slug } = readVerifierName(verifier);
  const since =
    from === undefined ? sql`` : sql`and day >= ${from.toISOString().slice(0, 10)}::date`;
  const [rows, days, known] = await Promise.all([
    sql<Row[]>`
      select measure, day::text, counts from verdict_spreads
      where project_id = ${projectId} and verifier_slug = ${slug} and measure in ('score', 'failed_score') ${since}`,
    sql<{ day: string; failed: string; verdicts: string }[]>`
      select day::text, sum(failed) as failed, sum(passed + failed + needs_review + steered + inconclusive) as verdicts from verdict_rollups
      where project_id = ${projectId} and verifier_slug = ${slug} ${since} group by day`,
    listThresholds(ctx, slug),
  ]);
  // Earlier releases did not count the scores of failures separately: a day with failures but
  // without separate counts is from one of them.
  const separateDays = new Set(
    rows.filter(({ measure }) => measure === 'failed_score').map(({ day }) => day),
  );
  const withFailures = new Set(
    days.filter(({ failed }) => Number(failed) > 0).map(({ day }) => day),
  );
  const all = bucketsOf(rows.filter(({ measure }) => measure === 'score'));
  const thresholds = known.filter(({ key }) => comparesScore(key));
  const max = scaleOf(
    all,
    thresholds.length === 0 ? null : Math.max(...thresholds.map((each) => each.max)),
  );
  return {
    from: from ?? null,
    max,
    bins: scoreBins(max, {
      all,
      failed: bucketsOf(rows.filter(({ measure }) => measure === 'failed_score')),
      unclassified: bucketsOf(
        rows.filter(
          ({ measure, day }) =>
            measure === 'score' && withFailures.has(day) && !separateDays.has(day),
        ),
      ),
    }),
    spread: spreadOf(all, scoreOfBucket),
    verdicts: days.reduce((sum, { verdicts }) => sum + Number(verdicts), 0),
    thresholds: thresholds.map(({ key, value, meaning }) => ({ key, value, meaning })),
  };
}

/** The counts, summed over days and models. */
function bucketsOf(rows: readonly Row[]): Bucket[] {
  const sums = new Map<number, number>();
  for (const { counts } of rows) {
    for (const [bucket, count] of Object.entries(counts))
      sums.set(Number(bucket), (sums.get(Number(bucket)) ?? 0) + count);
  }
  return [...sums].map(([bucket, count]) => ({ bucket, count }));
}
