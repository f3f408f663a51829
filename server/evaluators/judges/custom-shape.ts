import { z } from 'zod';
import { isBlank } from '../../domain';
import { lowest, mergeTexts, reasonsOf } from './merge-windows';
import { answerSchema, type CustomAnswer, type CustomOutput, valueOfAnswer } from './custom-output';
import { defineShape, type ReplyShape } from './read-reply';
import type { WindowedReply } from './windows';

/** The answer to one criterion, or to the whole prompt if there are none. */
export interface CustomPartReply {
  /** From 0, in the order of the criteria. */
  readonly index: number;
  readonly reasoning: string;
  readonly quotes: readonly string[];
  readonly answer: CustomAnswer;
  /** 0..1; null for a choice without a value. */
  readonly value: number | null;
}

export interface CustomReply {
  /** One for each criterion in their order; one in total if there are no criteria. */
  readonly parts: readonly CustomPartReply[];
  readonly confidence: number;
}

const Confidence = z.number().min(0).max(1);

/**
 * The reply of a custom judge. Reasons precede answers, since a model writes in order
 * (VS-19).
 * @param criteria number of criteria; 0 if the prompt has one question
 */
export function customShape(output: CustomOutput, criteria: number): ReplyShape<CustomReply> {
  const reasoned = {
    reasoning: z.string(),
    quotes: z.array(z.string()),
    answer: answerSchema(output),
  };
  const partOf = (
    index: number,
    part: Pick<CustomPartReply, 'reasoning' | 'quotes' | 'answer'>,
  ): CustomPartReply => ({
    index,
    reasoning: part.reasoning,
    quotes: part.quotes,
    answer: part.answer,
    value: valueOfAnswer(output, part.answer),
  });
  if (criteria === 0)
    return defineShape(
      'own_reply',
      z.strictObject({ nonce: z.string(), ...reasoned, confidence: Confidence }),
      (reply): CustomReply => ({ parts: [partOf(0, reply)], confidence: reply.confidence }),
      (reply) => faultOf(reply, 1),
    );
  return defineShape(
    'own_criteria_reply',
    z.strictObject({
      nonce: z.string(),
      criteria: z.array(z.strictObject({ criterion: z.number().int().min(1), ...reasoned })),
      confidence: Confidence,
    }),
    (reply): CustomReply => ({
      parts: reply.criteria
        .map((each) => partOf(each.criterion - 1, each))
        .toSorted((a, b) => a.index - b.index),
      confidence: reply.confidence,
    }),
    (reply) => faultOf(reply, criteria),
  );
}

/** A missing answer is never invented, and a surplus one never dropped (VS-21). */
function faultOf({ parts }: CustomReply, count: number): string | null {
  if (parts.length !== count) return `it answered ${parts.length} criteria instead of ${count}`;
  const wrong = parts.findIndex(({ index }, at) => index !== at);
  if (wrong !== -1) return `criterion ${wrong + 1} was not answered exactly once`;
  return parts.some(({ reasoning }) => isBlank(reasoning)) ? 'an answer had no reasons' : null;
}

/**
 * Merges the replies about the windows and the whole (S-125): each value is the lowest of any call,
 * with that call's answer and reasons. A window without a value changes nothing; a whole without a
 * value stays without one, since no window sees everything.
 */
export function mergeCustom({ whole, windows }: WindowedReply<CustomReply>): CustomReply {
  return {
    parts: whole.parts.map((part) => {
      const found = windows.map(({ parts }) => parts.find(({ index }) => index === part.index));
      const quotes = [
        ...mergeTexts(
          part.quotes,
          found.map((each) => each?.quotes ?? []),
        ),
      ];
      const { value } = part;
      if (value === null) return { ...part, quotes };
      const valued = found.map((each) =>
        each === undefined || each.value === null ? undefined : { ...each, value: each.value },
      );
      const min = valued.reduce(
        (low, each) => (each !== undefined && each.value < (low.value ?? 1) ? each : low),
        part,
      );
      return { ...min, reasoning: reasonsOf({ ...part, value }, valued), quotes };
    }),
    confidence: lowest(
      whole.confidence,
      windows.map(({ confidence }) => confidence),
    ),
  };
}
