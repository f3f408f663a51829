import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import { findVerifier } from '../../catalog';
import { EvaluationSubject, intakeLimits, plainName } from '../../domain';
import { answerRequestOnce } from '../../ingest';
import { notFound, refused } from '../../platform';
import { customContent, verificationReply, verifySubjectNow } from '../../verdicts';
import { answerAwaiting } from './await-answer';
import { readBody } from './body';
import type { HttpDeps } from './deps';
import { readIdempotencyKey } from './idempotency';
import { parse, readJsonBody } from './request-input';
import type { Route } from './route';
import { Verification } from './schemas';
import { webIncoming } from './web-incoming';

const Id = plainName(intakeLimits.idChars).nullish();

const VerifyOwnBody = z.strictObject({
  subject: EvaluationSubject,
  id: Id,
  task_id: Id,
  /** The value from which this verdict passes, in place of the verifier's. */
  threshold: z.number().min(0).max(1).nullish(),
  /** `refund-policy@3`: refused if another version is current. */
  verifier: z.string().min(1).max(100).nullish(),
  mode: z.enum(['sync', 'async']).default('sync'),
  wait_ms: z.number().int().min(0).max(120_000).default(30_000),
});

export const verifyOwnRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/verify/{verifier}',
    scope: 'verify',
    summary: 'Verify a subject with a verifier that the project defined',
    params: z.object({ verifier: z.string() }),
    body: VerifyOwnBody.openapi('VerifyOwnBody'),
    answers: { 200: Verification, 202: Verification },
    handle: verifyOwn,
  },
];

async function verifyOwn(c: Context, project: ProjectCtx, deps: HttpDeps): Promise<Response> {
  const slug = c.req.param('verifier') ?? '';
  const incoming = webIncoming(c.req.raw);
  const { bytes } = await readBody(incoming);
  const key = readIdempotencyKey(incoming);
  const { subject, ...options } = parse(VerifyOwnBody, readJsonBody(bytes), 'body');
  const found = await findVerifier(project, project.projectId, slug);
  if (found === null || found.custom === null) throw notFound('verifier');
  if (found.custom.archivedAt !== null) throw refused(`the verifier "${slug}" is archived`);
  const { definition } = found.custom;
  const { subject: read, facts } = customContent(subject, definition);
  const call = {
    id: options.id ?? null,
    sessionId: subject.session_id,
    traceId: subject.trace_id,
    missionId: subject.mission_id,
    taskId: options.task_id ?? null,
    verifier: options.verifier ?? null,
    mode: options.mode,
  };
  const answer = await answerRequestOnce(project, key, `/v1/verify/${slug}`, bytes, async () => {
    const verdict = await verifySubjectNow(project, deps.subjects, {
      verifier: found,
      content: { subject: read, facts: { ...facts, threshold: options.threshold ?? null } },
      call,
      idempotencyKey: key,
      owner: deps.owner,
      signal: c.req.raw.signal,
    });
    return {
      status: verdict.state === 'settled' ? 200 : 202,
      body: verificationReply(project, verdict),
    };
  });
  return answerAwaiting(deps, c, project, answer, options.mode === 'sync' ? options.wait_ms : 0);
}
