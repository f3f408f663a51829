import { z } from '@hono/zod-openapi';
import { acknowledgeFinding, type Finding, listFindings } from '../../alerts';
import { AcknowledgeReason, AlertKindIn, alertFacts } from '../../alerts/input';
import { readBody } from './body';
import { parse, readJsonBody } from './request-input';
import type { Route } from './route';
import { listOf, Paging, Time } from './trace-shapes';
import { webIncoming } from './web-incoming';

const FindingsQuery = z.object({
  state: z.enum(['open', 'ended']).optional(),
  kind: AlertKindIn.optional(),
  series: z.string().min(1).max(500).optional(),
  acknowledged: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  from: Time.optional(),
  to: Time.optional(),
  ...Paging,
});

const AcknowledgeBody = z.object({
  /** Why nothing more has to be done, or who does it. */
  reason: AcknowledgeReason.nullish(),
});

const FindingReply = z
  .object({
    id: z.string(),
    state: z.enum(['open', 'ended']),
    kind: AlertKindIn,
    title: z.string(),
    /** The object: a verifier, a provider, a route's model. */
    series: z.string(),
    name: z.string(),
    severity: z.enum(['high', 'medium', 'low']),
    /** On the scale of the kind: a share from 0 to 1, seconds, US dollars or a count. */
    value: z.number().nullable(),
    limit: z.number().nullable(),
    message: z.string(),
    /** The advice; null if it has ended. */
    advice: z.string().nullable(),
    began_at: z.string(),
    ended_at: z.string().nullable(),
    acknowledged: z
      .object({ by: z.string(), at: z.string(), reason: z.string().nullable() })
      .nullable(),
  })
  .openapi('Finding');

export const findingRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/findings',
    scope: 'read',
    summary: 'List what the checks of alerts found, newest first',
    query: FindingsQuery,
    answers: { 200: listOf(FindingReply, 'Findings') },
    handle: async (c, project) => {
      const page = await listFindings(project, parse(FindingsQuery, c.req.query(), 'query'));
      return c.json({ data: page.items.map(findingReply), next_cursor: page.nextCursor });
    },
  },
  {
    method: 'post',
    path: '/v1/findings/{id}/acknowledge',
    scope: 'write',
    masking: 'body',
    summary: 'Acknowledge a finding: notifications are not repeated while it lasts',
    params: z.object({ id: z.string() }),
    body: AcknowledgeBody,
    answers: { 200: FindingReply },
    handle: async (c, project) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const { reason } = parse(
        AcknowledgeBody,
        bytes.length === 0 ? {} : readJsonBody(bytes),
        'body',
      );
      const id = c.req.param('id') ?? '';
      return c.json(findingReply(await acknowledgeFinding(project, id, reason ?? null)));
    },
  },
];

function findingReply(finding: Finding): z.infer<typeof FindingReply> {
  const { acknowledged } = finding;
  return {
    id: finding.id,
    state: finding.endedAt === null ? 'open' : 'ended',
    kind: finding.kind,
    title: alertFacts[finding.kind].title,
    series: finding.series,
    name: finding.name,
    severity: finding.severity,
    value: finding.value,
    limit: finding.limit,
    message: finding.message,
    advice: finding.advice,
    began_at: finding.beganAt.toISOString(),
    ended_at: finding.endedAt?.toISOString() ?? null,
    acknowledged: acknowledged && { ...acknowledged, at: acknowledged.at.toISOString() },
  };
}
