import { z } from '@hono/zod-openapi';
import { overrideVerdict, undoLabel, type VerdictLabel } from '../../labels';
import { WireOverride } from '../../labels/input';
import { derivedId } from '../../platform';
import { answerRequestOnce } from '../../ingest';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { readIdempotencyKey } from './idempotency';
import { webIncoming } from './web-incoming';

const OverrideReply = z
  .object({
    id: z.string(),
    verification_id: z.string(),
    verdict: z.string().nullable(),
    machine_verdict: z.string().nullable(),
    reason: z.string().nullable(),
    grade: z.number().int().nullable(),
    action: z.string().nullable(),
    rater: z.string(),
    selection: z.string().nullable(),
    probability: z.number().nullable(),
    policy_version: z.string().nullable(),
    policy: z.number().int().nullable(),
    blind: z.boolean(),
    created_at: z.string(),
  })
  .openapi('Override');

const UndoneReply = z
  .object({
    id: z.string(),
    verification_id: z.string(),
    /** The id of the label that undoes it. */
    undone_by: z.string(),
  })
  .openapi('OverrideUndone');

export const overrideRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/verifications/{id}/overrides',
    scope: 'write',
    masking: 'body',
    summary:
      "Rule on a verdict, grade it or set its resolution; the verifier's own verdict is kept",
    params: z.object({ id: z.string() }),
    body: WireOverride,
    answers: { 201: OverrideReply },
    handle: async (c, project) => {
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const input = parse(WireOverride, readJsonBody(bytes), 'body');
      const verdictId = c.req.param('id') ?? '';
      const derivedLabelId =
        key === null ? undefined : derivedId('lbl', project.projectId, 'override', verdictId, key);
      const answer = await answerRequestOnce(
        project,
        key,
        `/v1/verifications/${verdictId}/overrides`,
        bytes,
        async () => ({
          status: 201,
          body: overrideReply(
            await overrideVerdict(project, { ...input, verdictId, id: input.id ?? derivedLabelId }),
          ),
        }),
      );
      return c.json(answer.body as object, 201);
    },
  },
  {
    method: 'delete',
    path: '/v1/verifications/{id}/overrides/{override}',
    scope: 'write',
    summary: 'Undo an override: it stays stored, and the earlier ruling counts again',
    params: z.object({ id: z.string(), override: z.string() }),
    answers: { 200: UndoneReply },
    handle: async (c, project) => {
      const { id: verdictId, override } = c.req.param();
      const undone = await undoLabel(project, override ?? '', verdictId);
      return c.json({ id: override ?? '', verification_id: verdictId ?? '', undone_by: undone.id });
    },
  },
];

function overrideReply(label: VerdictLabel): z.infer<typeof OverrideReply> {
  return {
    id: label.id,
    verification_id: label.verdictId,
    verdict: label.verdict,
    machine_verdict: label.machineVerdict,
    reason: label.reason,
    grade: label.grade,
    action: label.action,
    rater: label.rater,
    selection: label.selection,
    probability: label.probability,
    policy_version: label.policyVersion,
    policy: label.policy,
    blind: label.blind,
    created_at: label.createdAt.toISOString(),
  };
}
