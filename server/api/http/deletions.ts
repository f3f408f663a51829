import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import { type Deletion, getDeletion, requestDeletion } from '../../lifecycle';
import { RequestDeletionBody } from '../../lifecycle/input';
import { readBody } from './body';
import type { HttpDeps } from './deps';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { webIncoming } from './web-incoming';

const DeletionReply = z
  .object({
    id: z.string(),
    kind: z.enum(['project', 'session', 'trace', 'turn', 'user']),
    /** For a finished deletion of a user, the SHA-256 of its id in hex. */
    target: z.string(),
    /** `pending` until all of its data is deleted. */
    state: z.enum(['pending', 'done']),
    /** Deleted rows, by table. */
    counts: z.record(z.string(), z.number().int()),
    created_by: z.string(),
    created_at: z.string(),
    done_at: z.string().nullable(),
  })
  .openapi('Deletion');

const Id = z.object({ id: z.string() });
const answers = { 200: DeletionReply, 202: DeletionReply };

export const deletionRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/deletions',
    scope: 'write',
    masking: 'body',
    summary:
      'Delete a session, a trace, a turn or all data of an end user, with everything derived from it',
    body: RequestDeletionBody,
    answers,
    handle: async (c, project, { ctx }) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const deletion = await requestDeletion(
        project,
        ctx,
        parse(RequestDeletionBody, readJsonBody(bytes), 'body'),
      );
      return c.json(deletionReply(deletion), statusOf(deletion));
    },
  },
  {
    method: 'get',
    path: '/v1/deletions/{id}',
    scope: 'read',
    summary: 'Get the state of a deletion; done means that nothing it names is left',
    params: Id,
    answers: { 200: DeletionReply },
    handle: async (c, project) =>
      c.json(deletionReply(await getDeletion(project, c.req.param('id') ?? ''))),
  },
  {
    method: 'delete',
    path: '/v1/turns/{id}',
    scope: 'write',
    summary: 'Delete a turn; a turn from spans is only deleted with its trace',
    params: Id,
    answers,
    handle: (c, project, deps) => deleteOne(c, project, deps, 'turn'),
  },
  {
    method: 'delete',
    path: '/v1/traces/{id}',
    scope: 'write',
    summary: 'Delete a trace with its turns',
    params: Id,
    answers,
    handle: (c, project, deps) => deleteOne(c, project, deps, 'trace'),
  },
  {
    method: 'delete',
    path: '/v1/sessions/{id}',
    scope: 'write',
    summary: 'Delete a session with its turns, traces and calls',
    params: Id,
    answers,
    handle: (c, project, deps) => deleteOne(c, project, deps, 'session'),
  },
];

async function deleteOne(
  c: Context,
  project: ProjectCtx,
  { ctx, masks }: HttpDeps,
  kind: 'turn' | 'trace' | 'session',
): Promise<Response> {
  const sent = c.req.param('id') ?? '';
  // Sessions are stored under their tokens; hexadecimal ids of traces stay.
  const id = kind === 'session' ? await masks.text(project.projectId, sent) : sent;
  const deletion = await requestDeletion(project, ctx, { kind, id });
  return c.json(deletionReply(deletion), statusOf(deletion));
}

/** 202: accepted, but not done yet. */
const statusOf = ({ state }: Deletion): 200 | 202 => (state === 'done' ? 200 : 202);

function deletionReply(deletion: Deletion): z.infer<typeof DeletionReply> {
  return {
    id: deletion.id,
    kind: deletion.kind,
    target: deletion.target,
    state: deletion.state,
    counts: { ...deletion.counts },
    created_by: deletion.createdBy,
    created_at: deletion.createdAt.toISOString(),
    done_at: deletion.doneAt?.toISOString() ?? null,
  };
}
