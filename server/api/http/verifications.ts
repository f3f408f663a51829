import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import { WireTurn } from '../../domain';
import { answerRequestOnce } from '../../ingest';
import { refused } from '../../platform';
import {
  getVerdict,
  listPending,
  listVerdicts,
  loadVerdicts,
  requireVerifier,
  verificationReply,
  verifyNow,
} from '../../verdicts';
import { answerAwaiting } from './await-answer';
import { readBody } from './body';
import type { HttpDeps } from './deps';
import { parse, parseParts, readJsonBody } from './request-input';
import { readIdempotencyKey } from './idempotency';
import type { Route } from './route';
import {
  Verification,
  VerificationsQuery,
  VerificationsReply,
  VerifyIntegrityBody,
  VerifyOptions,
} from './schemas';
import { webIncoming } from './web-incoming';

const PathId = z.object({ id: z.string() });

export const verificationRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/verify/integrity',
    scope: 'verify',
    summary: 'Trace the figures of one answer to its sources',
    body: VerifyIntegrityBody,
    answers: { 200: Verification, 202: Verification },
    handle: postVerifyIntegrity,
  },
  {
    method: 'get',
    path: '/v1/verifications',
    scope: 'read',
    summary: 'List verdicts, newest first',
    query: VerificationsQuery,
    answers: { 200: VerificationsReply },
    handle: getVerifications,
  },
  {
    method: 'get',
    path: '/v1/verifications/{id}',
    scope: 'read',
    summary: 'One verdict with its evidence',
    params: PathId,
    answers: { 200: Verification },
    handle: async (c, project) =>
      c.json(verificationReply(project, await getVerdict(project, c.req.param('id') ?? ''))),
  },
];

async function postVerifyIntegrity(
  c: Context,
  project: ProjectCtx,
  deps: HttpDeps,
): Promise<Response> {
  const { bytes, validUtf8 } = await readBody(webIncoming(c.req.raw));
  const key = readIdempotencyKey(webIncoming(c.req.raw));
  const { options } = parseParts(
    { options: VerifyOptions, turn: WireTurn },
    readJsonBody(bytes),
    'body',
  );
  if (typeof options.threshold === 'number' && (options.threshold < 0 || options.threshold > 1)) {
    throw refused(`threshold: must be from 0 to 1`, [
      { path: 'threshold', message: 'must be from 0 to 1' },
    ]);
  }
  if (options.verifier !== undefined) await requireVerifier(project, options.verifier, 'integrity');
  const answer = await answerRequestOnce(project, key, '/v1/verify/integrity', bytes, async () => {
    const verdict = await verifyNow(project, deps, {
      body: bytes,
      validUtf8,
      idempotencyKey: key,
      verifier: 'integrity',
      mode: options.mode,
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

async function getVerifications(c: Context, project: ProjectCtx): Promise<Response> {
  const query = parse(VerificationsQuery, c.req.query(), 'query');
  const filters = {
    kind: query.kind,
    outcome: query.outcome === undefined ? undefined : [query.outcome],
    verifier: query.verifier,
    model: query.model,
    session: query.session_id,
    turn: query.turn_id,
    trace: query.trace_id,
    subject: query.subject_id,
    mission: query.mission_id,
    task: query.task_id,
    tag: query.tag,
    prompt: query.prompt_version,
    experiment: query.experiment,
    from: query.from,
    to: query.to,
    cursor: query.cursor,
    limit: query.limit,
  };
  if (query.state === 'pending') {
    const pending = await listPending(project, filters);
    return c.json({
      data: pending.items.map((each) => verificationReply(project, each)),
      next_cursor: pending.nextCursor,
    });
  }
  const page = await listVerdicts(project, filters);
  const verdicts = await loadVerdicts(
    project,
    page.items.map((row) => row.id),
  );
  return c.json({
    data: verdicts.map((verdict) => verificationReply(project, verdict)),
    next_cursor: page.nextCursor,
  });
}
