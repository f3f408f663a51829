import type { AskRequest } from '../../domain';
import type { Ctx } from '../../platform';
import type { ProviderAccess } from '../providers/provider';
import { faultOf, redact } from './fault';
import type { ModelConnections } from './connections';
import { callOptions, type ModelParameters, openModel } from './model';
import { createProviderFetch } from './provider-fetch';
import { readReplyText, readTokens } from './read-reply';
import type { CallFault } from './retry';

/** The outcome of one HTTP call, without any secret. */
export type CallReport = ({ readonly state: 'answered'; readonly text: string } | CallFault) & {
  readonly status: number | null;
  /** Null if the provider did not report it. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly latencyMs: number;
  /** The reply as received: the answer, or else the body. */
  readonly reply: string | null;
};

export interface ModelCall {
  readonly provider: ProviderAccess;
  readonly apiKey: string | null;
  readonly model: string;
  readonly settings: ModelParameters;
  readonly request: AskRequest;
  readonly timeoutMs: number;
}

/**
 * Makes one HTTP call to a model. Never throws for a fault of the model, its provider or the
 * network.
 */
export async function callModel(
  ctx: Pick<Ctx, 'env' | 'clock'>,
  { poolOf }: Pick<ModelConnections, 'poolOf'>,
  call: ModelCall,
): Promise<CallReport> {
  const { provider, apiKey, request } = call;
  const { fetch, exchange } = createProviderFetch(ctx, provider.origin, {
    deadlineMs: call.timeoutMs,
    poolOf,
  });
  const began = ctx.clock.monotonicMs();
  const measured = () => ({ status: exchange.status, latencyMs: ctx.clock.monotonicMs() - began });
  try {
    const model = openModel(
      { kind: provider.kind, baseUrl: provider.baseUrl, apiKey, model: call.model },
      fetch,
    );
    const result = await model.doGenerate(callOptions(request, call.settings, request.signal));
    const text = redact(
      readReplyText(result, provider.kind === 'anthropic' ? exchange.body : null),
      apiKey,
    );
    const usage = {
      inputTokens: readTokens(result.usage.inputTokens.total),
      outputTokens: readTokens(result.usage.outputTokens.total),
    };
    if (text === '' && result.finishReason.unified === 'content-filter') {
      const fault = {
        state: 'failed',
        errorClass: 'refused',
        message: 'the model declined to answer',
        retryAfterMs: null,
      } as const;
      return { ...fault, ...usage, ...measured(), reply: exchange.body };
    }
    return {
      state: 'answered',
      text,
      ...usage,
      ...measured(),
      reply: text === '' ? exchange.body : text,
    };
  } catch (error) {
    const fault = faultOf(error, exchange, request.signal.aborted, ctx.clock.now());
    const reply = exchange.body === null ? null : redact(exchange.body, apiKey);
    return {
      ...fault,
      message: redact(fault.message, apiKey),
      inputTokens: null,
      outputTokens: null,
      ...measured(),
      reply,
    };
  }
}
