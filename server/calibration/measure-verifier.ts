import type { ProjectCtx } from '../access';
import { judgements, readVerifier } from './judgements';
import { cellCounts, type CountRow, countsOf, measureVerifiers, type VerifierMeasures } from './measure';
import type { Days, Origin } from './measure-input';
import { noCounts, type Rates, ratesOf } from './rates';
import type { Matrix } from '../domain';

/** One day or week. */
export interface Step {
  /** Its first moment, UTC, and the first moment after it. */
  readonly from: Date;
  readonly to: Date;
  readonly matrix: Matrix;
  readonly rates: Pick<Rates, 'catchRate' | 'falseRejectionRate' | 'agreement' | 'overrideRate'>;
}

export interface VerifierDetail extends VerifierMeasures {
  readonly from: Date | null;
  readonly step: 'day' | 'week';
  /** Steps that have a judgement with truth or a ruling, oldest first. */
  readonly steps: readonly Step[];
}

const dayMs = 86_400_000;

/** The beginning of the period that ends today, in whole UTC days; undefined for 0: all of them. */
export function periodStart(now: Date, days: Days): Date | undefined {
  return days === 0 ? undefined : new Date((Math.floor(now.getTime() / dayMs) - (days - 1)) * dayMs);
}

/** One verifier with its rates over time: by day up to 30 days, else by week (from Monday). */
export async function measureVerifier(
  ctx: ProjectCtx,
  input: { readonly verifier: string; readonly origin: Origin; readonly days: Days },
): Promise<VerifierDetail> {
  const { sql } = ctx;
  const from = periodStart(ctx.clock.now(), input.days);
  const wanted = { verifier: input.verifier, from };
  const step = input.days === 7 || input.days === 30 ? 'day' : 'week';
  const [measured, rows] = await Promise.all([
    measureVerifiers(ctx, wanted),
    sql<(CountRow & { begin: string })[]>`
      select begin::text, '' as slug, '' as kind, ${cellCounts(ctx)}
      from (
        select date_trunc(${step}, at at time zone 'UTC')::date as begin, judged.* from (${judgements(ctx, input.origin, wanted)}) as judged
        where (good is not null and machine is not null) or overruled is not null
      ) as stepped
      group by begin order by begin`,
  ]);
  // One version of a verifier is measured under its name; names of imported judges have no version.
  const name = input.origin === 'verifier' ? readVerifier(input.verifier).slug : input.verifier;
  const found = measured.find((each) => each.origin === input.origin && each.verifier === name);
  const none = { verifier: input.verifier, origin: input.origin, kind: input.origin, counts: noCounts, rates: ratesOf(noCounts) };
  const length = step === 'day' ? dayMs : 7 * dayMs;
  return {
    ...(found === undefined ? none : { ...found, verifier: input.verifier }),
    from: from ?? null,
    step,
    steps: rows.map((row) => {
      const begin = new Date(`${row.begin}T00:00:00Z`);
      const counts = countsOf(row);
      const { catchRate, falseRejectionRate, agreement, overrideRate } = ratesOf(counts);
      const { caught, missed, rejected, passed } = counts;
      return {
        from: from !== undefined && from > begin ? from : begin,
        to: new Date(begin.getTime() + length),
        matrix: { caught, missed, rejected, passed },
        rates: { catchRate, falseRejectionRate, agreement, overrideRate },
      };
    }),
  };
}
