import {
  type GatewayRecord,
  hasUsage,
  type ModelUsage,
  noTokens,
  type SourceSettings,
} from '../../domain';
import { costOf, type Price } from '../../llm';
import { createMasker, type MaskRules } from '../../masking';
import type { ReadRequest } from '../dialects/dialect';
import type { ExchangeRequest, ParsedAnswer } from '../exchange';
import type { TurnFacts } from './turn-text';

/** An answered exchange without its request body; plain data that can be sent to a thread. */
export interface AnsweredExchange {
  readonly request: Pick<ExchangeRequest, 'id' | 'sessionId' | 'clientRequestId' | 'metadata'>;
  readonly traceId: string | null;
  readonly routeName: string;
  readonly prices: ReadonlyMap<string, Price>;
  readonly masks: MaskRules | null;
  /** Which parts of the messages count as sources. */
  readonly sources: SourceSettings;
  readonly model: string | null;
  readonly startedOn: Date;
  readonly durationMs: number;
  readonly tokens: Pick<ParsedAnswer, 'inputTokens' | 'outputTokens' | 'tokenParts'>;
  /** The text for the user, without marks and footer. */
  readonly text: string;
  readonly envelope: string | null;
  readonly repromptUsed: boolean;
  readonly record: GatewayRecord | null;
}

/** The exchange as a turn. @param read null if the request could not be parsed. Pure */
export function turnFactsOf(exchange: AnsweredExchange, read: ReadRequest | null): TurnFacts {
  const { request, routeName, startedOn, durationMs, text, ...facts } = exchange;
  const { traceId, model, envelope, repromptUsed, record } = facts;
  return {
    id: request.id,
    sessionId: request.sessionId,
    traceId,
    model,
    startedAt: startedOn.toISOString(),
    endedAt: new Date(startedOn.getTime() + durationMs).toISOString(),
    request: read,
    output: text,
    envelope,
    repromptUsed,
    usage: usageOfExchange(exchange),
    masker: exchange.masks === null ? null : createMasker(exchange.masks),
    metadata: {
      ...request.metadata,
      gateway_route: routeName,
      ...(request.clientRequestId === null ? {} : { request_id: request.clientRequestId }),
    },
    record,
  };
}

/** The tokens of an exchange, and its cost at the price of the route's provider, if it has one. */
export function usageOfExchange({ model, prices, tokens }: AnsweredExchange): ModelUsage[] {
  const { inputTokens, outputTokens, tokenParts } = tokens;
  const price = model === null ? null : (prices.get(model) ?? null);
  const usage: ModelUsage = {
    ...noTokens,
    ...tokenParts,
    model,
    calls: 1,
    input: inputTokens,
    output: outputTokens,
    // The price of the route's provider: the cost is known like one that a client sends.
    costUsd:
      model === null || price === null || (inputTokens === null && outputTokens === null)
        ? null
        : costOf(model, inputTokens ?? 0, outputTokens ?? 0, price),
  };
  return hasUsage(usage) ? [usage] : [];
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** The caller's trace (W3C Trace Context). */
export function traceOf(headers: readonly string[]): string | null {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (headers[at]?.toLowerCase() !== 'traceparent') continue;
    const id = TRACEPARENT.exec(headers[at + 1] ?? '')?.[1];
    return id === undefined || /^0+$/.test(id) ? null : id;
  }
  return null;
}
