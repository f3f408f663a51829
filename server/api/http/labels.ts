import { z } from '@hono/zod-openapi';
import type { ProjectCtx } from '../../access';
import { answerRequestOnce } from '../../ingest';
import { labelSubject, listLabels, type StoredLabel, undoLabel } from '../../labels';
import { WireLabel } from '../../labels/input';
import { derivedId, notFound } from '../../platform';
import { readBody } from './body';
import { readIdempotencyKey } from './idempotency';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { listOf, Paging, Time } from './trace-shapes';
import { webIncoming } from './web-incoming';

const Kind = z.enum(['outcome', 'import', 'override', 'abstention', 'grade', 'action']);
const Text = z.string().min(1).max(300).optional();

const LabelsQuery = z.object({
  subject_id: Text,
  verification_id: Text,
  verifier: Text,
  kind: Kind.optional(),
  rater: Text,
  from: Time.optional(),
  to: Time.optional(),
  ...Paging,
});

const Label = z
  .object({
    id: z.string(),
    kind: Kind,
    subject_id: z.string(),
    verification_id: z.string().nullable(),
    verifier: z.string().nullable(),
    verdict: z.string().nullable(),
    /** Whether the subject was good, according to the label. */
    success: z.boolean().nullable(),
    score: z.number().nullable(),
    grade: z.number().int().nullable(),
    value: z.string().nullable(),
    reason: z.string().nullable(),
    rater: z.string(),
    source: z.string().nullable(),
    blind: z.boolean(),
    undone_at: z.string().nullable(),
    created_at: z.string(),
  })
  .openapi('Label');

export const labelRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/labels',
    scope: 'read',
    summary: 'List labels, newest first: rulings, grades, outcomes and imported labels',
    query: LabelsQuery,
    answers: { 200: listOf(Label, 'Labels') },
    handle: async (c, project) => {
      const {
        subject_id: subject,
        verification_id: verdict,
        ...query
      } = parse(LabelsQuery, c.req.query(), 'query');
      const page = await listLabels(project, { ...query, subject, verdict });
      return c.json({ data: page.items.map(labelReply), next_cursor: page.nextCursor });
    },
  },
  {
    method: 'post',
    path: '/v1/labels',
    scope: 'write',
    masking: 'body',
    summary: 'Label a turn, another subject or a verification: a verdict, a score or a grade',
    body: WireLabel,
    answers: { 201: Label },
    handle: async (c, project) => {
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const input = parse(WireLabel, readJsonBody(bytes), 'body');
      const derivedLabelId =
        key === null ? null : derivedId('lbl', project.projectId, 'label', key);
      const answer = await answerRequestOnce(project, key, '/v1/labels', bytes, async () => ({
        status: 201,
        body: await getLabel(
          project,
          await labelSubject(project, { ...input, id: input.id ?? derivedLabelId }),
        ),
      }));
      return c.json(answer.body as object, 201);
    },
  },
  {
    method: 'delete',
    path: '/v1/labels/{id}',
    scope: 'write',
    summary: 'Undo a ruling or grade: it stays stored, and no longer counts',
    params: z.object({ id: z.string() }),
    answers: { 200: Label },
    handle: async (c, project) => {
      const id = c.req.param('id') ?? '';
      await undoLabel(project, id);
      return c.json(await getLabel(project, id));
    },
  },
];

async function getLabel(project: ProjectCtx, id: string): Promise<z.infer<typeof Label>> {
  const [label] = (await listLabels(project, { id, limit: 1 })).items;
  if (label === undefined) throw notFound('label');
  return labelReply(label);
}

const labelReply = (label: StoredLabel): z.infer<typeof Label> => ({
  id: label.id,
  kind: Kind.parse(label.kind),
  subject_id: label.subjectId,
  verification_id: label.verdictId,
  verifier: label.verifier,
  verdict: label.verdict,
  success: label.success,
  score: label.score,
  grade: label.grade,
  value: label.value,
  reason: label.reason,
  rater: label.rater,
  source: label.source,
  blind: label.blind,
  undone_at: label.undoneAt?.toISOString() ?? null,
  created_at: label.createdAt.toISOString(),
});
