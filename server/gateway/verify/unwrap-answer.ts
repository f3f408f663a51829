import { withoutCutEvent } from '../dialects/sse';
import type { BufferedAnswer } from '../exchange';
import type { EnvelopeAsked } from './envelope-request';
import { readReply } from './unwrap';

/** How an answer gets another text (`Dialect.withText`), at once or in a thread. */
type WithText<R> = (answer: BufferedAnswer, text: string) => R;

/**
 * An answer that is delivered unverified, with the text of its envelope in the envelope's place, as
 * far as it can be read. The very same answer where it is no envelope. Null: there is no text to
 * deliver.
 */
export function unwrapAnswer<R>(
  answer: BufferedAnswer,
  asked: EnvelopeAsked,
  withText: WithText<R>,
): R | BufferedAnswer | null {
  const reply = readReply(answer.read.text, asked);
  if (reply.kind !== 'envelope' && reply.kind !== 'broken') return answer;
  if (reply.answer === null) return null;
  const isCut = answer.form === 'sse' && !answer.read.complete;
  // The half of an event at the end of a stream that was cut would be a piece of the envelope.
  const whole = isCut
    ? { ...answer, chunks: [withoutCutEvent(Buffer.concat(answer.chunks))] }
    : answer;
  return withText(whole, reply.answer);
}
