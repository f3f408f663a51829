import { meetsThreshold } from '../../domain';
import type { Judgement, JudgedCriterion } from './judgement';
import { medianOf } from './median';

/** One judge's judgement, before the costs of all are summed. */
type Single = Omit<Judgement, 'absent' | 'usage'>;

/**
 * Combines the judgements of several judges (VS-44): the median of each score; the majority decides
 * whether a criterion is met, and a tie is reported as one. The confidence is the median one, times
 * the share of the majority on the criterion with the least agreement: two of three reduce it by a
 * third, one of two by half. Null if there are none.
 */
export function combineJury(judges: readonly Single[], metThreshold: number): Single | null {
  const [first] = judges;
  if (first === undefined || judges.length === 1) return first ?? null;
  let minAgreement = 1;
  const criteria = first.criteria.map(({ index }) => {
    const views = judges.flatMap((judge) =>
      judge.criteria
        .filter((each) => each.index === index)
        .map((view) => ({ view, models: judge.models })),
    );
    const { criterion, agreement } = combine(index, views, metThreshold);
    minAgreement = Math.min(minAgreement, agreement);
    return criterion;
  });
  return {
    models: judges.flatMap(({ models }) => models),
    criteria,
    quality: first.quality.map(({ dimension }) => {
      const views = judges.flatMap(({ quality }) =>
        quality.filter((each) => each.dimension === dimension),
      );
      return {
        dimension,
        value: medianOf(views.map(({ value }) => value)),
        reasoning: views.map(({ reasoning }) => reasoning).join('\n'),
      };
    }),
    suggestions: [...new Set(judges.flatMap(({ suggestions }) => suggestions))].slice(0, 5),
    confidence: medianOf(judges.map(({ confidence }) => confidence)) * minAgreement,
    leftOut: first.leftOut,
    unresolvedQuotes: judges.reduce((sum, { unresolvedQuotes }) => sum + unresolvedQuotes, 0),
  };
}

interface View {
  readonly view: JudgedCriterion;
  readonly models: readonly string[];
}

function combine(
  index: number,
  views: readonly View[],
  metThreshold: number,
): { criterion: JudgedCriterion; agreement: number } {
  const met = views.filter(({ view }) => meetsThreshold(view.value, metThreshold)).length;
  const majority = Math.max(met, views.length - met);
  const agreement = majority / views.length;
  return {
    agreement,
    criterion: {
      index,
      value: medianOf(views.map(({ view }) => view.value)),
      reasoning: views
        .map(({ view, models }) => `${models.join(', ')}: ${view.reasoning}`)
        .join('\n'),
      evidence: views.flatMap(({ view }) => view.evidence),
      confidence: medianOf(views.map(({ view }) => view.confidence)) * agreement,
      vote: agreement === 1 ? 'unanimous' : agreement === 0.5 ? 'tie' : 'majority',
    },
  };
}
