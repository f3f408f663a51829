// The report of a test run, which the runner inside the sandbox writes to descriptor 3. Each line
// begins with a nonce drawn for this run and passed to the runner before any foreign code was
// loaded; a line without it comes from other code, and invalidates the report. The code under test
// shares a process with most runners, so the report reliably detects mistakes, but is only
// evidence, not proof, against malice.
//
// <nonce> <kind> <id as hex> <message as hex>
//
// `expect` names a required test, before foreign code is loaded; `pass`, `fail`, `skip` report the
// result of one; `tamper` reports changed functions of the runner, `unproven` why the run proves
// nothing; `end` is the last line, its message the number of lines before it.

export interface TestReport {
  /** Whether the runner finished by itself, and no other code wrote to the report. */
  readonly isComplete: boolean;
  readonly expected: ReadonlySet<string>;
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlyMap<string, string>;
  readonly skipped: ReadonlySet<string>;
  /** The changed functions; null if there were none. */
  readonly tampered: string | null;
  /**
   * Why the run proves nothing, if tests are isolated from the code; null if there is no reason.
   */
  readonly unproven: string | null;
}

export function readReport(bytes: Uint8Array, nonce: string): TestReport {
  const expected = new Set<string>();
  const passed = new Set<string>();
  const failed = new Map<string, string>();
  const skipped = new Set<string>();
  let tampered: string | null = null;
  let unproven: string | null = null;
  let ended = false;
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .split('\n');
  const partialLine = lines.pop();
  lines.forEach((line, index) => {
    const [key, kind, id = '', message = ''] = line.split(' ');
    if (key !== nonce || ended) tampered ??= 'the report has lines that the runner did not write';
    else if (kind === 'expect') expected.add(fromHex(id));
    else if (kind === 'pass') passed.add(fromHex(id));
    else if (kind === 'fail') failed.set(fromHex(id), fromHex(message));
    else if (kind === 'skip') skipped.add(fromHex(id));
    else if (kind === 'tamper') tampered ??= fromHex(message);
    else if (kind === 'unproven') unproven ??= fromHex(message);
    else if (kind === 'end') ended = fromHex(message) === String(index);
  });
  return {
    isComplete: ended && partialLine === '',
    expected,
    passed,
    failed,
    skipped,
    tampered,
    unproven,
  };
}

function fromHex(text: string): string {
  return Buffer.from(text, 'hex').toString('utf8').toWellFormed();
}
