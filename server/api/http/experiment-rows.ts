import { z } from '@hono/zod-openapi';
import { Outcome } from '../../domain';
import { type ExperimentRowResult, listExperimentRows } from '../../experiments';
import { ExperimentRowFilters, rowStates } from '../../experiments/input';
import { parse } from './request-input';
import type { Route } from './route';
import { listOf } from './trace-shapes';

const ResultRow = z
  .object({
    item_id: z.string(),
    repetition: z.number().int(),
    state: z.enum(rowStates),
    /** The turn with the output; null without one. */
    turn_id: z.string().nullable(),
    /** Why the row has no output. */
    error: z.string().nullable(),
    cost_usd: z.number().nullable(),
    latency_ms: z.number().nullable(),
    /** The newest verdict of each verifier. */
    verdicts: z.array(
      z.object({
        verifier: z.string(),
        outcome: Outcome,
        score: z.number().nullable(),
        verification_id: z.string(),
      }),
    ),
  })
  .openapi('ExperimentRow');

export const experimentRowRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/experiments/{id}/rows',
    scope: 'read',
    summary: 'The rows of an experiment: their outputs, verdicts, costs, and why rows failed',
    params: z.object({ id: z.string() }),
    query: z.object(ExperimentRowFilters.shape),
    answers: { 200: listOf(ResultRow, 'ExperimentRows') },
    handle: async (c, project) => {
      const filters = parse(ExperimentRowFilters, c.req.query(), 'query');
      const { items, nextCursor } = await listExperimentRows(
        project,
        c.req.param('id') ?? '',
        filters,
      );
      return c.json({ data: items.map(rowReply), next_cursor: nextCursor });
    },
  },
];

const rowReply = (row: ExperimentRowResult): z.infer<typeof ResultRow> => ({
  item_id: row.itemId,
  repetition: row.repetition,
  state: row.state,
  turn_id: row.turnId,
  error: row.error,
  cost_usd: row.costUsd,
  latency_ms: row.latencyMs,
  verdicts: row.verdicts.map(({ verificationId, ...verdict }) => ({
    ...verdict,
    verification_id: verificationId,
  })),
});
