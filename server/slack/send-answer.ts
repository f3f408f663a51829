import type { SlackDestination } from '../deliveries';
import { type Ctx, guardedFetch, outboundPolicy } from '../platform';
import type { ButtonAnswer } from './press-button';

const deadlineMs = 10_000;
const replyBytesMax = 64 * 1024;

/**
 * Sends an answer to the `response_url` of a pressed button. The address must have the origin of
 * the destination's webhook, as Slack's do, so that no request can make Assay call another host. A
 * failure is logged only: the act is stored, and pressing again shows it.
 */
export async function sendAnswer(
  ctx: Ctx,
  { id, origin }: SlackDestination,
  { url, body }: ButtonAnswer,
): Promise<void> {
  try {
    if (new URL(url).origin !== origin) throw new Error('response_url has another origin');
    const { status } = await guardedFetch(outboundPolicy(ctx.env), {
      method: 'POST',
      url,
      headers: new Map([
        ['user-agent', 'assay'],
        ['content-type', 'application/json'],
      ]),
      body: JSON.stringify(body),
      deadlineMs,
      replyBytesMax,
    });
    if (status >= 300) throw new Error(`status ${status}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    ctx.log.warn({ destination: id, why }, 'Slack: answer not delivered');
  }
}
