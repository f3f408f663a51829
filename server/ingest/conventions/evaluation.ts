import type { Attributes, Span } from '../span';
import { attributeText, textOf } from './read-attribute';

export const evaluationEvent = 'gen_ai.evaluation.result';
const NAME = 'gen_ai.evaluation.name';

/** A measurement of another tool as read from its span or event, before its turn is known. */
export interface ReadEvaluation {
  readonly name: string;
  readonly value: number | null;
  readonly label: string | null;
  readonly explanation: string | null;
  readonly responseId: string | null;
  readonly timeNs: string;
}

/**
 * Events `gen_ai.evaluation.result`, and spans with the same attributes from clients that send only
 * spans. `unnamed` counts those without a name to store them under.
 */
export function readEvaluations(span: Span): {
  readonly evaluations: readonly ReadEvaluation[];
  readonly unnamed: number;
} {
  const events = span.events.filter(({ name }) => name === evaluationEvent);
  const read = events.map(({ attributes, timeNs }) => readOne(attributes, timeNs));
  if (span.attributes.has(NAME)) read.push(readOne(span.attributes, span.endNs));
  const named = read.filter((one) => one !== null);
  return { evaluations: named, unnamed: read.length - named.length };
}

function readOne(attributes: Attributes, timeNs: string): ReadEvaluation | null {
  const name = attributeText(attributes, NAME);
  if (name === null) return null;
  const digits = textOf(attributes.get('gen_ai.evaluation.score.value'));
  const value = digits === null || digits.trim() === '' ? Number.NaN : Number(digits);
  return {
    name,
    value: Number.isFinite(value) ? value : null,
    label: attributeText(attributes, 'gen_ai.evaluation.score.label'),
    explanation: attributeText(attributes, 'gen_ai.evaluation.explanation'),
    responseId: attributeText(attributes, 'gen_ai.response.id'),
    timeNs,
  };
}
