/** Exit codes, shared by all commands of `assay` (docs/cli.md). */
export const exitCodes = {
  done: 0,
  /** The command failed; the gate has its own codes. */
  failed: 1,
  /** Some rows or turns were refused; the rest is done. */
  someRefused: 3,
  interrupted: 130,
} as const;

/** A failure that the user can act on: one sentence, no stack. */
export class CliFailure extends Error {
  readonly exitCode: number;

  constructor(sentence: string, exitCode: number = exitCodes.failed) {
    super(sentence.replace(/\s*\n\s*/g, ' '));
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}
