/**
 * How far a verifier agrees with the truth. Positive is "flagged as failing", and so the four cells have names of their own:
 * nowhere is "false positive" said alone.
 */
export interface Matrix {
  /** Bad, and flagged. */
  readonly caught: number;
  /** Bad, and passed: a missed failure. */
  readonly missed: number;
  /** Good, and flagged: a false rejection. */
  readonly rejected: number;
  /** Good, and passed. */
  readonly passed: number;
}
