/**
 * The operator's defaults of the Quality Verifier, for routes without their own settings (QV-39).
 * Flags of `assay edge` arrive here as variables and override those of the environment; a variable
 * overrides the file; an empty one counts as unset.
 *
 * An invalid number falls back to the default, and one out of range to the nearest bound (QV-8,
 * QV-33, QV-36): a typing error must not prevent the gateway from starting.
 */
export interface QualityVerifierEnv {
  /** `provider:model?temperature=0.3`; null if the verifier is disabled. */
  readonly model: string | null;
  readonly frequency: number;
  /** Null means the whole history. */
  readonly maxHistory: number | null;
  readonly maxConsecutiveFailures: number;
  readonly cooldownSeconds: number;
  readonly ttftTimeoutSeconds: number;
  readonly toolFollowupWeight: number;
}

type Texts = Readonly<Record<string, string | undefined>>;

/** In the file each has the same name in lower case, under `session:`. */
type Variable =
  | 'QUALITY_VERIFIER_MODEL'
  | 'QUALITY_VERIFIER_FREQUENCY'
  | 'QUALITY_VERIFIER_MAX_HISTORY'
  | 'QUALITY_VERIFIER_MAX_CONSECUTIVE_FAILURES'
  | 'QUALITY_VERIFIER_COOLDOWN_SECONDS'
  | 'QUALITY_VERIFIER_TTFT_TIMEOUT_SECONDS'
  | 'QUALITY_VERIFIER_TOOL_FOLLOWUP_WEIGHT';

const modelMax = 300;

/**
 * @param file `session:` of the configuration file, null without one
 * @throws Error naming the variable, for a model whose name is too long
 */
export function readQualityVerifier(
  variables: Texts,
  file: ReadonlyMap<string, unknown> | null,
): QualityVerifierEnv {
  const textOf = (name: Variable): string | null => {
    const given = variables[name]?.trim() ?? '';
    if (given !== '') return given;
    const written = file?.get(name.toLowerCase()) ?? null;
    if (written === null) return null;
    const text =
      typeof written === 'string' || typeof written === 'number'
        ? String(written).trim()
        : 'no number';
    return text === '' ? null : text;
  };
  const wholeOf = (name: Variable): number | null | 'invalid' => {
    const value = numberOf(textOf(name));
    return value === null || value === 'invalid' || Number.isInteger(value) ? value : 'invalid';
  };
  const model = textOf('QUALITY_VERIFIER_MODEL');
  if (model !== null && model.length > modelMax)
    throw new Error(`QUALITY_VERIFIER_MODEL: has at most ${modelMax} characters`);
  const history = wholeOf('QUALITY_VERIFIER_MAX_HISTORY');
  const patience = numberOf(textOf('QUALITY_VERIFIER_TTFT_TIMEOUT_SECONDS'));
  return {
    model,
    frequency: within(wholeOf('QUALITY_VERIFIER_FREQUENCY'), 1, 1_000_000, 10),
    // No value, zero or less: no limit (QV-23).
    maxHistory: typeof history === 'number' && history > 0 ? Math.min(history, 100_000) : null,
    maxConsecutiveFailures: within(
      wholeOf('QUALITY_VERIFIER_MAX_CONSECUTIVE_FAILURES'),
      1,
      1000,
      5,
    ),
    cooldownSeconds: within(numberOf(textOf('QUALITY_VERIFIER_COOLDOWN_SECONDS')), 0, 86_400, 300),
    ttftTimeoutSeconds: typeof patience === 'number' && patience > 0 ? Math.min(patience, 600) : 30,
    toolFollowupWeight: within(
      numberOf(textOf('QUALITY_VERIFIER_TOOL_FOLLOWUP_WEIGHT')),
      0,
      1,
      0.2,
    ),
  };
}

function numberOf(text: string | null): number | null | 'invalid' {
  if (text === null) return null;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : 'invalid';
}

function within(
  value: number | null | 'invalid',
  min: number,
  max: number,
  otherwise: number,
): number {
  return typeof value === 'number' ? Math.min(max, Math.max(min, value)) : otherwise;
}
