import { type AlertKind, alertKinds } from './alert-facts';
import type { AlertKindRule } from './kind';
import { breakerOpen } from './kinds/breaker-open';
import { canaryPassed } from './kinds/canary-passed';
import { catchRate } from './kinds/catch-rate';
import { correctedPassRate } from './kinds/corrected-pass-rate';
import { deliveryDead } from './kinds/delivery-dead';
import {
  catchRateFell,
  costRose,
  judgeFailuresRose,
  passRateFell,
  volumeFell,
} from './kinds/detected';
import { drift } from './kinds/drift';
import { falsePositiveRate } from './kinds/false-positive-rate';
import { intakeStalled } from './kinds/intake-stalled';
import { judgeOutage } from './kinds/judge-outage';
import { overBudget } from './kinds/over-budget';
import { retrySuccess } from './kinds/retry-success';
import { sandboxDown } from './kinds/sandbox-down';
import { trustLost } from './kinds/trust-lost';
import { workQuarantined } from './kinds/work-quarantined';

const rules: Readonly<Record<AlertKind, AlertKindRule>> = {
  catch_rate: catchRate,
  false_positive_rate: falsePositiveRate,
  retry_success: retrySuccess,
  corrected_pass_rate: correctedPassRate,
  pass_rate_fell: passRateFell,
  catch_rate_fell: catchRateFell,
  cost_rose: costRose,
  volume_fell: volumeFell,
  judge_failures_rose: judgeFailuresRose,
  over_budget: overBudget,
  judge_outage: judgeOutage,
  breaker_open: breakerOpen,
  drift,
  trust_lost: trustLost,
  canary_passed: canaryPassed,
  sandbox_down: sandboxDown,
  intake_stalled: intakeStalled,
  work_set_aside: workQuarantined,
  delivery_dead: deliveryDead,
};

/** Every kind of alert, in the order of notices. */
export const kindRules: readonly AlertKindRule[] = alertKinds.map((kind) => rules[kind]);

export const kindRuleOf = (kind: AlertKind): AlertKindRule => rules[kind];
