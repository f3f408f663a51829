import { z } from 'zod';
import { intakeLimits } from '../domain';

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
export { ImportMapping, withFormat } from './import/mapping';
