import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import type { PreparedAnswer } from '../../ingest';
import { awaitVerdict, verificationReply } from '../../verdicts';
import type { HttpDeps } from './deps';
import { awaitsHeader } from './thread-request';

/**
 * The answer of a verify call; a pending verdict is awaited, up to `waitMs`. Outside of
 * `answerOnce`, so that a repeated `Idempotency-Key` returns the verdict stored since, not the old
 * pending state. A thread leaves the wait to its process, since it answers one request at a time.
 */
export async function answerAwaiting(
  { isThread }: Pick<HttpDeps, 'isThread'>,
  c: Context,
  project: ProjectCtx,
  answer: PreparedAnswer,
  waitMs: number,
): Promise<Response> {
  const id = answer.status === 202 ? idOf(answer.body) : null;
  if (id === null || waitMs === 0)
    return c.json(answer.body as object, answer.status === 200 ? 200 : 202);
  if (isThread === true)
    return c.json(answer.body as object, 202, awaitsHeader({ kind: 'verification', id, waitMs }));
  const verdict = await awaitVerdict(project, id, { waitMs, signal: c.req.raw.signal });
  return c.json(verificationReply(project, verdict), verdict.state === 'settled' ? 200 : 202);
}

function idOf(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
    ? body.id
    : null;
}
