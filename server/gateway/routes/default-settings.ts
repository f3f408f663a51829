import type { Env } from '../../platform';
import { QualityVerifierSettings, RouteSettings } from '../input';

type Operators = Pick<Env, 'qualityVerifier'>;

/** The Quality Verifier of routes without settings, from flags, environment and file (QV-39). */
function defaultVerifier({ qualityVerifier: given }: Operators): QualityVerifierSettings {
  return QualityVerifierSettings.parse({
    model: given.model,
    frequency: given.frequency,
    max_history: given.maxHistory,
    max_consecutive_failures: given.maxConsecutiveFailures,
    cooldown_seconds: given.cooldownSeconds,
    ttft_timeout_seconds: given.ttftTimeoutSeconds,
    tool_followup_weight: given.toolFollowupWeight,
  });
}

/** All settings of a route without stored settings. */
export function defaultSettings(env: Operators): RouteSettings {
  return RouteSettings.parse({ quality_verifier: defaultVerifier(env) });
}
