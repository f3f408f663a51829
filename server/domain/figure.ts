import { z } from 'zod';

/**
 * A source of one turn: a tool result or an injected context block.
 * `text` holds the source as it was sent, so that digits survive (a JSON result is JSON text, never
 * a parsed value).
 */
export const Source = z.object({
  id: z.string(),
  /** What a reader calls it: the tool's name, or `context`. */
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
 * Where a value is: source id, and the path inside it (`rows[0].disk_pct`; `text[12:18]` in
 * plain text, code points).
 */
export const SourcePlace = z.object({ id: z.string(), path: z.string() });
export type SourcePlace = z.infer<typeof SourcePlace>;

/** A place with what is there, as the source writes it. */
export const PlacedValue = SourcePlace.extend({ value: z.string() });
export type PlacedValue = z.infer<typeof PlacedValue>;

/**
 * How a figure fared. `misattributed`: its value is in the sources, but not where the sentence
 * points. `derived`: calculated from values of the sources.
 */
export const FigureStatus = z.enum(['sourced', 'misattributed', 'derived', 'unsourced']);
export type FigureStatus = z.infer<typeof FigureStatus>;

/**
 * One figure of an answer. `start` and `end` are code points of the answer, end exclusive. `value`
 * is canonical: a plain decimal string without separators or trailing zeros (percent keeps its
 * number: `91.4`), an ISO date, time or date-time, or the token itself for versions and addresses.
 * `citation_ok` is null where no fact of an envelope covers the figure.
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
  /** What the source shows at the place, as written there. */
  source_text: z.string().nullable(),
  /** Where the envelope's fact pointed, when it pointed elsewhere. */
  cited: SourcePlace.nullable(),
  /** Why it was not accepted, or null. */
  reason: z
    .enum(['not_in_sources', 'wrong_path', 'unknown_source', 'misattributed', 'derived'])
    .nullable(),
  // Verdicts of before these members were lack them.
  status: FigureStatus.optional(),
  /** The place that the sentence points at, where that is not the place the value was found at. */
  expected: PlacedValue.nullable().optional(),
  /** How it was calculated, such as `sum(rows[*].free_gb) = 77`, and from what. */
  derived: z
    .object({ formula: z.string(), operands: z.array(PlacedValue) })
    .nullable()
    .optional(),
  /** `reason` as a sentence for people. */
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

/** The four log fields of every answer turn (INT-12, INT-13). */
const IntegrityFields = z.object({
  integrity_mode: z.enum(['envelope', 'fallback_scan']),
  integrity_unsourced: z.number().int().min(0),
  integrity_reprompt_used: z.boolean(),
  integrity_parse_ok: z.boolean(),
});
export type IntegrityFields = z.infer<typeof IntegrityFields>;

/** What is special to an integrity verdict (api.md, verify/integrity). */
/** What a judge said of statements that the figure check leaves undecided. */
export const SecondOpinion = z.object({
  /** Whether the verdict depends on it. */
  decides: z.boolean(),
  /**
   * `nothing_left`: figures decide every statement; `not_asked`: too many are left; `failed`: no
   * judge, or a broken one.
   */
  state: z.enum(['judged', 'nothing_left', 'not_asked', 'failed']),
  judge: z.string().nullable(),
  statements: z.array(
    z.object({
      text: z.string(),
      /** Code points of the answer, end exclusive. */
      start: z.number().int().min(0),
      end: z.number().int().min(0),
      supported: z.boolean(),
      /** Ids of the sources that hold it. */
      sources: z.array(z.string()),
      reasoning: z.string(),
    }),
  ),
});
export type SecondOpinion = z.infer<typeof SecondOpinion>;

export const IntegrityDetail = z.object({
  mode: z.enum(['envelope', 'fallback_scan']).nullable(),
  unsourced: z.number().int().min(0),
  parse_ok: z.boolean().nullable(),
  reprompt_used: z.boolean(),
  figures: z.array(Figure),
  /** The text to deliver, ⚠️ where unsourced. */
  answer: z.string(),
  sources_footer: z.string(),
  /** The corrective message to send, or null (INT-7). */
  reprompt: z.string().nullable(),
  fields: IntegrityFields.nullable(),
  /** Left out where the setting is off. */
  second_opinion: SecondOpinion.optional(),
});
export type IntegrityDetail = z.infer<typeof IntegrityDetail>;
