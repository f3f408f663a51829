import type { RowImport } from './imported-row';
import type { ImportedLabel } from './label';

/**
 * Adds the truth about the answer to the content of a pipeline row: the success of the request is
 * known for the pipeline, and applies to the turn that answered it, the last one. Verdicts on that
 * turn are then measured against it; those on earlier turns are not, since their truth is unknown.
 */
export function* withAnswerLabel(
  contents: Iterable<RowImport>,
  answerId: string | null,
): Generator<RowImport> {
  const labels: ImportedLabel[] = [];
  for (const content of contents) {
    if (content.kind === 'label') labels.push(content.label);
    yield content;
  }
  const success = agreed(labels);
  if (answerId === null || success === null) return;
  const emptyLabel = { score: null, value: null, points: null, dimension: null, rater: null };
  yield { kind: 'label', subjectId: answerId, label: { ...emptyLabel, success } };
}

/** The label without a rater, else the majority of raters; null where there is none, or a tie. */
function agreed(labels: readonly ImportedLabel[]): boolean | null {
  const requestLabels = labels.filter(
    ({ success, dimension }) => success !== null && dimension === null,
  );
  const [consensus] = requestLabels.filter(({ rater }) => rater === null);
  if (consensus !== undefined) return consensus.success;
  const yes = requestLabels.filter(({ success }) => success === true).length;
  return 2 * yes === requestLabels.length ? null : 2 * yes > requestLabels.length;
}
