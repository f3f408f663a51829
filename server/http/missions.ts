import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { getMission, listVerdicts, loadVerdicts, verificationReply } from '../verdicts';
import type { RouteText } from './description';
import { type Door, parse } from './door';
import { Verification } from './schemas';

const MissionQuery = z.strictObject({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const MissionReply = z
  .object({
    id: z.string(),
    tasks: z.number().int(),
    counts: z.object({
      passed: z.number().int(),
      failed: z.number().int(),
      needs_review: z.number().int(),
      inconclusive: z.number().int(),
      skipped: z.number().int(),
      pending: z.number().int(),
    }),
    /** Verdicts that await a person. */
    awaiting_review: z.number().int(),
    cost: z.object({
      /** Of the work, retries included; null where no call stated `cost_usd`. */
      work_usd: z.number().nullable(),
      /** Of judging it. */
      judging_usd: z.number(),
      /** The price of some judge call is not known: judging cost at least `judging_usd`. */
      usd_at_least: z.boolean(),
      /** Judging, as a share of the work. */
      share: z.number().nullable(),
    }),
    started_at: z.string(),
    /** Newest first. */
    verdicts: z.array(Verification),
    next_cursor: z.string().nullable(),
  })
  .openapi('Mission');

export const missionRoutes: readonly RouteText[] = [
  {
    method: 'get',
    path: '/v1/missions/{id}',
    scope: 'read',
    summary: 'What was verified under one mission_id: its verdicts, and what the work and its judging cost',
    params: z.object({ id: z.string() }),
    query: MissionQuery,
    answers: { 200: MissionReply },
  },
];

export function addMissionRoutes(app: OpenAPIHono, door: Door): void {
  app.get(
    '/v1/missions/:id',
    door('read', async (c, project) => {
      const { cursor, limit } = parse(MissionQuery, c.req.query(), 'query');
      const mission = await getMission(project, c.req.param('id') ?? '');
      const page = await listVerdicts(project, { mission: mission.id, cursor, limit });
      const verdicts = await loadVerdicts(
        project,
        page.items.map(({ id }) => id),
      );
      const { needsReview, awaitingReview, ...counts } = mission.counts;
      return c.json({
        id: mission.id,
        tasks: mission.tasks,
        counts: { ...counts, needs_review: needsReview },
        awaiting_review: awaitingReview,
        cost: {
          work_usd: mission.workUsd,
          judging_usd: mission.judgingUsd,
          usd_at_least: mission.priceUnknown,
          share: mission.share,
        },
        started_at: mission.startedAt.toISOString(),
        verdicts: verdicts.map((verdict) => verificationReply(project, verdict)),
        next_cursor: page.nextCursor,
      });
    }),
  );
}
