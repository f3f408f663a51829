import type { GateResult } from '../gates/gate';
import { maxPoints } from './dimensions';

export interface Proof {
  /** 0..1, of the gates with a result; null if there are none. */
  readonly share: number | null;
  readonly points: number;
  /**
   * A compile gate failed (QEL-20). A timeout is not a compile failure (QEL-31), nor is a failed
   * test.
   */
  readonly compileFailed: boolean;
  /**
   * Gates without a result because of the environment (QEL-28); their missing points need no fix
   * (QEL-29).
   */
  readonly neutral: boolean;
  /** There is no sandbox, or it failed: it is unknown whether the code is proved. */
  readonly notRun: boolean;
}

/**
 * Points by the share of gates passed, of those with a result; a timeout counts as not passed
 * (QEL-20, QEL-31).
 */
export function proofOf(gates: readonly GateResult[]): Proof {
  const passed = gates.filter(({ status }) => status === 'passed').length;
  const failed = gates.filter(({ status }) => status === 'failed' || status === 'timeout').length;
  const share = passed + failed === 0 ? null : passed / (passed + failed);
  return {
    share,
    points: maxPoints.proof * (share ?? 0),
    compileFailed: gates.some(({ status, kind }) => status === 'failed' && kind === 'compile'),
    neutral: share === null,
    notRun: gates.some(({ status }) => status === 'not_run'),
  };
}
