/**
 * A failure that the operator can understand and act on: reported in one sentence on stderr,
 * without a stack. Any other error is a defect of the scripts and keeps its stack.
 */
export class Failure extends Error {
  /** @param {string} sentence */
  constructor(sentence) {
    super(sentence.replace(/\s*\n\s*/g, ' '));
    this.name = 'Failure';
  }
}

/**
 * Reports a failure and returns its exit code.
 * @param {unknown} error
 * @returns {number}
 */
export function reportFailure(error) {
  if (error instanceof Failure) process.stderr.write(`${error.message}\n`);
  else
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  return 1;
}

/**
 * @param {unknown} error
 * @returns {string} the system's error code (`ENOENT`), or an empty string
 */
export function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
