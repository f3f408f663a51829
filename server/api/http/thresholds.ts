import { z } from '@hono/zod-openapi';
import { listThresholds, putThreshold, type ThresholdState } from '../../thresholds';
import { ThresholdBody } from '../../thresholds/input';
import { notFound } from '../../platform';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { simulateRoutes } from './simulate';
import { webIncoming } from './web-incoming';

const Scope = z.object({ mission_id: z.string().nullable(), task_id: z.string().nullable() });

const Threshold = z
  .object({
    verifier: z.string(),
    key: z.string(),
    value: z.number(),
    source: z.enum(['default', 'project']),
    version: z.number().int(),
    default: z.number(),
    min: z.number(),
    max: z.number(),
    meaning: z.string(),
    /** The project's own value and those of missions and tasks, latest first. */
    set: z.array(
      z.object({
        value: z.number(),
        scope: Scope,
        version: z.number().int(),
        reason: z.string().nullable(),
        by: z.string(),
        at: z.string(),
      }),
    ),
  })
  .openapi('Threshold');

const ThresholdsQuery = z.strictObject({ verifier: z.string().max(100).optional() });

export const thresholdRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/thresholds',
    scope: 'read',
    summary: 'List thresholds and the source of each value',
    query: ThresholdsQuery,
    answers: {
      200: z.object({ data: z.array(Threshold), next_cursor: z.null() }).openapi('Thresholds'),
    },
    handle: async (c, project) => {
      const { verifier } = parse(ThresholdsQuery, c.req.query(), 'query');
      return c.json({
        data: (await listThresholds(project, verifier)).map(thresholdReply),
        next_cursor: null,
      });
    },
  },
  {
    method: 'put',
    path: '/v1/thresholds/{verifier}/{key}',
    scope: 'write',
    summary: 'Set a threshold for the project, a mission or a task; null removes it',
    params: z.object({ verifier: z.string(), key: z.string() }),
    body: ThresholdBody,
    answers: { 200: Threshold },
    handle: async (c, project) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const body = parse(ThresholdBody, readJsonBody(bytes), 'body');
      const [verifier, key] = [c.req.param('verifier') ?? '', c.req.param('key') ?? ''];
      await putThreshold(project, { verifier, key, body });
      const state = (await listThresholds(project, verifier)).find((each) => each.key === key);
      if (state === undefined) throw notFound('threshold');
      return c.json(thresholdReply(state));
    },
  },
  ...simulateRoutes,
];

function thresholdReply(state: ThresholdState): z.infer<typeof Threshold> {
  return {
    verifier: state.verifier,
    key: state.key,
    value: state.value,
    source: state.source,
    version: state.version,
    default: state.standard,
    min: state.min,
    max: state.max,
    meaning: state.meaning,
    set: state.set.map(({ value, missionId, taskId, version, reason, by, at }) => ({
      value,
      scope: { mission_id: missionId, task_id: taskId },
      version,
      reason,
      by,
      at: at.toISOString(),
    })),
  };
}
