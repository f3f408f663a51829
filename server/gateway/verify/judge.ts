import type { JudgeCall } from '../../domain';
import { judgeTurn } from '../../evaluators/steering';
import {
  createDirectAsk,
  type DirectCall,
  type ModelConnections,
  type ProviderAccess,
} from '../../llm';
import type { Ctx } from '../../platform';
import type { ExchangeRequest, GatewayRoute } from '../exchange';
import type { JudgeCallInput, Judge } from './deps';

/** A verifier's model call as recorded. */
export interface VerifierCall extends DirectCall {
  readonly projectId: string;
  readonly verdictId: string;
}

/**
 * Creates the judge of a route: `provider:model?temperature=0.3`, or without a provider the call's
 * own upstream (QV-37). Makes one streamed HTTP call, and a second one if the reply cannot be
 * parsed; no retries, no storage. `record` receives each HTTP call and must not throw.
 */
export function createJudge(
  ctx: Pick<Ctx, 'clock' | 'log'>,
  connections: ModelConnections,
  record: (call: VerifierCall) => void,
): Judge {
  return async (question) => {
    const { request, prompts } = question;
    const { project, settings } = request.route;
    const verifier = settings.quality_verifier;
    const began = ctx.clock.monotonicMs();
    try {
      const ask = createDirectAsk(ctx, {
        connections,
        providers: project.providers,
        otherwise: backendOf(request),
        record: (call) => record({ ...call, projectId: project.id, verdictId: question.verdictId }),
      });
      const bench = {
        model: verifier.model ?? '',
        deadlineMs: Math.max(1, question.deadlineMs),
        firstTokenMs: verifier.ttft_timeout_seconds * 1000,
        signal: question.signal,
        purpose: question.purpose,
      };
      const { messages, completion } = question;
      return await judgeTurn(
        { prompts, messages, completion, maxHistory: verifier.max_history },
        bench,
        ask,
      );
    } catch (error) {
      ctx.log.error({ err: error, route: request.route.name }, 'a verifier could not be called');
      return failedJudgeCall(question, ctx.clock.monotonicMs() - began);
    }
  };
}

function failedJudgeCall({ prompts, request }: JudgeCallInput, latencyMs: number): JudgeCall {
  return {
    decision: 'verifier_failed',
    note: null,
    problem: 'the verifier could not be called',
    calls: 0,
    model: request.route.settings.quality_verifier.model,
    prompt_version: prompts.verifier.version,
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
    latency_ms: latencyMs,
  };
}

/** The call's own upstream, with the stored key or the client's. */
function backendOf({ route, headers }: ExchangeRequest): ProviderAccess {
  return route.provider ?? passedThrough(route, headers);
}

function passedThrough(
  { name, api, baseUrl, origin }: GatewayRoute,
  headers: readonly string[],
): ProviderAccess {
  return {
    name,
    kind:
      api === 'anthropic'
        ? 'anthropic'
        : origin === 'https://api.openai.com'
          ? 'openai'
          : 'openai_compatible',
    baseUrl,
    origin,
    models: [],
    prices: new Map(),
    source: 'project',
    openKey: () => clientKey(headers),
  };
}

function clientKey(headers: readonly string[]): string | null {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase();
    if (name === 'x-api-key') return headers[at + 1] ?? null;
    if (name === 'authorization') return (headers[at + 1] ?? '').replace(/^bearer\s+/i, '') || null;
  }
  return null;
}
