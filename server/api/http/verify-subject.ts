import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import { intakeLimits, plainName } from '../../domain';
import { answerRequestOnce } from '../../ingest';
import { verificationReply, verifySubjectNow } from '../../verdicts';
import { WorkFacts } from '../../verdicts/input';
import { type AnyKind, kinds } from '../../verifiers';
import { answerAwaiting } from './await-answer';
import { readBody } from './body';
import type { HttpDeps } from './deps';
import type { Route } from './route';
import { parseParts, readJsonBody } from './request-input';
import { readIdempotencyKey } from './idempotency';
import { Verification } from './schemas';
import { webIncoming } from './web-incoming';

const Id = plainName(intakeLimits.idChars).nullish();

/**
 * Members of a verify call besides its subject; the kind reads its own members of the same body.
 */
const SubjectOptions = z.object({
  id: Id,
  session_id: Id,
  trace_id: Id,
  mission_id: Id,
  task_id: Id,
  /**
   * When the work ended. A simulated project dates its verdict by it, and refuses a future time;
   * any other project ignores it.
   */
  ended_at: z.iso.datetime({ offset: true }).nullish(),
  verifier: z.string().min(1).max(100).nullish(),
  mode: z.enum(['sync', 'async']).default('sync'),
  wait_ms: z.number().int().min(0).max(120_000).default(30_000),
});

const paths: readonly { readonly path: string; readonly kind: string; readonly summary: string }[] =
  [
    {
      path: '/v1/verify/task',
      kind: 'task',
      summary: 'Judge the output of a task by its criteria',
    },
    { path: '/verify-task', kind: 'task', summary: 'The same as /v1/verify/task' },
    {
      path: '/v1/verify/code',
      kind: 'code',
      summary:
        'Score generated code by what its request requires, and prove it with compilers and tests',
    },
    {
      path: '/v1/verify/consistency',
      kind: 'consistency',
      summary: 'Compare the outputs of related tasks',
    },
    {
      path: '/v1/verify/decomposition',
      kind: 'decomposition',
      summary: 'Check the decomposition of a query into subgoals before agents work on them',
    },
    {
      path: '/v1/verify/agent-output',
      kind: 'agent-output',
      summary: 'Check the output of an agent for a subgoal and recommend the next step',
    },
    {
      path: '/v1/verify/synthesis',
      kind: 'synthesis',
      summary: 'Trace the claims of an answer to the agent outputs that it is based on',
    },
    {
      path: '/v1/verify/mission',
      kind: 'mission',
      summary: 'Judge a whole mission by its tasks',
    },
    {
      path: '/v1/verify/turn',
      kind: 'turn',
      summary: 'Audit an answer within its conversation: pass it or write a steering note',
    },
  ];

export const verifySubjectRoutes: readonly Route[] = paths.flatMap(
  ({ path, kind, summary }): Route[] => {
    const found = kinds.get(kind);
    if (found === undefined) return [];
    const body = z.intersection(SubjectOptions.extend(WorkFacts.shape).partial(), found.subject);
    return [
      {
        method: 'post',
        path,
        scope: 'verify',
        summary,
        body,
        answers: { 200: Verification, 202: Verification },
        handle: (c, project, deps) => verifySubject(c, project, deps, found),
      },
    ];
  },
);

async function verifySubject(
  c: Context,
  project: ProjectCtx,
  deps: HttpDeps,
  kind: AnyKind,
): Promise<Response> {
  const incoming = webIncoming(c.req.raw);
  const { bytes } = await readBody(incoming);
  const key = readIdempotencyKey(incoming);
  const body = readJsonBody(bytes);
  const parts = { options: SubjectOptions, subject: kind.subject, facts: WorkFacts };
  const { options, ...content } = parseParts(parts, body, 'body');
  const call = {
    id: options.id ?? null,
    sessionId: options.session_id ?? null,
    traceId: options.trace_id ?? null,
    missionId: options.mission_id ?? null,
    taskId: options.task_id ?? null,
    endedAt: options.ended_at ?? null,
    verifier: options.verifier ?? null,
    mode: options.mode,
  };
  const answer = await answerRequestOnce(
    project,
    key,
    `/v1/verify/${kind.name}`,
    bytes,
    async () => {
      const input = {
        verifier: { slug: kind.name, kind },
        content,
        call,
        idempotencyKey: key,
        owner: deps.owner,
        signal: c.req.raw.signal,
      };
      const verdict = await verifySubjectNow(project, deps.subjects, input);
      return {
        status: verdict.state === 'settled' ? 200 : 202,
        body: verificationReply(project, verdict),
      };
    },
  );
  return answerAwaiting(deps, c, project, answer, options.mode === 'sync' ? options.wait_ms : 0);
}
