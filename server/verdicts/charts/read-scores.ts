import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { listThresholds } from '../../thresholds';
import { type Bucket, scoreOfBucket, type Spread, spreadOf } from '../spreads';
import { type ScoreBin, scaleOf, scoreBins } from './score-bins';

/** How the scores of a verifier are spread. */
export interface ScoreHistogram {
  /** Null: all that there is. */
  readonly from: Date | null;
  /** End of the scale, which begins with 0. */
  readonly most: number;
  readonly bins: readonly ScoreBin[];
  readonly spread: Spread;
  /** Verdicts of the period that were not skipped, with a score or without. */
  readonly verdicts: number;
  /** Values in force for the whole project that scores are held against. */
  readonly thresholds: readonly {
    readonly key: string;
    readonly value: number;
    readonly meaning: string;
  }[];
}

/** Thresholds of something else than the verdict's score. */
const ofOthers: ReadonlySet<string> = new Set(['criterion_met_threshold', 'confidence_threshold']);

interface Row {
  measure: 'score' | 'failed_score';
  day: string;
  counts: Readonly<Record<string, number>>;
}

/**
 * From the counts that settling keeps, never from the verdicts. All versions and models together: a
 * spread is not kept by version.
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
  // Failures are kept apart from a release on: a day that has some and keeps none apart is of one
  // before.
  const apart = new Set(
    rows.filter(({ measure }) => measure === 'failed_score').map(({ day }) => day),
  );
  const withFailures = new Set(
    days.filter(({ failed }) => Number(failed) > 0).map(({ day }) => day),
  );
  const all = bucketsOf(rows.filter(({ measure }) => measure === 'score'));
  const thresholds = known.filter(({ key }) => !ofOthers.has(key));
  const most = scaleOf(
    all,
    thresholds.length === 0 ? null : Math.max(...thresholds.map((each) => each.most)),
  );
  return {
    from: from ?? null,
    most,
    bins: scoreBins(most, {
      all,
      failed: bucketsOf(rows.filter(({ measure }) => measure === 'failed_score')),
      untold: bucketsOf(
        rows.filter(
          ({ measure, day }) => measure === 'score' && withFailures.has(day) && !apart.has(day),
        ),
      ),
    }),
    spread: spreadOf(all, scoreOfBucket),
    verdicts: days.reduce((sum, { verdicts }) => sum + Number(verdicts), 0),
    thresholds: thresholds.map(({ key, value, meaning }) => ({ key, value, meaning })),
  };
}

/** Counts of several days and models added up. */
function bucketsOf(rows: readonly Row[]): Bucket[] {
  const sums = new Map<number, number>();
  for (const { counts } of rows) {
    for (const [bucket, count] of Object.entries(counts))
      sums.set(Number(bucket), (sums.get(Number(bucket)) ?? 0) + count);
  }
  return [...sums].map(([bucket, count]) => ({ bucket, count }));
}
