import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type Deletion, getDeletion, requestDeletion } from '../../lifecycle';
import { RequestDeletionBody } from '../../lifecycle/input';
import { readBody } from './body';
import type { HttpDeps } from './deps';
import type { RouteText } from './description';
import { type Door, parse, readJson } from './door';
import { webIncoming } from './web-incoming';

const DeletionReply = z
  .object({
    id: z.string(),
    kind: z.enum(['project', 'session', 'trace', 'turn', 'user']),
    /** Of a user the SHA-256 of its id, hex, once it is done. */
    target: z.string(),
    /** `pending` until nothing of it is left. */
    state: z.enum(['pending', 'done']),
    /** Rows that were deleted, by table. */
    counts: z.record(z.string(), z.number().int()),
    created_by: z.string(),
    created_at: z.string(),
    done_at: z.string().nullable(),
  })
  .openapi('Deletion');

const Id = z.object({ id: z.string() });
const answers = { 200: DeletionReply, 202: DeletionReply };

export const deletionRoutes: readonly RouteText[] = [
  {
    method: 'post',
    path: '/v1/deletions',
    scope: 'write',
    summary:
      'Delete a session, a trace, a turn, or all that names an end user, with all that was made of it',
    body: RequestDeletionBody,
    answers,
  },
  {
    method: 'get',
    path: '/v1/deletions/{id}',
    scope: 'read',
    summary: 'Whether a deletion is done: nothing of what it names is left',
    params: Id,
    answers: { 200: DeletionReply },
  },
  {
    method: 'delete',
    path: '/v1/turns/{id}',
    scope: 'write',
    summary: 'Delete a turn; one that was made of spans goes with its trace alone',
    params: Id,
    answers,
  },
  {
    method: 'delete',
    path: '/v1/traces/{id}',
    scope: 'write',
    summary: 'Delete a trace with its turns',
    params: Id,
    answers,
  },
  {
    method: 'delete',
    path: '/v1/sessions/{id}',
    scope: 'write',
    summary: 'Delete a session with its turns, traces and calls',
    params: Id,
    answers,
  },
];

export function addDeletionRoutes(app: OpenAPIHono, door: Door, { ctx }: HttpDeps): void {
  app.post(
    '/v1/deletions',
    door('write', async (c, project) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const deletion = await requestDeletion(
        project,
        ctx,
        parse(RequestDeletionBody, readJson(bytes), 'body'),
      );
      return c.json(deletionReply(deletion), statusOf(deletion));
    }),
  );
  app.get(
    '/v1/deletions/:id',
    door('read', async (c, project) =>
      c.json(deletionReply(await getDeletion(project, c.req.param('id') ?? ''))),
    ),
  );
  for (const [path, kind] of [
    ['turns', 'turn'],
    ['traces', 'trace'],
    ['sessions', 'session'],
  ] as const) {
    app.delete(
      `/v1/${path}/:id`,
      door('write', async (c, project) => {
        const deletion = await requestDeletion(project, ctx, { kind, id: c.req.param('id') ?? '' });
        return c.json(deletionReply(deletion), statusOf(deletion));
      }),
    );
  }
}

/** 202: it is on its way, and not true yet. */
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
