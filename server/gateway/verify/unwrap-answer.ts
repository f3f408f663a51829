import { withoutCutLine } from '../dialects/ndjson';
import { withoutCutEvent } from '../dialects/sse';
import type { AnswerForm, BufferedAnswer } from '../exchange';
import type { EnvelopeRequest } from './envelope-request';
import { parseEnvelopeReply } from './unwrap';

/** Replaces the text of an answer (`Dialect.withText`), at once or in a thread. */
type WithText<R> = (answer: BufferedAnswer, text: string) => R;

/**
 * Replaces the envelope in an unverified answer with its text, as far as it can be parsed. Returns
 * the same answer if it is not an envelope; null if there is no text to deliver.
 */
export function unwrapAnswer<R>(
  answer: BufferedAnswer,
  envelopeRequest: EnvelopeRequest,
  withText: WithText<R>,
): R | BufferedAnswer | null {
  const reply = parseEnvelopeReply(answer.read.text, envelopeRequest);
  if (reply.kind !== 'envelope' && reply.kind !== 'broken') return answer;
  if (reply.answer === null) return null;
  const isCut = answer.form !== 'json' && !answer.read.complete;
  // A partial event at the end of a truncated stream would leak part of the envelope.
  const whole = isCut
    ? { ...answer, chunks: [withoutCutEnd(Buffer.concat(answer.chunks), answer.form)] }
    : answer;
  return withText(whole, reply.answer);
}

const withoutCutEnd = (stream: Buffer, form: AnswerForm): Buffer =>
  form === 'sse' ? withoutCutEvent(stream) : withoutCutLine(stream);
