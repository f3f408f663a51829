/** A change marked on a time axis, and its link. */
export interface TimeMark {
  readonly id: string;
  readonly at: Date;
  readonly text: string;
  readonly href: string | null;
}

/** The marks of one step under one number. */
export interface MarkGroup {
  /** Index of the step. */
  readonly step: number;
  /** Shown at the group's line and next to its entry in the list; from 1. */
  readonly number: number;
  readonly marks: readonly TimeMark[];
}

/**
 * Puts each mark on the step that contains it; a mark in a gap goes to the next step, whose
 * verdicts are the first after it. Marks after the last step are omitted. Pure.
 */
export function groupMarks(
  marks: readonly TimeMark[],
  steps: readonly { readonly to: Date }[],
): MarkGroup[] {
  const byStep = new Map<number, TimeMark[]>();
  for (const mark of marks.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const step = steps.findIndex(({ to }) => to > mark.at);
    if (step === -1) continue;
    byStep.set(step, [...(byStep.get(step) ?? []), mark]);
  }
  return [...byStep].map(([step, its], index) => ({ step, number: index + 1, marks: its }));
}
