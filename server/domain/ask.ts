import type { z } from 'zod';

/**
 * One question to a model. Judges have no tools, and the reply is text: whoever asked reads it,
 * strictly.
 */
export interface AskRequest {
  /** `provider:model?temperature=0.3`; without a provider the first one that lists the model. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /**
   * What the reply must be, told to the model as its provider understands it; null for free text.
   */
  readonly reply: { readonly name: string; readonly schema: z.ZodType } | null;
  readonly maxOutputTokens: number;
  /** For everything: waiting, retries, and the reply to its end. */
  readonly deadlineMs: number;
  /** To the first token (QV-36); heeded only where the reply is streamed. */
  readonly firstTokenMs?: number;
  readonly signal: AbortSignal;
  /** The node that asks, or what else; goes into the call's record. */
  readonly purpose: string;
  /** `slug@version`, or null. */
  readonly promptVersion: string | null;
}

/** Why there is no answer. Never a verdict: a broken judge is inconclusive. */
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

/** What all calls that one question took have cost together, answered or not. */
export interface AskUsage {
  /** Null where no one was asked. */
  readonly provider: string | null;
  /** As the provider names it, without parameters. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null where the price is not known. */
  readonly costUsd: number | null;
  readonly latencyMs: number;
  /** HTTP requests made. */
  readonly calls: number;
}

export type AskResult =
  | { readonly state: 'answered'; readonly text: string; readonly usage: AskUsage }
  | {
      readonly state: 'failed';
      readonly errorClass: AskErrorClass;
      readonly message: string;
      /** How long the provider wants to be left alone; null where it did not say. */
      readonly retryAfterMs: number | null;
      readonly usage: AskUsage;
    };

/** Asks a model. Never throws for what the model or its provider does. */
export type Ask = (request: AskRequest) => Promise<AskResult>;
