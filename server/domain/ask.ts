import type { z } from 'zod';

/**
 * One request to a model. Judges have no tools; the reply is text, which the caller parses
 * strictly.
 */
export interface AskRequest {
  /**
   * For example `provider:model?temperature=0.3`; without a provider, the first provider that lists
   * the model is used.
   */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** The schema of the reply, sent in the provider's format; null for free text. */
  readonly reply: { readonly name: string; readonly schema: z.ZodType } | null;
  readonly maxOutputTokens: number;
  /** The total time limit, which includes waiting, retries, and the complete reply. */
  readonly deadlineMs: number;
  /** The time limit for the first token (QV-36); applies only to streamed replies. */
  readonly firstTokenMs?: number;
  readonly signal: AbortSignal;
  /** Called with each new part of a streamed reply; the result's text is complete without it. */
  readonly onText?: (text: string) => void;
  /** The node or other caller that makes the request, for the record of the call. */
  readonly purpose: string;
  /** `slug@version`, or null. */
  readonly promptVersion: string | null;
}

/** Why there is no answer. This is never a verdict: a broken judge is inconclusive. */
export type AskErrorClass =
  | 'no_provider'
  | 'breaker_open'
  | 'timeout'
  | 'rate_limited'
  | 'overloaded'
  | 'unauthorized'
  | 'refused'
  | 'too_large'
  | 'unreachable'
  | 'bad_reply'
  | 'aborted';

/** The total usage of all calls for one request, answered or not. */
export interface AskUsage {
  /** Null if no model was called. */
  readonly provider: string | null;
  /** The provider's name for the model, without parameters. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null if the price is unknown. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
  /** The number of HTTP requests made. */
  readonly calls: number;
}

export type AskResult =
  | { readonly state: 'answered'; readonly text: string; readonly usage: AskUsage }
  | {
      readonly state: 'failed';
      readonly errorClass: AskErrorClass;
      readonly message: string;
      /** The pause that the provider requested; null if it requested none. */
      readonly retryAfterMs: number | null;
      readonly usage: AskUsage;
    };

/** Calls a model. Never throws for faults of the model or its provider. */
export type Ask = (request: AskRequest) => Promise<AskResult>;
