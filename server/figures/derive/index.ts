import type { ScannedFigure } from '../scan';
import { readGroups } from './columns';
import { readCues } from './cues';
import type { Derivation, DeriveContext, DeriveSources } from './derivation';
import { Aggregates, fromColumns, fromShare } from './from-columns';
import { fromLists, isCount } from './from-lists';
import { fromSentence, readOperands } from './from-sentence';
import { type List, readLists } from './lists';

export { contextOf } from './context';
export type { Derivation, DeriveContext, DeriveSources } from './derivation';

/** Results calculated from figures of the sentence. */
const CALCULATED = ['sum', 'difference', 'ratio', 'share', 'change'] as const;

/** The aggregates of one turn's sources, built on first use. */
interface Derivable {
  aggregates: Aggregates | null;
  lists: readonly List[] | null;
}

const known = new WeakMap<DeriveSources, Derivable>();

/**
 * How a figure follows from the sources, or null (INT-19): from other figures of its sentence, from
 * a whole column, or as the length of a list. The words around it must indicate the calculation,
 * except for whole sums and named counts. Bounded in cost for any sources.
 */
export function derive(
  figure: ScannedFigure,
  context: DeriveContext,
  index: DeriveSources,
): Derivation | null {
  if (figure.reading.quantities.length === 0 || figure.reading.ordinalDay !== null) return null;
  const derivable = known.get(index) ?? { aggregates: null, lists: null };
  known.set(index, derivable);
  const cues = readCues(context, figure.reading.percent);
  const operands = CALCULATED.some((operation) => cues.operations.has(operation))
    ? readOperands(figure, context)
    : null;
  const stated = operands === null ? null : fromSentence(figure, cues, operands);
  if (stated !== null) return stated;
  derivable.aggregates ??= new Aggregates(readGroups(index));
  const found = fromColumns(figure, cues, derivable.aggregates);
  if (found !== null) return found;
  if (operands !== null && cues.operations.has('share')) {
    const parts = operands.sentence.map(({ item }) => item);
    const share = fromShare(figure, parts, derivable.aggregates);
    if (share !== null) return share;
  }
  if (!isCount(figure) || cues.counted.length === 0) return null;
  derivable.lists ??= readLists(index);
  return fromLists(figure, cues, derivable.lists);
}
