import type { Measure, Measures, Trust } from '@/app/_trpc/outputs';
import { measuredText } from '@/app/_ui/rate';

/** The two rates that a threshold trades off. */
export type RateKey = 'catchRate' | 'falseRejectionRate';

export interface DotRow extends Readonly<Record<RateKey, Measure>> {
  readonly verifier: string;
  /** Undefined while it is loading. */
  readonly trust: Trust | undefined;
  /** Shares; null until a worker has computed the trust. */
  readonly targets: Readonly<Record<RateKey, number | null>>;
}

/** The verifiers with a label in the period, in the given order. */
export function dotRows(
  verifiers: Measures['verifiers'],
  trusts: ReadonlyMap<string, Trust>,
): DotRow[] {
  return verifiers
    .filter(({ rates }) => rates.agreement.denominator > 0)
    .map(({ verifier, rates: { catchRate, falseRejectionRate } }) => {
      const trust = trusts.get(verifier);
      return {
        verifier,
        catchRate,
        falseRejectionRate,
        trust,
        targets: {
          catchRate: trust?.measures?.catchRate.target ?? null,
          falseRejectionRate: trust?.measures?.falseRejectionRate.target ?? null,
        },
      };
    });
}

const formulas: Record<RateKey, string> = {
  catchRate: 'bad subjects flagged ÷ bad subjects',
  falseRejectionRate: 'good subjects rejected ÷ good subjects',
};

/** `Catch rate = bad subjects flagged ÷ bad subjects = 40/50; 80.0% (67.0–88.8%)`. */
export function rateTitle(name: string, key: RateKey, measure: Measure): string {
  const { counts, rate, interval } = measuredText(measure);
  return `${name} = ${formulas[key]} = ${counts}${rate === null ? '' : `; ${rate} (${interval})`}`;
}

/** Null when every verifier has labels. */
export function unlabelledText(count: number): string | null {
  if (count === 0) return null;
  return count === 1
    ? '1 verifier has no labels in this period and is only in the table.'
    : `${count} verifiers have no labels in this period and are only in the table.`;
}
