import { type Matrix, rate } from '../../domain';
import { type Measure, noCounts, type Rates, ratesOf } from '../measures/rates';

/** How far a run agrees with the frozen truths, by the same rates as every other measure of this product. */
export function ratesOfRun(matrix: Matrix): Pick<Rates, 'agreement' | 'catchRate' | 'falseRejectionRate'> {
  const { agreement, catchRate, falseRejectionRate } = ratesOf({ ...noCounts, ...matrix });
  return { agreement, catchRate, falseRejectionRate };
}

/** A share that has no target. */
export function shareOf(numerator: number, denominator: number): Measure {
  const { state, ...measured } = rate(numerator, denominator);
  return { ...measured, state: state === 'measured' ? 'on_target' : state };
}
