import { z } from 'zod';

/**
 * A source of one turn: a tool result or an injected context block. `text` is the source as sent,
 * so that digits survive: a JSON result is JSON text, never a parsed value.
 */
export const Source = z.object({
  id: z.string(),
  /** The display name: the tool's name, or `context`. */
  label: z.string(),
  format: z.enum(['json', 'text']),
  text: z.string(),
});
export type Source = z.infer<typeof Source>;

export const FigureKind = z.enum([
  'number',
  'percent',
  'currency',
  'date',
  'time',
  'datetime',
  'version',
  'address',
]);
export type FigureKind = z.infer<typeof FigureKind>;

/**
 * The position of a value: the source id, and the path inside the source (`rows[0].disk_pct`; in
 * plain text `text[12:18]`, in code points).
 */
export const SourcePlace = z.object({ id: z.string(), path: z.string() });
export type SourcePlace = z.infer<typeof SourcePlace>;

/** A position and its content, as written in the source. */
export const PlacedValue = SourcePlace.extend({ value: z.string() });
export type PlacedValue = z.infer<typeof PlacedValue>;

/**
 * The result of tracing a figure. `misattributed`: the value is in the sources, but not at the
 * position that the sentence refers to. `derived`: calculated from values in the sources.
 */
export const FigureStatus = z.enum(['sourced', 'misattributed', 'derived', 'unsourced']);
export type FigureStatus = z.infer<typeof FigureStatus>;

/**
 * One figure of an answer. `start` and `end` are code points of the answer, end exclusive. `value`
 * is canonical: a plain decimal string without separators or trailing zeros (percent keeps its
 * number: `91.4`), an ISO date, time or date-time, or the token itself for versions and addresses.
 * `citation_ok` is null if no fact of an envelope covers the figure.
 */
export const Figure = z.object({
  text: z.string(),
  start: z.number().int().min(0),
  end: z.number().int().min(0),
  kind: FigureKind,
  value: z.string(),
  unit: z.string().nullable(),
  sourced: z.boolean(),
  source: SourcePlace.nullable(),
  citation_ok: z.boolean().nullable(),
  /** The value in the source at that position, as written there. */
  source_text: z.string().nullable(),
  /** The position in the envelope's fact, if it differs. */
  cited: SourcePlace.nullable(),
  /** Why the figure was not accepted, or null. */
  reason: z
    .enum(['not_in_sources', 'wrong_path', 'unknown_source', 'misattributed', 'derived'])
    .nullable(),
  // Verdicts of earlier releases lack the following members.
  status: FigureStatus.optional(),
  /** The position that the sentence refers to, if the value was found at another one. */
  expected: PlacedValue.nullable().optional(),
  /** The calculation, such as `sum(rows[*].free_gb) = 77`, and its operands. */
  derived: z
    .object({ formula: z.string(), operands: z.array(PlacedValue) })
    .nullable()
    .optional(),
  /** `reason` as a sentence for display. */
  explanation: z.string().nullable().optional(),
});
export type Figure = z.infer<typeof Figure>;

const Fact = z.object({
  value: z.union([z.string(), z.number()]).transform(String),
  source_id: z.string(),
  path: z.string(),
});
/** The structured answer of a cooperating model (INT-3). */
export const Envelope = z.object({ answer: z.string(), facts: z.array(Fact) });
export type Envelope = z.infer<typeof Envelope>;

/** The four fields that are logged for every answer turn (INT-12, INT-13). */
const IntegrityFields = z.object({
  integrity_mode: z.enum(['envelope', 'fallback_scan']),
  integrity_unsourced: z.number().int().min(0),
  integrity_reprompt_used: z.boolean(),
  integrity_parse_ok: z.boolean(),
});
export type IntegrityFields = z.infer<typeof IntegrityFields>;

/** A judge's opinion on statements that the figure check leaves undecided. */
export const SecondOpinion = z.object({
  /** Whether the verdict depends on this opinion. */
  decides: z.boolean(),
  /**
   * `nothing_left`: the figure check decided every statement. `not_asked`: too many statements are
   * left. `failed`: there is no judge, or the judge failed.
   */
  state: z.enum(['judged', 'nothing_left', 'not_asked', 'failed']),
  judge: z.string().nullable(),
  statements: z.array(
    z.object({
      text: z.string(),
      /** The position in the answer in code points, end exclusive. */
      start: z.number().int().min(0),
      end: z.number().int().min(0),
      supported: z.boolean(),
      /** The ids of the sources that support the statement. */
      sources: z.array(z.string()),
      reasoning: z.string(),
    }),
  ),
});
export type SecondOpinion = z.infer<typeof SecondOpinion>;

/** The members that only an integrity verdict has (api.md, verify/integrity). */
export const IntegrityDetail = z.object({
  mode: z.enum(['envelope', 'fallback_scan']).nullable(),
  unsourced: z.number().int().min(0),
  parse_ok: z.boolean().nullable(),
  reprompt_used: z.boolean(),
  figures: z.array(Figure),
  /** The text to deliver, with ⚠️ after each unsourced figure. */
  answer: z.string(),
  sources_footer: z.string(),
  /** The corrective message to send, or null (INT-7). */
  reprompt: z.string().nullable(),
  fields: IntegrityFields.nullable(),
  /** Omitted if the setting is off. */
  second_opinion: SecondOpinion.optional(),
});
export type IntegrityDetail = z.infer<typeof IntegrityDetail>;
