/** Exit codes of the commands of `assay`; the same for all of them (docs/reference/cli.md). */
export const exitCodes = {
  done: 0,
  /** The command failed; the gate has its own codes. */
  failed: 1,
  /** Some rows or turns were rejected; the rest is done. */
  someRefused: 3,
  interrupted: 130,
} as const;

/** One line that ends with one punctuation mark. */
export function asSentence(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' ');
  return /[.?!…]$/.test(line) ? line : `${line}.`;
}

/** A sentence with a remark in parentheses at its end: `It was refused (401 at /v1/turns).` */
export const withRemark = (sentence: string, remark: string): string =>
  `${sentence.replace(/[.!]$/, '')} (${remark}).`;

/** A failure on which the person who runs the command can act: one sentence, no stack. */
export class CliFailure extends Error {
  readonly exitCode: number;

  constructor(sentence: string, exitCode: number = exitCodes.failed) {
    super(asSentence(sentence));
    this.name = 'CliFailure';
    this.exitCode = exitCode;
  }
}
