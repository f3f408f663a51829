import { z } from 'zod';
import type { GatewayRecord } from './gateway';

/** Limits of api.md (Conventions) and reliability.md section 6. */
export const intakeLimits = {
  bodyBytes: 20 * 1024 * 1024,
  depth: 64,
  idChars: 200,
  turnsPerRequest: 10_000,
  spansPerRequest: 50_000,
  attributesPerSpan: 1000,
  eventsPerSpan: 1000,
  linksPerSpan: 1000,
  keyBytes: 256,
  /**
   * The limit of repeated data: splitting a request by trace id repeats the data that its spans
   * share (resource, scope) in every part.
   */
  repeatedBytes: 64 * 1024 * 1024,
} as const;

const Id = z.string().min(1).max(intakeLimits.idChars);
const Time = z.iso
  .datetime({ offset: true })
  .refine(
    (time) => Math.abs(Date.parse(time)) < 8.64e14,
    'is out of range: use a year from 1 to 9999',
  );

const Count = z.number().int().min(0);

const Message = z.object({ role: z.string().max(100), content: z.unknown().optional() });
const Tool = z.object({
  id: Id.nullish(),
  name: z.string().max(500).nullish(),
  arguments: z.unknown().optional(),
  result: z.unknown().optional(),
});
const ContextBlock = z.object({ id: Id.nullish(), content: z.unknown().optional() });
const File = z.object({ path: z.string().min(1).max(1000), content: z.string() });

/**
 * One answer of a model to its caller, with the sources of the same turn, as received over the wire
 * (api.md, Intake). Only `output` or `envelope` is required: a turn without either cannot be
 * verified and is refused. Unknown members are kept in the stored payload, not in the parsed value.
 */
export const WireTurn = z
  .object({
    id: Id.nullish(),
    session_id: Id.nullish(),
    trace_id: Id.nullish(),
    source: z.string().max(200).nullish(),
    model: z.string().max(300).nullish(),
    /** The name that verify calls use for `model`. */
    executor_model: z.string().max(300).nullish(),
    started_at: Time.nullish(),
    ended_at: Time.nullish(),
    input: z.union([z.string(), z.array(Message)]).nullish(),
    tools: z.array(Tool).nullish(),
    context: z.array(ContextBlock).nullish(),
    output: z.string().nullish(),
    envelope: z.unknown().optional(),
    relayed_from: z.unknown().optional(),
    files: z.array(File).nullish(),
    /** The expected answer, as any JSON, for verifiers that compare with one. */
    reference: z.unknown().optional(),
    cost_usd: z.number().min(0).nullish(),
    /** The parts are included in `input` and `output`. */
    tokens: z
      .object({
        input: Count.nullish(),
        output: Count.nullish(),
        cache_read: Count.nullish(),
        cache_write: Count.nullish(),
        reasoning: Count.nullish(),
      })
      .nullish(),
    tags: z.array(z.string().max(200)).max(100).nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    reprompt_used: z.boolean().nullish(),
  })
  .refine(
    (turn) =>
      typeof turn.output === 'string' || (turn.envelope !== undefined && turn.envelope !== null),
    {
      path: ['output'],
      message: 'is required unless `envelope` is set',
    },
  );
export type WireTurn = z.infer<typeof WireTurn>;

/** A tool call of a turn; JSON values are JSON text as sent. */
export interface TurnTool {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
  readonly format: 'json' | 'text';
}

/**
 * A stored turn for verifiers and pages: strings are cleaned, and JSON parts keep their digits as
 * sent.
 */
export interface TurnContent {
  /** The client's id, or null. */
  readonly clientId: string | null;
  /** `format` is `json` if the content was not a string; `content` is then its JSON text. */
  readonly input: readonly {
    readonly role: string;
    readonly content: string;
    readonly format?: 'json';
  }[];
  readonly tools: readonly TurnTool[];
  readonly context: readonly {
    readonly id: string;
    readonly content: string;
    readonly format: 'json' | 'text';
  }[];
  readonly output: string;
  /**
   * The text that a caller delivers unchanged: the output, otherwise the envelope's answer,
   * otherwise the envelope's text as sent.
   */
  readonly answer: string;
  readonly envelope: unknown;
  readonly relayedFrom: unknown;
  readonly repromptUsed: boolean;
  readonly tags: readonly string[];
  /** JSON text. */
  readonly metadata: string;
  /**
   * The gateway's record of the call of this turn; null for turns with another origin, regardless
   * of their text.
   */
  readonly gateway: GatewayRecord | null;
}
