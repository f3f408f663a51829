import type { ProjectCtx } from '../access';
import { labelledOf, minSampleSize, type Matrix, type Share, sharesOf } from '../domain';
import { benjaminiHochberg, fisherExact } from '../stats';
import { readWeights, type ItemWeights } from './clusters';
import { measured } from './rates';
import type { SliceGroup } from './report';
import { type SliceField, sliceFields } from './report-input';
import { type ReportScope, reportRows, sliceValue } from './report-rows';

type SliceWeights = Pick<ItemWeights, 'bad' | 'good'>;

/** The labelled rows of one slice. */
export interface SliceCounts extends Matrix {
  readonly by: SliceField;
  readonly value: string;
  /**
   * The weights of its labels and of those of the whole field; omitted if each label is in a
   * separate session.
   */
  readonly weights?: SliceWeights | undefined;
  readonly wholeWeights?: SliceWeights | undefined;
}

/** Maximum number of listed slices per field, those with the most labels first. */
const slicesMax = 50;

/**
 * Counts slices by every field; a row with an unknown field is in none of that field's slices.
 * Omits the condition on the report's own slice.
 */
export async function readSlices(
  ctx: ProjectCtx,
  scope: ReportScope,
): Promise<readonly SliceCounts[]> {
  const { sql } = ctx;
  const places = sliceFields
    .map((by) => sql`(${by}::text, ${sliceValue(ctx, by)})`)
    .reduce((before, place) => sql`${before}, ${place}`);
  const rows = sql`
    select by, value, machine, good, overruled, session_id, subject_id
    from (${reportRows(ctx, scope, ['slice'])}) as j cross join lateral (values ${places}) as s(by, value)
    where machine is not null and good is not null and value <> ''`;
  const [counts, weights, wholes] = await Promise.all([
    sql<SliceCounts[]>`
      select by, value, caught, missed, rejected, passed
      from (
        select by, value,
          (count(*) filter (where machine = 'failed' and not good))::int as caught, (count(*) filter (where machine = 'passed' and not good))::int as missed,
          (count(*) filter (where machine = 'failed' and good))::int as rejected, (count(*) filter (where machine = 'passed' and good))::int as passed,
          row_number() over (partition by by order by count(*) desc, value) as place
        from (${rows}) as sliced group by by, value
      ) as counted
      where place <= ${slicesMax} order by place`,
    readWeights(
      ctx,
      sql`
        select by || ' ' || value as series, machine, good, overruled, session_id, subject_id
        from (${rows}) as sliced`,
    ),
    readWeights(
      ctx,
      sql`
        select by as series, machine, good, overruled, session_id, subject_id
        from (${rows}) as sliced`,
    ),
  ]);
  return counts.map((row) => ({
    ...row,
    weights: weights.get(`${row.by} ${row.value}`),
    wholeWeights: wholes.get(row.by),
  }));
}

/**
 * Compares each slice with the rest of its field by Fisher's exact test, separately on bad items
 * (catch) and good items (false rejections), because the agreement rate may hide one of them
 * (calibration.md 5.2, 5.7). Weights labels that share a session (Rao and Scott 1992: counts
 * divided by the design effect). `adjustedP` adjusts both over all tests of the field (Benjamini
 * and Hochberg 1995). It is null if the slice or the rest has fewer than 20 labels or none of the
 * class, or if all or none are caught or rejected. Pure.
 */
export function slicesOf(counts: readonly SliceCounts[]): SliceGroup[] {
  return sliceFields.flatMap((by) => {
    const rows = counts.filter((each) => each.by === by);
    if (rows.length === 0) return [];
    const total = add(rows);
    const tested = rows.flatMap((row) => testsOf(row, total));
    const adjusted = benjaminiHochberg(tested.filter((p) => p !== null));
    let next = 0;
    const ps = tested.map((p) => (p === null ? null : (adjusted[next++] ?? null)));
    return {
      by,
      rows: rows.map((row, at) => ({
        slice: { by, value: row.value },
        labelled: labelledOf(row),
        catchRate: measured(sharesOf(row).catchRate, undefined, row.weights?.bad),
        falseRejectionRate: measured(
          sharesOf(row).falseRejectionRate,
          undefined,
          row.weights?.good,
        ),
        adjustedP: { catchRate: ps[2 * at] ?? null, falseRejectionRate: ps[2 * at + 1] ?? null },
      })),
    };
  });
}

/** p of the catch rate, then p of false rejections, for a slice against the rest. */
function testsOf(row: SliceCounts, total: Matrix): [number | null, number | null] {
  const rest: Matrix = {
    caught: total.caught - row.caught,
    missed: total.missed - row.missed,
    rejected: total.rejected - row.rejected,
    passed: total.passed - row.passed,
  };
  if (labelledOf(row) < minSampleSize || labelledOf(rest) < minSampleSize) return [null, null];
  const [own, others] = [sharesOf(row), sharesOf(rest)];
  const test = (rate: 'catchRate' | 'falseRejectionRate', of: 'bad' | 'good'): number | null =>
    fisherExact(
      effectiveShare(own[rate], row.weights?.[of]),
      effectiveShare(others[rate], row.wholeWeights?.[of]),
    );
  return [test('catchRate', 'bad'), test('falseRejectionRate', 'good')];
}

/** The effective counts of a share, given the weight of its items. */
function effectiveShare({ numerator, denominator }: Share, weight = 1): Share {
  return {
    numerator: Math.round(numerator * weight),
    denominator: Math.round(denominator * weight),
  };
}

const add = (rows: readonly Matrix[]): Matrix => ({
  caught: sum(rows.map(({ caught }) => caught)),
  missed: sum(rows.map(({ missed }) => missed)),
  rejected: sum(rows.map(({ rejected }) => rejected)),
  passed: sum(rows.map(({ passed }) => passed)),
});
const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
