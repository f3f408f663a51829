import { z } from '@hono/zod-openapi';
import { Outcome } from '../../domain';
import type { SentScore, TurnMark } from '../../ingest';

/** Shapes that the routes of traces, sessions and turns share. */

export const Time = z.iso.datetime({ offset: true }).transform((time) => new Date(time));
export const Paging = {
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};

export const State = z.enum([...Outcome.options, 'pending', 'quarantined']);

export const MarkReply = z.object({
  id: z.string(),
  verifier: z.string(),
  state: State,
  verdict: z.string().nullable(),
  revision: z.number().int(),
});

export const ScoreReply = z
  .object({
    span_id: z.string().nullable(),
    turn_id: z.string().nullable(),
    name: z.string(),
    value: z.number().nullable(),
    label: z.string().nullable(),
    explanation: z.string().nullable(),
    measured_at: z.string().nullable(),
  })
  .openapi('ScoreOfOthers');

export const listOf = (item: z.ZodType, name: string) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() }).openapi(name);

export const markReply = ({
  verdictId: id,
  verifier,
  state,
  verdict,
  revision,
}: TurnMark): z.infer<typeof MarkReply> => ({ id, verifier, state, verdict, revision });

export function scoreReply(score: SentScore): z.infer<typeof ScoreReply> {
  return {
    span_id: score.spanId,
    turn_id: score.turnId,
    name: score.name,
    value: score.value,
    label: score.label,
    explanation: score.explanation,
    measured_at: score.measuredAt?.toISOString() ?? null,
  };
}
