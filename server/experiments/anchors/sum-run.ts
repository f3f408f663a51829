import type { Matrix } from '../../domain';
import { noCounts, type Rates, ratesOf } from '../../measures';

/**
 * How far a run agrees with the frozen truths, by the same rates as every other measure of this
 * product.
 */
export function ratesOfRun(
  matrix: Matrix,
): Pick<Rates, 'agreement' | 'catchRate' | 'falseRejectionRate'> {
  const { agreement, catchRate, falseRejectionRate } = ratesOf({ ...noCounts, ...matrix });
  return { agreement, catchRate, falseRejectionRate };
}
