/**
 * A value that a verdict rule compares with, inclusively. Rates are 0..1; points for code are
 * 0..100.
 */
export interface ThresholdKey {
  readonly key: string;
  /** The default. */
  readonly standard: number;
  readonly min: number;
  readonly max: number;
  /** Displayed meaning. */
  readonly meaning: string;
  /** The source that verdicts name for the standard value, if it is not a plain default. */
  readonly standardSource?: 'tier';
}

const rate = { min: 0, max: 1 };
const pass = 'A score from here up passes.';
const fail = 'A score below this fails; between the two it is partial.';

const retry = (what: string): ThresholdKey => ({
  key: 'retry_threshold',
  standard: 0.5,
  ...rate,
  meaning: `Below it ${what} fails at once; from here up it is tried again while its retries last.`,
});

const points = { min: 0, max: 100, standardSource: 'tier' } as const;
const tier = (models: string): string => `Points of 100 from which code by ${models} passes.`;

/**
 * The keys of each kind that compares a score. Task: VS-22 (0.7), VS-24 (0.4), VS-5 (0.7 per
 * criterion), VS-25 (0.5). Consistency: VS-42 (0.7). Code: points by the tier of the model that
 * wrote it, QEL-23. Decomposition: SOAR-6 (0.7, 0.5). Agent output: SOAR-18 (0.7, 0.5). Synthesis:
 * SOAR-22 (0.7, and no floor, SOAR-23). Kinds that count have no keys.
 */
const keysByKind: Readonly<Record<string, readonly ThresholdKey[]>> = {
  task: [
    { key: 'pass_threshold', standard: 0.7, ...rate, meaning: pass },
    { key: 'fail_threshold', standard: 0.4, ...rate, meaning: fail },
    {
      key: 'criterion_met_threshold',
      standard: 0.7,
      ...rate,
      meaning: 'A criterion is met from here up.',
    },
    {
      key: 'confidence_threshold',
      standard: 0.5,
      ...rate,
      meaning: 'A verdict of less confidence goes to a person.',
    },
  ],
  consistency: [
    {
      key: 'pass_threshold',
      standard: 0.7,
      ...rate,
      meaning: 'Two outputs are consistent from here up, unless an issue is severe.',
    },
    {
      key: 'confidence_threshold',
      standard: 0.5,
      ...rate,
      meaning: 'A verdict of less confidence goes to a person.',
    },
  ],
  code: [
    { key: 'tiny', standard: 55, ...points, meaning: tier('models of up to 3 billion parameters') },
    {
      key: 'small',
      standard: 65,
      ...points,
      meaning: tier('models of more than 3 and less than 13 billion'),
    },
    {
      key: 'medium',
      standard: 75,
      ...points,
      meaning: tier('models of 13 to less than 34 billion, or of unknown size'),
    },
    {
      key: 'large',
      standard: 80,
      ...points,
      meaning: tier('models of 34 to less than 70 billion'),
    },
    {
      key: 'xlarge',
      standard: 85,
      ...points,
      meaning: tier('models of 70 billion and more, and the large hosted ones'),
    },
  ],
  decomposition: [
    { key: 'pass_threshold', standard: 0.7, ...rate, meaning: pass },
    retry('a decomposition'),
  ],
  'agent-output': [
    {
      key: 'pass_threshold',
      standard: 0.7,
      ...rate,
      meaning: 'An output of valid form passes from this confidence up.',
    },
    retry('an output'),
  ],
  synthesis: [
    {
      key: 'pass_threshold',
      standard: 0.7,
      ...rate,
      meaning: 'Share of the claims that must rest on an output.',
    },
  ],
  mission: [
    { key: 'pass_threshold', standard: 0.7, ...rate, meaning: pass },
    { key: 'fail_threshold', standard: 0.4, ...rate, meaning: fail },
    {
      key: 'confidence_threshold',
      standard: 0.5,
      ...rate,
      meaning: 'A verdict of less confidence goes to a person.',
    },
  ],
};

const byVerifier: ReadonlyMap<string, readonly ThresholdKey[]> = new Map(
  Object.entries(keysByKind),
);

/**
 * The keys of verifiers that projects define (online.md 3). The defaults here apply only if a
 * definition states none.
 */
const customKeys: readonly ThresholdKey[] = [
  { key: 'pass_threshold', standard: 0.5, ...rate, meaning: 'A value from here up passes.' },
  {
    key: 'confidence_threshold',
    standard: 0.5,
    ...rate,
    meaning: 'A verdict of less confidence goes to a person.',
  },
];

/** Keys that are compared with another value than the verdict's score. */
const otherValues: ReadonlySet<string> = new Set([
  'criterion_met_threshold',
  'confidence_threshold',
]);

/** Whether a threshold is compared with the score of a verdict. */
export const comparesScore = (key: string): boolean => !otherValues.has(key);

/** Verifiers of the release that compare nothing. */
const withoutKeys: ReadonlySet<string> = new Set(['integrity', 'turn']);

/**
 * The keys of a verifier; empty if it compares nothing. Any slug that is not of the release is
 * treated as a custom verifier.
 */
export function listThresholdKeys(verifier: string): readonly ThresholdKey[] {
  return byVerifier.get(verifier) ?? (withoutKeys.has(verifier) ? [] : customKeys);
}

/** Whether the verifier is one of the release, and not one that a project defined. */
export const isOfRelease = (verifier: string): boolean =>
  byVerifier.has(verifier) || withoutKeys.has(verifier);

/** The verifiers of the release that have thresholds. */
export function listThresholdVerifiers(): readonly string[] {
  return [...byVerifier.keys()];
}
