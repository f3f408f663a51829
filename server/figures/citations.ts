import type { Envelope, Figure } from '../domain';
import { figureKey, readNumberTokens } from './scan';
import type { SourceIndex } from './source-index';
import { figureOf, type Trace } from './trace';
import { ListedValues, type Readable, ValueIndex } from './value-index';

type Fact = Envelope['facts'][number];

interface FactItem extends Readable {
  readonly fact: Fact;
}

const FACT_VALUE = { markdown: false, numbering: false };

/**
 * Matches traced figures with an envelope's facts (INT-3, INT-4). A fact applies to every
 * occurrence of its value; a correct fact overrides a wrong one. A correct value at a wrong place
 * is rejected before the re-prompt and corrected after it. Figures without a fact keep the result
 * of the scan (INT-5).
 */
export function matchCitations(
  traces: readonly Trace[],
  facts: readonly Fact[],
  index: SourceIndex,
  repromptUsed: boolean,
  derivedCounts = false,
): readonly Figure[] {
  if (facts.length === 0) return traces.map((trace) => figureOf(trace, index, derivedCounts));
  const items = facts.flatMap((fact) =>
    readNumberTokens(fact.value, FACT_VALUE).map(
      ({ reading }): FactItem => ({
        reading,
        dated: reading.moment !== null,
        fact,
      }),
    ),
  );
  const values = new ValueIndex(new ListedValues(items));
  const occurrences = new Map<string, number>();
  const settled = new Map<string, readonly Cited[]>();
  return traces.map((trace) => {
    const key = figureKey(trace.figure);
    const cited = settled.get(key) ?? citedBy(trace, values, index);
    settled.set(key, cited);
    const nth = occurrences.get(key) ?? 0;
    occurrences.set(key, nth + 1);
    return settle(trace, figureOf(trace, index, derivedCounts), cited, nth, index, repromptUsed);
  });
}

interface Cited {
  readonly fact: Fact;
  readonly pointed: ReturnType<SourceIndex['point']>;
}

function citedBy(trace: Trace, values: ValueIndex<FactItem>, index: SourceIndex): readonly Cited[] {
  const { reading } = trace.figure;
  return (values.find(reading)?.items ?? []).map(({ fact }) => ({
    fact,
    pointed: index.point({ id: fact.source_id, path: fact.path }, reading),
  }));
}

function settle(
  trace: Trace,
  traced: Figure,
  cited: readonly Cited[],
  nth: number,
  index: SourceIndex,
  repromptUsed: boolean,
): Figure {
  const first = cited[0];
  if (first === undefined) return traced;
  const right = cited.flatMap(({ pointed }) => (pointed.state === 'right' ? [pointed.item] : []));
  const item = right[Math.min(nth, right.length - 1)];
  if (item !== undefined) {
    const place = { source: index.placeOf(item), source_text: item.text, citation_ok: true };
    // A correct citation does not correct a sentence that refers to another row.
    if (trace.misattribution !== null) return { ...traced, ...place };
    return {
      ...traced,
      ...place,
      sourced: true,
      reason: null,
      status: 'sourced',
      derived: null,
      explanation: null,
    };
  }
  const wrong = {
    ...traced,
    citation_ok: false,
    cited: { id: first.fact.source_id, path: first.fact.path },
  };
  if (trace.item === null) return wrong;
  if (repromptUsed) return wrong;
  return {
    ...wrong,
    sourced: false,
    reason: first.pointed.state === 'unknown_source' ? 'unknown_source' : 'wrong_path',
    status: 'misattributed',
    explanation:
      first.pointed.state === 'unknown_source'
        ? 'the envelope cites a source that the turn does not have'
        : 'the envelope cites a place with another value',
  };
}
