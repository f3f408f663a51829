import { bodyResult } from '../proxy/bodies';
import type { AnswerForm, ExchangeRequest, BufferedAnswer, ParsedAnswer } from '../exchange';
import { shareBuffer } from '../thread';
import type { VerificationDeps } from './deps';

type Deps = Pick<VerificationDeps, 'bodies'>;

/**
 * Parses the answer to a call that the gateway itself made. Null if it is not of this API or takes
 * too long to parse.
 */
export async function readAnswer(
  { bodies }: Deps,
  { route, dialect }: ExchangeRequest,
  chunks: readonly Buffer[],
  form: AnswerForm,
): Promise<ParsedAnswer | null> {
  const body = shareBuffer(chunks);
  return bodyResult(
    await bodies.work('answer', { projectId: route.project.id, dialect, body }, form),
  );
}

/**
 * The same answer with another text (`Dialect.withText`). Null if it cannot be rewritten, or takes
 * too long to rewrite.
 */
export async function rewriteAnswer(
  { bodies }: Deps,
  { route, dialect }: ExchangeRequest,
  { chunks, form, read }: BufferedAnswer,
  text: string,
): Promise<BufferedAnswer | null> {
  const owned = { projectId: route.project.id, dialect, body: shareBuffer(chunks) };
  const body = bodyResult(await bodies.work('rewrite', owned, form, read, text));
  return body === null ? null : { chunks: [body], form, read: { ...read, text } };
}
