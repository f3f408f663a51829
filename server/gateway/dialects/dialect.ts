import type { GatewayDialect } from '../../domain';
import type { BufferedAnswer, ParsedAnswer } from '../exchange';
import type { Asks } from './asks';

/** Facts found in a request without parsing it (performance.md 5, item 3). */
export interface RequestHints {
  readonly model: string | null;
  readonly stream: boolean;
  /**
   * `user` or `metadata.session_id` in OpenAI's APIs, `metadata.user_id` in Anthropic's,
   * `litellm_session_id` of LiteLLM's clients.
   */
  readonly session: string | null;
  /** A tool result follows the last user message (QV-5). */
  readonly toolFollowup: boolean;
}

/** A message as the verifier sees it: tool calls and results are text (QV-22). */
export interface SpokenMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
}

/**
 * A tool call of this turn, made or answered after the last user message. JSON text is unchanged.
 */
export interface SpokenTool {
  readonly id: string;
  readonly name: string;
  /** JSON text; null if missing. */
  readonly arguments: string | null;
  readonly result: string | null;
}

/** A document in a message; `earlier`: of an earlier turn. */
export interface SpokenDocument {
  readonly id: string;
  readonly text: string;
  readonly earlier: boolean;
}

export interface ReadRequest extends Asks {
  readonly model: string | null;
  readonly stream: boolean;
  readonly messages: readonly SpokenMessage[];
  /** Tool calls and results since the last user message: the sources of this turn (INT-2). */
  readonly tools: readonly SpokenTool[];
  readonly documents: readonly SpokenDocument[];
  /** Parts of messages that the route declares as sources; undefined if it declares none. */
  readonly context?: readonly { readonly id: string; readonly text: string }[];
}

/** Parses a stream incrementally, independently of chunk boundaries. */
export interface StreamReader {
  push(chunk: Buffer): void;
  /** Bytes of UTF-8 of the text so far (QV-17). */
  readonly textBytes: number;
  /** Bytes of the incomplete event. */
  readonly openBytes: number;
  /** A tool call has started. */
  readonly callsTool: boolean;
  /**
   * The model has produced text, reasoning or a tool call; a comment, ping or role does not count.
   */
  readonly begun: boolean;
  /** The stream reported an upstream failure (QV-36). */
  readonly failed: boolean;
  /** The answer so far; `complete` once its last event was seen. */
  read(): ParsedAnswer;
  /**
   * Offset of the stream's last event (`[DONE]`, `message_stop`, `response.completed`, a finish
   * reason), before which the verification comment goes. Null if not seen.
   */
  readonly lastEventAt: number | null;
}

/**
 * A model API: parses and rewrites its requests and answers. Pure; never throws on invalid input.
 */
export interface Dialect {
  readonly name: GatewayDialect;
  /** The form of its streams. */
  readonly streamForm: 'sse' | 'ndjson';
  /** The member of an answer, or of the first event of a stream, that names the model. */
  readonly modelMember: 'model' | 'modelVersion';
  hintsOf(body: Buffer): RequestHints;
  /** Null if it is not a request of this API. `earlier`: include tools of earlier turns. */
  readRequest(body: Buffer, earlier?: boolean): ReadRequest | null;
  /** Parses a JSON body. Null if it is not an answer of this API. */
  readAnswer(body: Buffer): ParsedAnswer | null;
  createReader(): StreamReader;
  /**
   * Appends the steering message as a private system message (QV-26, QV-27). Digits and key order
   * are preserved. This and the next two return null for requests of another API or with more than
   * 100,000 objects.
   */
  withSteering(body: Buffer, message: string): Buffer | null;
  /**
   * Adds a rule to the system prompt and, with `schema`, a response schema (INT-17). Null if tools
   * are offered, a format or several choices are requested, or there are more than 5,000 messages.
   */
  withRule(body: Buffer, rule: string, schema: object | null, shape: EnvelopeShape): Buffer | null;
  /** Appends the answer and a corrective user message (INT-7). */
  withCorrection(body: Buffer, answer: string, correction: string): Buffer | null;
  /**
   * Replaces the text of an answer. Ids, model, usage and finish reason stay; a rewritten stream
   * has the text in few frames. Null if it cannot be rewritten.
   */
  withText(answer: BufferedAnswer, text: string): BufferedAnswer | null;
  /** An error in the format of this API; the message names field and limit. */
  errorBody(status: number, code: string, message: string): Buffer;
  /** The same error as an event, for a stream that has started. */
  errorEvent(status: number, code: string, message: string): Buffer;
}

/** How a provider accepts a response schema (INT-17). */
export type EnvelopeShape = 'json_schema' | 'forced_tool' | 'json_best_effort' | 'none';
