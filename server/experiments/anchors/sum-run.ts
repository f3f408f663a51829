import type { Matrix } from '../../domain';
import { noCounts, type Rates, ratesOf, type ItemWeights } from '../../measures';

/** A run's agreement with the frozen truths, as the same rates as every other measure. */
export function ratesOfRun(
  matrix: Matrix,
  weights?: ItemWeights,
): Pick<Rates, 'agreement' | 'catchRate' | 'falseRejectionRate'> {
  const { agreement, catchRate, falseRejectionRate } = ratesOf({
    ...noCounts,
    ...matrix,
    weights,
  });
  return { agreement, catchRate, falseRejectionRate };
}
