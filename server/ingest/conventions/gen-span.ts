import type { AttributeValue } from '../span';

/**
 * What a span did in the work of an agent. `chain` is any other wrapper around models and tools.
 */
export type SpanRole =
  | 'llm'
  | 'tool'
  | 'agent'
  | 'chain'
  | 'retriever'
  | 'embedding'
  | 'evaluator'
  | 'other';

/** JSON text; what came as JSON text stands as sent, digits and all. */
export type JsonText = string;

export interface ToolCall {
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: JsonText;
  /** The provider ran it while it answered: no one owes the model a result. */
  readonly ranByProvider: boolean;
}

export interface ToolResult {
  readonly callId: string | null;
  readonly name: string | null;
  readonly result: JsonText;
}

/**
 * One message of a conversation, in whatever shape it came. Reasoning is left out: it is no part of
 * what a caller reads.
 */
export interface Message {
  /** `system`, `user`, `assistant`, `tool`, or what the client calls it. */
  readonly role: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly ToolResult[];
  /** Kinds of the parts that are no text: `image`, `file`. */
  readonly other: readonly string[];
}

export interface RetrievedDocument {
  readonly id: string | null;
  readonly content: JsonText;
}

/**
 * A span in the words of this project, read from whichever conventions its attributes follow. Null
 * is "not said".
 */
export interface GenSpan {
  /**
   * The conventions that had something to say, by precedence: `langfuse`, `ai-sdk`,
   * `openinference`, `otel`, `otel-legacy`, `traceloop`.
   */
  readonly conventions: readonly string[];
  readonly role: SpanRole;
  /**
   * `provider/model` where the provider is a known one and the name has no slash; the model that
   * answered, else the one asked.
   */
  readonly model: string | null;
  readonly responseId: string | null;
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  /** Input and output as one value, where no messages can be read from it. */
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
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  readonly tags: readonly string[];
  readonly metadata: ReadonlyMap<string, AttributeValue>;
  /** Attributes `assay.*` without their prefix. */
  readonly assay: ReadonlyMap<string, string>;
}

/**
 * What one convention says of a span: nothing, or any of these. Provider and the two models become
 * `model`.
 */
export type ConventionPart = {
  readonly [Key in keyof Omit<GenSpan, 'conventions' | 'model' | 'assay'>]?: GenSpan[Key] | null;
} & {
  readonly provider?: string | null;
  readonly requestModel?: string | null;
  readonly responseModel?: string | null;
};

export const noMetadata: ReadonlyMap<string, AttributeValue> = new Map();
