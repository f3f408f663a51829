import type { GatewayDialect } from '../../domain';
import type { BufferedAnswer, ReadAnswer } from '../exchange';
import type { Asks } from './asks';

/** What is found in a request's bytes without parsing it (performance.md 5, item 3). */
export interface RequestHints {
  readonly model: string | null;
  readonly stream: boolean;
  /** `user` or `metadata.session_id` of OpenAI's, `metadata.user_id` of Anthropic's. */
  readonly session: string | null;
  /** A tool result is after the last message of the user (QV-5). */
  readonly toolFollowup: boolean;
}

/** A message as the verifier is shown it: tool calls and results are text (QV-22). */
export interface SpokenMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
}

/**
 * A tool of this turn: called after the last message of the user, or answered there. JSON text
 * stays as it was sent.
 */
export interface SpokenTool {
  readonly id: string;
  readonly name: string;
  /** JSON text; null: not there. */
  readonly arguments: string | null;
  readonly result: string | null;
}

/** A document in a message, and whether it came with an earlier turn. */
export interface SpokenDocument {
  readonly id: string;
  readonly text: string;
  readonly earlier: boolean;
}

/** A request as it reads. */
export interface ReadRequest extends Asks {
  readonly model: string | null;
  readonly stream: boolean;
  readonly messages: readonly SpokenMessage[];
  /** Tool calls and results since the user last spoke: the sources of this turn (INT-2). */
  readonly tools: readonly SpokenTool[];
  readonly documents: readonly SpokenDocument[];
  /** Parts of messages that the route names as sources; left out where none were asked for. */
  readonly context?: readonly { readonly id: string; readonly text: string }[];
}

/** Reads a stream as it comes, frame by frame, whatever the chunks it is cut into. */
export interface StreamReader {
  push(chunk: Buffer): void;
  /** Bytes of UTF-8 of the text so far (QV-17). */
  readonly textBytes: number;
  /** Bytes of the event that is coming. */
  readonly openBytes: number;
  /** A tool call has begun. */
  readonly callsTool: boolean;
  /**
   * The model has produced something: text, reasoning or a tool call. A comment, a ping or a role
   * is not that.
   */
  readonly begun: boolean;
  /** An event of the stream says that the upstream failed (QV-36). */
  readonly failed: boolean;
  /** As far as the stream has come; `complete` once its last event was seen. */
  read(): ReadAnswer;
  /**
   * Bytes of all pushed so far that precede the stream's last event (`[DONE]`, `message_stop`,
   * `response.completed`): what is told at the end goes there. Null: not seen.
   */
  readonly lastEventAt: number | null;
}

/**
 * One API of a model: how its requests and answers read, and how others are made of them. All pure;
 * nothing throws on odd input.
 */
export interface Dialect {
  readonly name: GatewayDialect;
  hintsOf(body: Buffer): RequestHints;
  /** Null: not a request of this API. `earlier`: tools of earlier turns as well. */
  readRequest(body: Buffer, earlier?: boolean): ReadRequest | null;
  /** A whole body that is no stream. Null: not an answer of this API. */
  readAnswer(body: Buffer): ReadAnswer | null;
  createReader(): StreamReader;
  /**
   * The same request with the steering message last: private, of the system (QV-26, QV-27). Number
   * digits and key order survive. Null, as of the next two: it is none, or has more than 100,000
   * parts.
   */
  withSteering(body: Buffer, message: string): Buffer | null;
  /**
   * The same request with a rule for the model in its system prompt, and where `schema` is given
   * with the reply's shape (INT-17). Null: it offers tools, asks for a shape or for several
   * choices, or has more than 5,000 messages.
   */
  withRule(body: Buffer, rule: string, schema: object | null, shape: EnvelopeShape): Buffer | null;
  /**
   * The same request followed by the answer it had and a corrective message of the user (INT-7).
   */
  withCorrection(body: Buffer, answer: string, correction: string): Buffer | null;
  /**
   * The same answer with another text, in the same form: ids, model, usage and finish stay; a
   * stream has it in few frames. Null: it cannot be rewritten.
   */
  withText(answer: BufferedAnswer, text: string): BufferedAnswer | null;
  /** What a client of this API is sent as an error; the message names field and limit. */
  errorBody(status: number, code: string, message: string): Buffer;
  /** The same as an event of a stream that has already begun. */
  errorEvent(status: number, code: string, message: string): Buffer;
}

/** How a provider takes the shape of an answer (INT-17). */
export type EnvelopeShape = 'json_schema' | 'forced_tool' | 'json_best_effort' | 'none';
