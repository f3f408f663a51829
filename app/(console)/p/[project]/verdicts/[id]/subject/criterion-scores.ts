import type { Score } from '@/server/domain';
import type { VerdictSubject } from '@/app/_trpc/outputs';

type Criterion = NonNullable<VerdictSubject['content']['criteria']>[number];

/** A score with its index in the verdict's scores, which links use. */
export interface PlacedScore {
  readonly index: number;
  readonly score: Score;
}

export interface JudgedCriterion {
  readonly criterion: Criterion;
  /** As named in the verdict. */
  readonly title: string;
  /** Null if nothing was measured for it. */
  readonly placed: PlacedScore | null;
}

export interface SortedScores {
  readonly criteria: readonly JudgedCriterion[];
  /** The judges' scores for the work as a whole. */
  readonly qualities: readonly PlacedScore[];
  readonly others: readonly PlacedScore[];
}

/**
 * Assigns scores to criteria. A score has the criterion's text, or, if its node was not run, the
 * node's name: `check 2`, `criterion 1`. Each score belongs to one criterion, so that two criteria
 * with the same text keep theirs.
 */
export function sortScores(
  { content, detail }: Pick<VerdictSubject, 'content' | 'detail'>,
  scores: readonly Score[],
): SortedScores {
  const left = new Map(scores.entries());
  const take = (names: readonly string[]): PlacedScore | null => {
    for (const [index, score] of left) {
      if (!names.includes(score.name)) continue;
      left.delete(index);
      return { index, score };
    }
    return null;
  };
  let checks = 0;
  let texts = 0;
  const criteria = (content.criteria ?? []).map((criterion, at): JudgedCriterion => {
    const node = criterion.check === null ? `criterion ${++texts}` : `check ${++checks}`;
    const title =
      detail.criteria[at]?.criterion ??
      (criterion.check === null ? criterion.text : `${criterion.check} ${criterion.text}`);
    return { criterion, title, placed: take([title, node]) };
  });
  const unmatched = [...left].map(([index, score]): PlacedScore => ({ index, score }));
  const ofJudge = ({ score }: PlacedScore): boolean =>
    score.evaluator.startsWith('judges.') && !score.evaluator.startsWith('judges.screen');
  return {
    criteria,
    qualities: unmatched.filter(ofJudge),
    others: unmatched.filter((each) => !ofJudge(each)),
  };
}
