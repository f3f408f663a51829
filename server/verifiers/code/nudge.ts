/** The instructions for one file, or for the work as a whole. */
export interface Instruction {
  /**
   * REWRITE: a required pattern or the file itself is missing, or the framework is wrong. PATCH:
   * everything else (QEL-35).
   */
  readonly action: 'REWRITE' | 'PATCH';
  readonly target: string;
  readonly reasons: readonly string[];
}

const REPLAN = [
  'STOP - your repairs are not working. Step back and re-plan before you write anything:',
  'read the request and the points below once more, name the cause that they share, and choose another way than the last one.',
].join(' ');

/** The wording that agents know (QEL-40). */
const CONTINUATION =
  'The file was truncated. Use file_system append from exactly where it stopped.';

const INSTRUCTIONS_MAX = 40;
const REPLAN_FROM = 3;

export interface NudgeCase {
  readonly instructions: readonly Instruction[];
  readonly total: number;
  readonly passThreshold: number;
  /** In the session, including this one (QEL-38). */
  readonly failedRepairs: number;
  readonly truncated: boolean;
}

/**
 * The message to the author of the code (QEL-35). Truncated files must be completed before anything
 * else is fixed (QEL-40).
 */
export function nudgeOf({
  instructions,
  total,
  passThreshold,
  failedRepairs,
  truncated,
}: NudgeCase): string {
  const lead = failedRepairs >= REPLAN_FROM ? [REPLAN] : [];
  if (truncated) return [...lead, CONTINUATION].join('\n\n');
  const shown = instructions.slice(0, INSTRUCTIONS_MAX);
  const lines = shown.map(
    ({ action, target, reasons }, i) => `${i + 1}. ${action} ${target}: ${reasons.join(' ')}`,
  );
  const left = instructions.length - shown.length;
  const body = [
    `The work scored ${total}/100, and ${passThreshold} are needed. Fix these points:`,
    ...lines,
    ...(left > 0 ? [`And ${left} more.`] : []),
  ];
  return [...lead, body.join('\n')].join('\n\n').toWellFormed();
}

/**
 * Merges instructions to one per target, in the given order; one REWRITE makes the result a
 * REWRITE.
 */
export function gather(parts: readonly Instruction[]): readonly Instruction[] {
  const byTarget = new Map<string, { action: Instruction['action']; reasons: string[] }>();
  for (const { action, target, reasons } of parts) {
    const known = byTarget.get(target) ?? { action: 'PATCH' as const, reasons: [] };
    byTarget.set(target, {
      action: action === 'REWRITE' ? action : known.action,
      reasons: [...known.reasons, ...reasons],
    });
  }
  const all = [...byTarget].map(
    ([target, { action, reasons }]): Instruction => ({ action, target, reasons }),
  );
  return [
    ...all.filter(({ action }) => action === 'REWRITE'),
    ...all.filter(({ action }) => action === 'PATCH'),
  ];
}
