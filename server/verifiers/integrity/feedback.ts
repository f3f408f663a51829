import type { Figure, Issue } from '../../domain';

const ISSUES_MAX = 100;
const TEXT_MAX = 80;

/**
 * One issue per unsourced figure, at most a hundred; if there are more, the last issue states the
 * number of the rest.
 */
export function issuesOf(figures: readonly Figure[]): readonly Issue[] {
  const wrong = figures.filter((figure) => !figure.sourced);
  if (wrong.length <= ISSUES_MAX) return wrong.map(issueOf);
  const listed = wrong.slice(0, ISSUES_MAX - 1).map(issueOf);
  const more = wrong.length - listed.length;
  return [
    ...listed,
    {
      code: 'more_issues',
      message: `${more} more figures have no valid source`,
      severity: 'high',
      path: null,
    },
  ];
}

function issueOf(figure: Figure): Issue {
  const path = `output:${figure.start}-${figure.end}`;
  const text = JSON.stringify(figure.text.slice(0, TEXT_MAX).toWellFormed());
  if (figure.reason === 'wrong_path' || figure.reason === 'unknown_source') {
    const cited = JSON.stringify(
      `${figure.cited?.id ?? ''}#${figure.cited?.path ?? ''}`.slice(0, 2 * TEXT_MAX).toWellFormed(),
    );
    return {
      code: 'wrong_citation',
      message: `The figure ${text} is cited at ${cited}, which does not contain it`,
      severity: 'medium',
      path,
    };
  }
  if (figure.reason === 'misattributed') {
    return {
      code: 'misattributed_figure',
      message: `The figure ${text} is not where the sentence points: ${placesOf(figure)}`,
      severity: 'high',
      path,
    };
  }
  if (figure.reason === 'derived') {
    const formula = (figure.derived?.formula ?? '').slice(0, 2 * TEXT_MAX).toWellFormed();
    return {
      code: 'derived_figure',
      message: `The figure ${text} is calculated and is in no source: ${formula}`,
      severity: 'medium',
      path,
    };
  }
  return {
    code: 'unsourced_figure',
    message: `The figure ${text} is in no source of this turn`,
    severity: 'high',
    path,
  };
}

/** The reason, and the value found at the place that the sentence refers to. */
function placesOf({ explanation, expected }: Figure): string {
  const why = explanation ?? 'its value is in another place';
  if (expected == null) return why;
  const place = `${expected.id}#${expected.path}`.slice(0, 2 * TEXT_MAX).toWellFormed();
  return `${why}; at ${JSON.stringify(place)} is ${JSON.stringify(expected.value.slice(0, TEXT_MAX).toWellFormed())}`;
}

/** A one-sentence summary of the verdict, or null if every figure is sourced. */
export function summaryOf(figures: readonly Figure[]): string | null {
  const wrong = figures.filter((figure) => !figure.sourced).length;
  if (wrong === 0) return null;
  return `${wrong} of ${figures.length} ${figures.length === 1 ? 'figure has' : 'figures have'} no valid source in this turn.`;
}
