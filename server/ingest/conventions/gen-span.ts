import type { AttributeValue } from '../span';

/** The role of a span in an agent's work. `chain` is any other wrapper around models and tools. */
export type SpanRole =
  | 'llm'
  | 'tool'
  | 'agent'
  | 'chain'
  | 'retriever'
  | 'embedding'
  | 'evaluator'
  | 'other';

/** JSON text; values sent as JSON text are kept unchanged, with their digits. */
export type JsonText = string;

export interface ToolCall {
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: JsonText;
  /** The provider ran it while it answered: the model awaits no result from the caller. */
  readonly ranByProvider: boolean;
}

export interface ToolResult {
  readonly callId: string | null;
  readonly name: string | null;
  readonly result: JsonText;
}

/** One message of a conversation, from any format. Reasoning is omitted: callers do not see it. */
export interface Message {
  /** `system`, `user`, `assistant`, `tool`, or the client's own name for it. */
  readonly role: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly ToolResult[];
  /** Kinds of the non-text parts: `image`, `file`. */
  readonly other: readonly string[];
}

export interface RetrievedDocument {
  readonly id: string | null;
  readonly content: JsonText;
}

/**
 * A span in Assay's own terms, read from all conventions its attributes follow. Null means "not
 * given".
 */
export interface GenSpan {
  /**
   * The conventions that matched, by precedence: `langfuse`, `langsmith`, `genkit`, `ai-sdk`,
   * `openinference`, `otel`, `otel-legacy`, `traceloop`, `laminar`, `langwatch`, `mastra`,
   * `helicone`, `claude-code`, `codex`.
   */
  readonly conventions: readonly string[];
  readonly role: SpanRole;
  /**
   * A unit of work that its client did not classify, with an output: a tool if it ends before an
   * answer starts and encloses nothing.
   */
  readonly isStep: boolean;
  /**
   * `provider/model` where the provider is known and the name has no slash; the model that
   * answered, else the requested one.
   */
  readonly model: string | null;
  readonly responseId: string | null;
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  /** Input and output as one value, where they cannot be read as messages. */
  readonly inputValue: AttributeValue;
  readonly outputValue: AttributeValue;
  readonly finishReasons: readonly string[];
  readonly toolName: string | null;
  readonly toolCallId: string | null;
  readonly toolArguments: JsonText | null;
  readonly toolResult: JsonText | null;
  readonly documents: readonly RetrievedDocument[];
  readonly sessionId: string | null;
  readonly userId: string | null;
  readonly agentName: string | null;
  readonly promptName: string | null;
  /** All input tokens, with those read from or written to a cache; `token-parts.ts`. */
  readonly inputTokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  /** All output tokens, with reasoning. */
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly costUsd: number | null;
  readonly tags: readonly string[];
  readonly metadata: ReadonlyMap<string, AttributeValue>;
  /** Attributes `assay.*` without their prefix. */
  readonly assay: ReadonlyMap<string, string>;
}

/**
 * The values of one convention for a span; any may be missing. Provider and the two model names
 * become `model`.
 */
export type ConventionPart = {
  readonly [Key in keyof Omit<GenSpan, 'conventions' | 'model' | 'assay'>]?: GenSpan[Key] | null;
} & {
  readonly provider?: string | null;
  readonly requestModel?: string | null;
  readonly responseModel?: string | null;
};

export const noMetadata: ReadonlyMap<string, AttributeValue> = new Map();
