import { z } from 'zod';
import { intakeLimits, plainName } from '../domain';

const Project = z.object({ project: z.string().min(2).max(40) });
const Id = z.string().min(1).max(intakeLimits.idChars);
const Text = z.string().max(300);
const Paging = {
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
};

/**
 * Filters of the trace list; the same in the console's URL and over HTTP. `from` and `to` are the
 * times at which spans were first received.
 */
export const TraceFilters = z.strictObject({
  session: Text.optional(),
  model: Text.optional(),
  service: Text.optional(),
  /** A part of the trace's name, in any case. */
  name: Text.optional(),
  /** A part of the trace's name, or of the excerpt of an input, in any case. */
  text: Text.optional(),
  /** Only traces with at least one span in error. */
  errors: z.boolean().optional(),
  /** Only traces with a turn whose verdict is `failed`. */
  failed: z.boolean().optional(),
  from: z.date().optional(),
  to: z.date().optional(),
  ...Paging,
});
export type TraceFilters = z.infer<typeof TraceFilters>;
export const ListTracesIn = TraceFilters.extend(Project.shape);

export const SessionFilters = z.strictObject({
  /** A part of the session's id, or of the excerpt of an input, in any case. */
  text: Text.optional(),
  from: z.date().optional(),
  to: z.date().optional(),
  ...Paging,
});
export type SessionFilters = z.infer<typeof SessionFilters>;
export const ListSessionsIn = SessionFilters.extend(Project.shape);

/** Received input: stored turns, or rejected input. */
export const ReceivedFilters = z.strictObject({
  what: z.enum(['turns', 'refused']).default('turns'),
  from: z.date().optional(),
  to: z.date().optional(),
  ...Paging,
});
export type ReceivedFilters = z.infer<typeof ReceivedFilters>;
export const ListReceivedIn = ReceivedFilters.extend(Project.shape);

export const TraceIn = z.strictObject({ ...Project.shape, id: Id });
export const SpanIn = TraceIn.extend({
  span: z.string().regex(/^[0-9a-f]{16}$/, 'must have 16 lower-case hexadecimal digits'),
});
export const SessionIn = z.strictObject({ ...Project.shape, id: Id });

/** Turns of a project, newest first. */
export const TurnFilters = z.strictObject({
  session: Id.optional(),
  trace: Id.optional(),
  model: z.string().max(300).optional(),
  source: z.string().max(200).optional(),
  from: z.date().optional(),
  to: z.date().optional(),
  ...Paging,
});
export type TurnFilters = z.infer<typeof TurnFilters>;

/** Turns of one session, in the order of the conversation. */
export const TurnsOf = z.strictObject({ session: Id, ...Paging });
export type TurnsOf = z.infer<typeof TurnsOf>;
export const TurnsOfIn = TurnsOf.extend(Project.shape);

/** The name of a model, as sent or as shown. */
const ModelText = plainName(300).refine((name) => name.trim() !== '', 'must not be empty');
/** The alias of a name to itself keeps it separate from all other names. */
export const PutAlias = z.strictObject({ alias: ModelText, model: ModelText });
export type PutAlias = z.infer<typeof PutAlias>;
export const PutAliasIn = PutAlias.extend(Project.shape);
export const AliasIn = z.strictObject({ ...Project.shape, alias: ModelText });

const Usd = z.number().min(0).max(100_000);
const OwnPriceKey = z.strictObject({
  model: ModelText,
  /** The first UTC day of the price. */
  valid_from: z.iso.date(),
});
export type OwnPriceKey = z.infer<typeof OwnPriceKey>;
/**
 * A project's own price, in US dollars per million tokens. Cached and reasoning tokens without a
 * price cost as the others.
 */
export const PutOwnPrice = OwnPriceKey.extend({
  usd_per_million: z.strictObject({
    input: Usd,
    output: Usd,
    cache_read: Usd.nullish(),
    cache_write: Usd.nullish(),
    reasoning: Usd.nullish(),
  }),
});
export type PutOwnPrice = z.infer<typeof PutOwnPrice>;
export const PutOwnPriceIn = PutOwnPrice.extend(Project.shape);
export const OwnPriceIn = OwnPriceKey.extend(Project.shape);

export { ImportMapping, withFormat } from './import/mapping';
