import type { RowImport } from './imported-row';
import type { ImportedLabel } from './label';

/**
 * What a row says of a pipeline, with the truth about its answer: whether the request succeeded is
 * known of the pipeline, and shows in the turn that answered it, the last one. Verdicts on that
 * turn are then measured by it; those on the turns before are not, since of them nothing is known.
 */
export function* withAnswerLabel(
  said: Iterable<RowImport>,
  answerId: string | null,
): Generator<RowImport> {
  const labels: ImportedLabel[] = [];
  for (const one of said) {
    if (one.kind === 'label') labels.push(one.label);
    yield one;
  }
  const success = agreed(labels);
  if (answerId === null || success === null) return;
  const none = { score: null, value: null, points: null, dimension: null, rater: null };
  yield { kind: 'label', subjectId: answerId, label: { ...none, success } };
}

/** What a label without a rater says, else most raters; null where there is none, or they tie. */
function agreed(labels: readonly ImportedLabel[]): boolean | null {
  const whole = labels.filter(({ success, dimension }) => success !== null && dimension === null);
  const [own] = whole.filter(({ rater }) => rater === null);
  if (own !== undefined) return own.success;
  const yes = whole.filter(({ success }) => success === true).length;
  return 2 * yes === whole.length ? null : 2 * yes > whole.length;
}
