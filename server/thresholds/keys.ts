import type { VerifierKind } from '../domain';

/** What a verdict rule compares with. Rates 0..1, inclusive. */
export interface ThresholdKey {
  readonly key: string;
  /** What holds where nobody set a value. */
  readonly standard: number;
  readonly least: number;
  readonly most: number;
  /** What it decides, for people. */
  readonly meaning: string;
}

const rate = { least: 0, most: 1 };
const pass = 'A score from here up passes.';
const fail = 'A score below this fails; between the two it is partial.';

/**
 * The keys of each kind that compares a score. Task: VS-22 (0.7), VS-24 (0.4), VS-5 (0.7 per criterion), VS-25 (0.5).
 * Consistency: VS-42 (0.7). Kinds that count have none.
 */
const keysByKind: Partial<Record<VerifierKind, readonly ThresholdKey[]>> = {
  task: [
    { key: 'pass_threshold', standard: 0.7, ...rate, meaning: pass },
    { key: 'fail_threshold', standard: 0.4, ...rate, meaning: fail },
    { key: 'criterion_met_threshold', standard: 0.7, ...rate, meaning: 'A criterion is met from here up.' },
    { key: 'confidence_threshold', standard: 0.5, ...rate, meaning: 'A verdict of less confidence goes to a person.' },
  ],
  consistency: [
    { key: 'pass_threshold', standard: 0.7, ...rate, meaning: 'Two outputs are consistent from here up, unless an issue is severe.' },
    { key: 'confidence_threshold', standard: 0.5, ...rate, meaning: 'A verdict of less confidence goes to a person.' },
  ],
  mission: [
    { key: 'pass_threshold', standard: 0.7, ...rate, meaning: pass },
    { key: 'fail_threshold', standard: 0.4, ...rate, meaning: fail },
    { key: 'confidence_threshold', standard: 0.5, ...rate, meaning: 'A verdict of less confidence goes to a person.' },
  ],
};

const byVerifier: ReadonlyMap<string, readonly ThresholdKey[]> = new Map(Object.entries(keysByKind));

/** The keys of a verifier, none for one that compares nothing or is not known. */
export function listThresholdKeys(verifier: string): readonly ThresholdKey[] {
  return byVerifier.get(verifier) ?? [];
}

/** The verifiers that have thresholds. */
export function listThresholdVerifiers(): readonly string[] {
  return [...byVerifier.keys()];
}
