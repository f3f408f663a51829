import { z } from '@hono/zod-openapi';
import {
  getMission,
  listVerdicts,
  loadMissionSettings,
  loadVerdicts,
  type MissionSettings,
  putMissionSettings,
  verificationReply,
} from '../../verdicts';
import { MissionId, MissionSettingsBody } from '../../verdicts/input';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { Verification } from './schemas';
import { webIncoming } from './web-incoming';

const MissionQuery = z.strictObject({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const MissionSettingsReply = z
  .object({
    /** Replaces the project's `default_judge`; null means the project's. */
    judge: z.string().nullable(),
    /**
     * `work_usd` plus `judging_usd` above which a person reviews every further verdict; null means
     * no limit.
     */
    review_above_usd: z.number().nullable(),
  })
  .openapi('MissionSettings');

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
    /** Verdicts that await human review. */
    awaiting_review: z.number().int(),
    cost: z.object({
      /** Cost of the work, retries included; null when no call stated `cost_usd`. */
      work_usd: z.number().nullable(),
      /** Cost of judging it. */
      judging_usd: z.number(),
      /** The price of some judge call is unknown: judging cost at least `judging_usd`. */
      usd_at_least: z.boolean(),
      /** Judging, as a share of the work. */
      share: z.number().nullable(),
    }),
    settings: MissionSettingsReply,
    started_at: z.string(),
    /** Newest first. */
    verdicts: z.array(Verification),
    next_cursor: z.string().nullable(),
  })
  .openapi('Mission');

export const missionRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/missions/{id}',
    scope: 'read',
    summary: 'One mission: its verdicts, and the cost of its work and its judging',
    params: z.object({ id: z.string() }),
    query: MissionQuery,
    answers: { 200: MissionReply },
    handle: async (c, project) => {
      const { cursor, limit } = parse(MissionQuery, c.req.query(), 'query');
      const mission = await getMission(project, c.req.param('id') ?? '');
      const settings = await loadMissionSettings(project, project.projectId, mission.id);
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
        settings: settingsReply(settings),
        started_at: mission.startedAt.toISOString(),
        verdicts: verdicts.map((verdict) => verificationReply(project, verdict)),
        next_cursor: page.nextCursor,
      });
    },
  },
  {
    method: 'get',
    path: '/v1/missions/{id}/settings',
    scope: 'read',
    summary: 'The judge of a mission, and the cost above which a person reviews its verdicts',
    params: z.object({ id: z.string() }),
    answers: { 200: MissionSettingsReply },
    handle: async (c, project) => {
      const id = parse(MissionId, c.req.param('id'), 'mission id');
      return c.json(settingsReply(await loadMissionSettings(project, project.projectId, id)));
    },
  },
  {
    method: 'put',
    path: '/v1/missions/{id}/settings',
    scope: 'write',
    summary: 'Set the judge and the review limit of a mission; null removes one',
    params: z.object({ id: z.string() }),
    body: MissionSettingsBody,
    answers: { 200: MissionSettingsReply },
    handle: async (c, project) => {
      const id = parse(MissionId, c.req.param('id'), 'mission id');
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const body = parse(MissionSettingsBody, readJsonBody(bytes), 'body');
      return c.json(settingsReply(await putMissionSettings(project, id, body)));
    },
  },
];

const settingsReply = ({
  judge,
  reviewAboveUsd,
}: MissionSettings): z.infer<typeof MissionSettingsReply> => ({
  judge,
  review_above_usd: reviewAboveUsd,
});
