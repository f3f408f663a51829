import type { Env } from '../../platform';
import { QualityVerifierSettings, RouteSettings } from '../input';

type Operators = Pick<Env, 'qualityVerifier'>;

/** The Quality Verifier of routes without settings, from flags, environment and file (QV-39). */
function defaultVerifier({ qualityVerifier: configured }: Operators): QualityVerifierSettings {
  return QualityVerifierSettings.parse({
    model: configured.model,
    frequency: configured.frequency,
    max_history: configured.maxHistory,
    max_consecutive_failures: configured.maxConsecutiveFailures,
    cooldown_seconds: configured.cooldownSeconds,
    ttft_timeout_seconds: configured.ttftTimeoutSeconds,
    tool_followup_weight: configured.toolFollowupWeight,
  });
}

/** All settings of a route without stored settings. */
export function defaultSettings(env: Operators): RouteSettings {
  return RouteSettings.parse({ quality_verifier: defaultVerifier(env) });
}
