import type { Ask } from '../../domain';
import type { Ctx } from '../../platform';
import type { ProviderAccess } from '../providers/provider';
import type { ModelConnections } from './connections';
import { findTargetIn } from './find-target';
import type { CallRecord } from './record';
import { streamModel } from './stream-model';
import { createTally } from './tally';

/** A completed HTTP call; `recordCall` stores it under a project. */
export type DirectCall = Omit<CallRecord, 'projectId' | 'verdictId'>;

export interface DirectAskInput {
  /** The connections of the process, reused from call to call. */
  readonly connections: ModelConnections;
  /** The project's providers. */
  readonly providers: readonly ProviderAccess[];
  /** The provider for specs that name none: the backend of the main request (QV-37). */
  readonly otherwise: ProviderAccess | null;
  /** Receives each HTTP call; may store it, without delaying the request, and must not throw. */
  readonly record: (call: DirectCall) => void;
}

/**
 * Calls a model from within a request: exactly one streamed HTTP call per question, without
 * retries, shared pacing or a shared breaker. Stores nothing: the caller decides what to store.
 * Respects `firstTokenMs` (QV-36).
 */
export function createDirectAsk(ctx: Pick<Ctx, 'clock'>, input: DirectAskInput): Ask {
  return async (request) => {
    const tally = createTally(ctx, request, ctx.clock.monotonicMs());
    const found = findTargetIn(input.providers, request.model, input.otherwise);
    if ('errorClass' in found) return tally.failed(null, found.errorClass, found.message, null);
    const timed = {
      timeoutMs: Math.max(1, Math.ceil(request.deadlineMs)),
      firstTokenMs: request.firstTokenMs ?? null,
    };
    const report = await streamModel(ctx, input.connections, { ...found, request, ...timed });
    const costUsd = tally.add(found, report);
    const { purpose, promptVersion } = request;
    input.record({
      provider: found.provider.name,
      model: found.model,
      attempt: 1,
      costUsd,
      purpose,
      promptVersion,
      report,
    });
    if (report.state === 'answered') return tally.answered(found, report.text);
    return tally.failed(found, report.errorClass, report.message, report.retryAfterMs);
  };
}
