import type { Ask, AskErrorClass } from '../../domain';
import { priceList } from '../registry/price';

/** The result of a provider's trial. */
export interface ProviderTrial {
  readonly state: 'answered' | 'failed';
  /** The model's answer, or the error. */
  readonly text: string;
  readonly errorClass: AskErrorClass | null;
  readonly latencyMs: number;
  /** US dollars; null if the price is unknown. */
  readonly costUsd: number | null;
  /** The price list used for the cost. */
  readonly priceList: string;
  readonly tokens: number;
}

const deadlineMs = 20_000;

/**
 * Requests one word from a model, to test whether its provider answers, how fast, and at what
 * price. The call is recorded like any other.
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
    // Reasoning models need tokens to think before they answer.
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
    priceList,
    tokens: usage.inputTokens + usage.outputTokens,
  };
}
