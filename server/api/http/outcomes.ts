import { z } from '@hono/zod-openapi';
import { takeOutcomes } from '../../labels';
import { WireOutcome } from '../../labels/input';
import { answerRequestOnce } from '../../ingest';
import { readBody } from './body';
import type { Route } from './route';
import { readIdempotencyKey } from './idempotency';
import { webIncoming } from './web-incoming';

const OutcomesReply = z
  .object({
    accepted: z.number().int(),
    duplicates: z.number().int(),
    rejected: z.array(z.object({ index: z.number().int(), code: z.string(), message: z.string() })),
  })
  .openapi('OutcomesTaken');

export const outcomeRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/outcomes',
    scope: 'ingest',
    summary: 'Report outcomes as ground truth',
    body: z.object({ outcomes: z.array(WireOutcome) }).openapi('Outcomes'),
    answers: { 202: OutcomesReply },
    handle: async (c, project) => {
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const answer = await answerRequestOnce(project, key, '/v1/outcomes', bytes, async () => ({
        status: 202,
        body: await takeOutcomes(project, { body: bytes, idempotencyKey: key }),
      }));
      return c.json(answer.body as object, 202);
    },
  },
];
