import type { Ask } from '../../domain';
import { type Ctx, sha256 } from '../../platform';
import type { ProviderBook } from '../providers/provider-book';
import type { ProviderKind } from '../input';
import type { ProviderAccess } from '../providers/provider';
import { type CallReport, callModel } from './call-model';
import type { ModelConnections } from './connections';
import type { Endpoints } from './endpoints';
import { findTargetIn } from './find-target';
import type { ModelParameters } from './model';
import { recordCall } from './record';
import { type CallFault, callWithRetries } from './retry';
import { createTally } from './tally';

export interface AskFor {
  readonly projectId: string;
  /** The verdict that the calls are recorded under; null for a trial. */
  readonly verdictId: string | null;
  /**
   * Receives the writing of each call's record, which never rejects; the answer then does not wait
   * for it. If omitted, it does.
   */
  readonly onRecord?: (recording: Promise<void>) => void;
}

/** Shared by all calls of a process. */
export interface AskDeps {
  readonly endpoints: Endpoints;
  readonly connections: Pick<ModelConnections, 'poolOf'>;
  readonly providers: Pick<ProviderBook, 'read'>;
}

type Answered = Exclude<CallReport, CallFault>;

/**
 * Calls a model for the workers: finds the provider, decrypts its key, keeps to the endpoint's
 * pace, retries by class of error, and stores each HTTP call. Temperature 0 unless the spec sets
 * another; no tools. Returns the reply's text as received; the judge parses it.
 * @throws on storage faults only
 */
export function createAsk(
  ctx: Ctx,
  { endpoints, connections, providers }: AskDeps,
  { onRecord, ...target }: AskFor,
): Ask {
  return async (request) => {
    const began = ctx.clock.monotonicMs();
    const tally = createTally(ctx, request, began);
    const found = findTargetIn(await providers.read(target.projectId), request.model, null);
    if ('errorClass' in found) return tally.failed(null, found.errorClass, found.message, null);
    const key = {
      endpoint: endpointName(target.projectId, found.provider, found.apiKey),
      model: found.model,
    };
    const limits = { key, deadlineAt: began + request.deadlineMs, signal: request.signal };
    const callerFields = { purpose: request.purpose, promptVersion: request.promptVersion };
    let { settings } = found;
    const callOnce = async (attempt: number, leftMs: number): Promise<CallReport> => {
      const report = await callModel(ctx, connections, {
        ...found,
        settings,
        request,
        timeoutMs: Math.ceil(leftMs),
      });
      const costUsd = tally.add(found, report);
      const recording = storeRecord(ctx, {
        ...target,
        provider: found.provider.name,
        model: found.model,
        attempt,
        costUsd,
        ...callerFields,
        report,
      });
      if (onRecord === undefined) await recording;
      else onRecord(recording);
      return report;
    };
    const result = await callWithRetries<Answered>(
      { clock: ctx.clock, endpoints },
      limits,
      async (attempt, leftMs) => {
        const report = await callOnce(attempt, leftMs);
        if (!refusesFormat(found.provider.kind, settings, report)) return report;
        settings = { ...settings, format: 'none' };
        return callOnce(attempt, Math.max(1, limits.deadlineAt - ctx.clock.monotonicMs()));
      },
    );
    if (result.state === 'answered') return tally.answered(found, result.text);
    return tally.failed(found, result.errorClass, result.message, result.retryAfterMs);
  };
}

/**
 * Some compatible servers do not support `response_format`, or not this format: the call is
 * repeated without it, and only the prompt requests the format.
 */
function refusesFormat(
  kind: ProviderKind,
  { format }: ModelParameters,
  report: CallReport,
): boolean {
  const refused = report.state === 'failed' && (report.status === 400 || report.status === 422);
  return (
    kind === 'openai_compatible' &&
    format === 'json' &&
    refused &&
    (report.reply ?? '').includes('response_format')
  );
}

/** The operator's provider is one endpoint for all projects; a key alone does not identify it. */
function endpointName(projectId: string, provider: ProviderAccess, apiKey: string | null): string {
  const owner = provider.source === 'environment' ? '' : projectId;
  return `${owner} ${provider.name} ${provider.baseUrl} ${sha256(apiKey ?? '').slice(0, 16)}`;
}

/**
 * A failure to store the record must not lose the answer; the log shows that a record is missing.
 */
async function storeRecord(ctx: Ctx, record: Parameters<typeof recordCall>[1]): Promise<void> {
  try {
    await recordCall(ctx, record);
  } catch (error) {
    ctx.log.error(
      { err: error, provider: record.provider, model: record.model, costUsd: record.costUsd },
      'a call to a model was not recorded',
    );
  }
}
