import type { ProjectCtx } from '../../access';
import { leastForRate, type Matrix } from '../../domain';
import { benjaminiHochberg } from '../stats/compare';
import { twoProportionZ } from '../stats/drift';
import { share } from './rates';
import type { SliceGroup } from './report';
import { type SliceField, sliceFields } from './report-input';
import { type ReportScope, reportRows, sliceColumns } from './report-rows';

/** The labelled rows of one slice. */
export interface SliceCounts extends Matrix {
  readonly by: SliceField;
  readonly value: string;
}

/** Slices of one field that are told, those with the most labels. */
const slicesMax = 50;

/** By every field; rows of which a field is not known are in none of its slices. The slice that the report is of is left out of the conditions. */
export async function readSlices(ctx: ProjectCtx, scope: ReportScope): Promise<readonly SliceCounts[]> {
  const { sql } = ctx;
  const places = sliceFields.map((by) => sql`(${by}::text, ${sql(sliceColumns[by])})`).reduce((before, place) => sql`${before}, ${place}`);
  return sql<SliceCounts[]>`
    select by, value, caught, missed, rejected, passed
    from (
      select by, value,
        (count(*) filter (where machine = 'failed' and not good))::int as caught, (count(*) filter (where machine = 'passed' and not good))::int as missed,
        (count(*) filter (where machine = 'failed' and good))::int as rejected, (count(*) filter (where machine = 'passed' and good))::int as passed,
        row_number() over (partition by by order by count(*) desc, value) as place
      from (${reportRows(ctx, scope, ['slice'])}) as reported cross join lateral (values ${places}) as s(by, value)
      where machine is not null and good is not null and value <> ''
      group by by, value
    ) as counted
    where place <= ${slicesMax} order by place`;
}

/**
 * Each slice beside the rest of its field. `adjustedP`: of the two-sided z test of two shares, that the verifier agrees with the truth as often in the slice
 * as in the others, adjusted over the field (Benjamini and Hochberg 1995); null where the slice or the rest has fewer than 20 labels, and where
 * everything is right, or wrong. Pure.
 */
export function slicesOf(counts: readonly SliceCounts[]): SliceGroup[] {
  return sliceFields.flatMap((by) => {
    const rows = counts.filter((each) => each.by === by);
    if (rows.length === 0) return [];
    const whole = { numerator: sum(rows.map(agreed)), denominator: sum(rows.map(labelled)) };
    const tested = rows.map((row) => {
      const own = { numerator: agreed(row), denominator: labelled(row) };
      const rest = { numerator: whole.numerator - own.numerator, denominator: whole.denominator - own.denominator };
      if (own.denominator < leastForRate || rest.denominator < leastForRate) return null;
      return twoProportionZ(own, rest)?.p ?? null;
    });
    const adjusted = benjaminiHochberg(tested.filter((p) => p !== null));
    let next = 0;
    return {
      by,
      rows: rows.map((row, at) => ({
        slice: { by, value: row.value },
        labelled: labelled(row),
        catchRate: share(row.caught, row.caught + row.missed),
        falseRejectionRate: share(row.rejected, row.rejected + row.passed),
        adjustedP: tested[at] === null ? null : (adjusted[next++] ?? null),
      })),
    };
  });
}

const agreed = ({ caught, passed }: Matrix): number => caught + passed;
const labelled = ({ caught, missed, rejected, passed }: Matrix): number => caught + missed + rejected + passed;
const sum = (values: readonly number[]): number => values.reduce((whole, value) => whole + value, 0);
