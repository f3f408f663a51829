import { enterProject, type ProjectCtx } from '../access';
import { AssayError, classifyStorageError, type Ctx, guardedFetch, OutboundError, type OutboundReply } from '../platform';
import { getVerdict, verificationReply } from '../verdicts';
import type { ClaimedDelivery } from './claim';
import { openHeaders, openSigningSecret } from './destination';
import { noteDelivered, noteFailed, returnDeliveries } from './note';
import { otlpBody, otlpUrl } from './otlp';
import { webhookRequest } from './webhook';

/** To one destination at once. */
const atOnce = 4;
const replyBytesMax = 64 * 1024;

/**
 * Sends what was claimed for one destination and notes what became of it. When the destination does not answer at all, what was not
 * begun is given back: it would only wait for the same silence. Stops in time for its lease.
 * @throws on faults of storage: leases run out, and what was under way is sent again under the same id
 */
export async function sendDeliveries(ctx: Ctx, claimed: readonly ClaimedDelivery[], signal: AbortSignal): Promise<void> {
  const left = [...claimed];
  const began = ctx.clock.monotonicMs();
  const deadlineMs = Math.min(10_000, ctx.env.leaseMs / 2);
  let silent = false;
  const sender = async (): Promise<void> => {
    for (;;) {
      const late = ctx.clock.monotonicMs() - began > ctx.env.leaseMs - deadlineMs - ctx.env.leaseMs / 10;
      const delivery = silent || late || signal.aborted ? undefined : left.shift();
      if (delivery === undefined) return;
      const result = await sendOne(ctx, delivery, deadlineMs);
      if (result.state === 'delivered') await noteDelivered(ctx, delivery);
      else {
        silent ||= result.state === 'silent';
        ctx.log.warn(
          { delivery: delivery.id, destination: delivery.destination.id, attempt: delivery.attempts, why: result.log },
          'not delivered',
        );
        await noteFailed(ctx, delivery, result.reason, result.state === 'final');
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, sender));
  } finally {
    await returnDeliveries(ctx, left, silent ? 5 : 0);
  }
}

/** `silent`: the destination gave no answer; `final`: sending it again would not help. `log` may tell more than `reason`, which people see. */
type Sent =
  | { readonly state: 'delivered' }
  | { readonly state: 'failed' | 'silent' | 'final'; readonly reason: string; readonly log: string };

async function sendOne(ctx: Ctx, delivery: ClaimedDelivery, deadlineMs: number): Promise<Sent> {
  const { projectId, projectSlug, destination } = delivery;
  const project = enterProject(ctx, { id: projectId, slug: projectSlug }, { kind: 'system', id: 'deliveries', label: 'deliveries' });
  try {
    const { url, headers, body } = await compose(project, delivery);
    const reply = await guardedFetch({ allow: ctx.env.outboundAllow }, { method: 'POST', url, headers, body, deadlineMs, replyBytesMax });
    return destination.kind === 'otlp' ? judgeOtlp(reply) : judgeWebhook(reply);
  } catch (error) {
    return judgeFault(error);
  }
}

async function compose(
  project: ProjectCtx,
  delivery: ClaimedDelivery,
): Promise<{ readonly url: string; readonly headers: ReadonlyMap<string, string>; readonly body: string }> {
  const { destination, verdictId, projectId } = delivery;
  const verdict = await getVerdict(project, verdictId);
  if (verdict.state !== 'settled') throw new Error('the verdict is not settled');
  const reply = verificationReply(project, verdict);
  const headers = openHeaders(project, projectId, destination);
  const own: [string, string][] = [['user-agent', 'assay']];
  if (destination.kind === 'otlp') {
    const body = otlpBody(projectId, verdict, typeof reply.url === 'string' ? reply.url : '');
    return { url: otlpUrl(destination.url), headers: new Map([...headers, ...own, ['content-type', 'application/json']]), body };
  }
  const secret = openSigningSecret(project, projectId, destination);
  if (secret === null) throw new Error('a webhook without a secret');
  const request = webhookRequest(delivery.id, secret, project.clock.now(), reply);
  return { url: destination.url, headers: new Map([...headers, ...own, ...request.headers]), body: request.body };
}

function judgeWebhook({ status }: OutboundReply): Sent {
  if (status >= 200 && status < 300) return { state: 'delivered' };
  return { state: 'failed', reason: `the receiver answered ${status}`, log: `status ${status}` };
}

/** OTLP: 429, 502, 503 and 504 may be sent again, nothing else; and what a collector rejected in part must not be. */
function judgeOtlp({ status, body }: OutboundReply): Sent {
  if (status >= 200 && status < 300) {
    if (!rejectedSpans(body)) return { state: 'delivered' };
    return { state: 'final', reason: 'the collector rejected the span', log: 'partial success' };
  }
  const state = [429, 502, 503, 504].includes(status) ? 'failed' : 'final';
  return { state, reason: `the collector answered ${status}`, log: `status ${status}` };
}

function rejectedSpans(body: Buffer): boolean {
  try {
    const reply = JSON.parse(body.toString('utf8')) as { partialSuccess?: { rejectedSpans?: string | number } } | null;
    return Number(reply?.partialSuccess?.rejectedSpans ?? 0) > 0;
  } catch {
    return false;
  }
}

/** People hear the same of a closed port, a slow one and a name that leads nowhere (S-47). @throws on faults of storage */
function judgeFault(error: unknown): Sent {
  const log = error instanceof Error ? error.message : String(error);
  if (error instanceof OutboundError) {
    if (error.kind === 'too_large') return { state: 'failed', reason: 'the answer was too large', log };
    return { state: 'silent', reason: 'no answer', log };
  }
  if (error instanceof AssayError) {
    if (error.code === 'not_found') return { state: 'final', reason: 'the verdict is gone', log };
    if (error.code === 'refused') return { state: 'final', reason: error.message, log };
  }
  const fault = classifyStorageError(error);
  if (fault === 'transient' || fault === 'retry') throw error;
  return { state: 'final', reason: 'it could not be put together: enter the address and its secrets again', log };
}
