import type { GateResult } from '../gates/gate';
import { maxPoints } from './dimensions';

export interface Proof {
  /** 0..1 of the gates that could tell; null where none could. */
  readonly share: number | null;
  readonly points: number;
  /**
   * A compile gate failed (QEL-20). A timeout is no failure to compile (QEL-31), nor is a test that
   * failed.
   */
  readonly compileFailed: boolean;
  /**
   * Gates that the environment kept from telling (QEL-28); their want of points is no one's to fix
   * (QEL-29).
   */
  readonly neutral: boolean;
  /** There is no box, or it broke: whether the code is proved is not known. */
  readonly notRun: boolean;
}

/**
 * Points by the share of gates passed, of those that could tell; what timed out did not pass
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
