import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { takeOutcomes } from '../../labels';
import { WireOutcome } from '../../labels/input';
import { answerOnce } from '../../ingest';
import { readBody } from './body';
import type { RouteText } from './description';
import type { Door } from './door';
import { readIdempotencyKey } from './idempotency';
import { webIncoming } from './web-incoming';

const OutcomesReply = z
  .object({
    accepted: z.number().int(),
    duplicates: z.number().int(),
    rejected: z.array(z.object({ index: z.number().int(), code: z.string(), message: z.string() })),
  })
  .openapi('OutcomesTaken');

export const outcomeRoutes: readonly RouteText[] = [
  {
    method: 'post',
    path: '/v1/outcomes',
    scope: 'ingest',
    summary: 'Take ground truth: did it work in the end?',
    body: z.object({ outcomes: z.array(WireOutcome) }).openapi('Outcomes'),
    answers: { 202: OutcomesReply },
  },
];

export function addOutcomeRoutes(app: OpenAPIHono, door: Door): void {
  app.post(
    '/v1/outcomes',
    door('ingest', async (c, project) => {
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const answer = await answerOnce(project, key, '/v1/outcomes', bytes, async () => ({
        status: 202,
        body: await takeOutcomes(project, { body: bytes, idempotencyKey: key }),
      }));
      return c.json(answer.body as object, 202);
    }),
  );
}
