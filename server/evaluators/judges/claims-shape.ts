import { z } from 'zod';
import { isBlank } from '../../domain';
import { defineShape, type ReplyShape } from './read-reply';

/**
 * A judge's reply about a synthesis (SOAR-21). As in the other shapes, reasons precede the values
 * that follow from them.
 */
const Likert = z.number().min(1).max(5);

const ClaimsReply = z.strictObject({
  nonce: z.string(),
  reasoning: z.string(),
  claims: z.array(
    z.strictObject({
      claim: z.number().int().min(1),
      reasoning: z.string(),
      supported_by: z.array(z.number().int().min(1)),
      quote: z.string(),
    }),
  ),
  coherence_reasoning: z.string(),
  coherence: Likert,
  completeness_reasoning: z.string(),
  completeness: Likert,
  missing: z.array(z.string()),
  confidence: z.number().min(0).max(1),
});
export type ClaimsReply = z.infer<typeof ClaimsReply>;

/**
 * @param claims number of claims in the question; @param outputs number of outputs that can be
 * named
 */
export function claimsShape(claims: number, outputs: number): ReplyShape<ClaimsReply> {
  return defineShape(
    'claims_reply',
    ClaimsReply,
    (reply) => reply,
    (reply) => faultOf(reply, claims, outputs),
  );
}

function faultOf(reply: ClaimsReply, claims: number, outputs: number): string | null {
  const times = new Map<number, number>();
  for (const { claim } of reply.claims) times.set(claim, (times.get(claim) ?? 0) + 1);
  for (let number = 1; number <= claims; number++) {
    if (times.get(number) !== 1)
      return `claim ${number} was answered ${times.get(number) ?? 0} times instead of once`;
  }
  if (reply.claims.length !== claims)
    return `it answered ${reply.claims.length} claims instead of ${claims}`;
  if (reply.claims.some(({ supported_by }) => supported_by.some((output) => output > outputs)))
    return 'it named an output that does not exist';
  const reasons = [
    reply.coherence_reasoning,
    reply.completeness_reasoning,
    ...reply.claims.map(({ reasoning }) => reasoning),
  ];
  return reasons.some((text) => isBlank(text)) ? 'a judgement has no reasoning' : null;
}
