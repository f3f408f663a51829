import { enterProject } from '../access';
import {
  AssayError,
  classifyStorageError,
  type Ctx,
  guardedFetch,
  OutboundError,
  outboundPolicy,
  type OutboundReply,
  notifyChanged,
} from '../platform';
import type { ClaimedDelivery } from './claim';
import { compose } from './compose';
import { sendMail } from './mail';
import { recordDelivered, recordFailed, returnDeliveries } from './record-result';
import type { Sent } from './sent';

/** Maximum number of parallel sends to one destination. */
const atOnce = 4;
const replyBytesMax = 64 * 1024;

/**
 * Sends the claimed deliveries of one destination and records their results. If the destination
 * does not respond, returns the rest, which would only run into the same timeout. Stops before its
 * lease ends.
 * @throws on storage faults: leases then expire, and deliveries in progress are resent under the
 *   same id
 */
export async function sendDeliveries(
  ctx: Ctx,
  claimed: readonly ClaimedDelivery[],
  signal: AbortSignal,
): Promise<void> {
  const left = [...claimed];
  const began = ctx.clock.monotonicMs();
  const deadlineMs = Math.min(10_000, ctx.env.leaseMs / 2);
  let silent = false;
  const sender = async (): Promise<void> => {
    for (;;) {
      const late =
        ctx.clock.monotonicMs() - began > ctx.env.leaseMs - deadlineMs - ctx.env.leaseMs / 10;
      const delivery = silent || late || signal.aborted ? undefined : left.shift();
      if (delivery === undefined) return;
      const result = await sendOne(ctx, delivery, deadlineMs);
      if (result.state === 'delivered') await recordDelivered(ctx, delivery, result.remark);
      else {
        silent ||= result.state === 'silent';
        ctx.log.warn(
          {
            delivery: delivery.id,
            destination: delivery.destination.id,
            attempt: delivery.attempts,
            why: result.log,
          },
          'not delivered',
        );
        await recordFailed(ctx, delivery, result.reason, result.state === 'final');
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, sender));
  } finally {
    await returnDeliveries(ctx, left, silent ? 5 : 0);
    for (const { projectId } of claimed) notifyChanged(ctx, projectId, 'deliveries');
  }
}

async function sendOne(ctx: Ctx, delivery: ClaimedDelivery, deadlineMs: number): Promise<Sent> {
  const { projectId, projectSlug, destination } = delivery;
  const project = enterProject(
    ctx,
    { id: projectId, slug: projectSlug },
    { kind: 'system', id: 'deliveries', label: 'deliveries' },
  );
  try {
    const outgoing = await compose(project, delivery);
    if (outgoing.by === 'mail') return await sendMail(ctx, delivery.id, outgoing.mail, deadlineMs);
    const { url, headers, body } = outgoing;
    const reply = await guardedFetch(outboundPolicy(ctx.env), {
      method: 'POST',
      url,
      headers,
      body,
      deadlineMs,
      replyBytesMax,
    });
    return destination.kind === 'otlp' ? judgeOtlp(reply) : judgeWebhook(reply);
  } catch (error) {
    return judgeFault(error);
  }
}

function judgeWebhook({ status }: OutboundReply): Sent {
  if (status >= 200 && status < 300) return { state: 'delivered', remark: null };
  return { state: 'failed', reason: `the receiver answered ${status}`, log: `status ${status}` };
}

/**
 * OTLP allows retries only after 429, 502, 503 and 504. After a collector's partial rejection, a
 * retry is forbidden.
 */
function judgeOtlp({ status, body }: OutboundReply): Sent {
  if (status >= 200 && status < 300) {
    if (!rejectedSpans(body)) return { state: 'delivered', remark: null };
    return { state: 'final', reason: 'the collector rejected the span', log: 'partial success' };
  }
  const state = [429, 502, 503, 504].includes(status) ? 'failed' : 'final';
  return { state, reason: `the collector answered ${status}`, log: `status ${status}` };
}

function rejectedSpans(body: Buffer): boolean {
  try {
    const reply = JSON.parse(body.toString('utf8')) as {
      partialSuccess?: { rejectedSpans?: string | number };
    } | null;
    return Number(reply?.partialSuccess?.rejectedSpans ?? 0) > 0;
  } catch {
    return false;
  }
}

/**
 * Shows people the same message for a closed port, a slow one and an unresolvable name (S-47).
 * @throws on storage faults
 */
function judgeFault(error: unknown): Sent {
  const log = error instanceof Error ? error.message : String(error);
  if (error instanceof OutboundError) {
    if (error.kind === 'too_large')
      return { state: 'failed', reason: 'the answer was too large', log };
    return { state: 'silent', reason: 'no answer', log };
  }
  if (error instanceof AssayError) {
    if (error.code === 'not_found')
      return { state: 'final', reason: 'its subject was deleted', log };
    if (error.code === 'refused') return { state: 'final', reason: error.message, log };
  }
  const fault = classifyStorageError(error);
  if (fault === 'transient' || fault === 'retry') throw error;
  return {
    state: 'final',
    reason: 'the request could not be built: enter the address and its secrets again',
    log,
  };
}
