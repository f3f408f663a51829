import type { Ask, AskErrorClass } from '../../domain';
import { pricesAsOf } from '../registry/price';

/** What a trial of a provider came to. */
export interface ProviderTrial {
  readonly state: 'answered' | 'failed';
  /** The word that came back, or what went wrong. */
  readonly text: string;
  readonly errorClass: AskErrorClass | null;
  readonly latencyMs: number;
  /** US dollars; null where the price is not known. */
  readonly costUsd: number | null;
  /** The month of the price list that the cost was reckoned by. */
  readonly pricesAsOf: string;
  readonly tokens: number;
}

const deadlineMs = 20_000;

/**
 * Asks a model for one word: whether its provider answers, how fast, and at what price. The call is
 * recorded like any other.
 */
export async function tryProvider(
  ask: Ask,
  input: { readonly name: string; readonly model: string },
): Promise<ProviderTrial> {
  const result = await ask({
    model: `${input.name}:${input.model}`,
    system: 'You are a connection test. Answer with one word.',
    messages: [{ role: 'user', content: 'Say: ready' }],
    reply: null,
    // Models that think first need room for it.
    maxOutputTokens: 256,
    deadlineMs,
    signal: AbortSignal.timeout(deadlineMs + 5000),
    purpose: 'providers.test',
    promptVersion: null,
  });
  const { usage } = result;
  return {
    state: result.state,
    text: result.state === 'answered' ? result.text.trim().slice(0, 80) : result.message,
    errorClass: result.state === 'failed' ? result.errorClass : null,
    latencyMs: usage.latencyMs,
    costUsd: usage.costUsd,
    pricesAsOf,
    tokens: usage.inputTokens + usage.outputTokens,
  };
}
