import { flaggedFigures } from '../flagged';
import type { Mark } from './annotation';
import { auditedShapes } from './index';

/** A marked figure of the audited set, and whether the verifier flags it. */
export interface JudgedMark extends Mark {
  readonly shape: string;
  readonly answer: string;
  /** A correct figure that no cell contains, derived from several cells. */
  readonly calculated: boolean;
  readonly flagged: boolean;
  /** The verifier's finding; null if it does not flag the figure. */
  readonly verdict: string | null;
}

/** A cell or an extreme, possibly negated or in another scale of the same unit. */
const STATED =
  /^(?:100\*|-|abs\()?(?:(?:min|max)\([\w:.]+\)|[\w:]+\.\w+|[\d.]+)\)?(?:\*1000000|\/1000)?$/;

export function judgeAudited(derivedCounts = true): readonly JudgedMark[] {
  return auditedShapes.flatMap(({ name, sources, texts }) =>
    texts.flatMap(({ text, marks }) => {
      const flagged = flaggedFigures(text, sources, derivedCounts);
      return marks.map((mark): JudgedMark => {
        const found = flagged.find(({ start, end }) => start < mark.end && end > mark.start);
        return {
          ...mark,
          shape: name,
          answer: text,
          calculated: mark.wrong === null && !STATED.test(mark.formula ?? ''),
          flagged: found !== undefined,
          verdict: found === undefined ? null : `${found.status ?? ''}: ${found.explanation ?? ''}`,
        };
      });
    }),
  );
}
