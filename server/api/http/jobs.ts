import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { KeyCheck, ProjectCtx, KeyScope } from '../../access';
import { asSentence } from '../../platform';
import { cancelJob, getJob, type Job } from '../../queue';
import type { Route } from './route';

export const JobReply = z
  .object({
    id: z.string(),
    kind: z.string(),
    state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
    done: z.number().int(),
    total: z.number().int().nullable(),
    errors: z.array(z.object({ line: z.number().int(), message: z.string() })),
    error_count: z.number().int(),
    result: z.unknown(),
    reason: z.string().nullable(),
    created_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .openapi('Job');

const PathId = z.object({ id: z.string() });

export const jobRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/jobs/{id}',
    scope: 'read',
    summary: 'Get the progress of a job; a key can also read an import that it started',
    params: PathId,
    answers: { 200: JobReply },
    scopeOf: (c, { keys }) => scopeFor(keys, c, 'read'),
    handle: async (c, project) => c.json(jobReply(await getJob(project, c.req.param('id') ?? ''))),
  },
  {
    method: 'delete',
    path: '/v1/jobs/{id}',
    scope: 'write',
    summary: 'Cancel a job and keep its results; a key can also cancel an import that it started',
    params: PathId,
    answers: { 200: JobReply },
    scopeOf: (c, { keys }) => scopeFor(keys, c, 'write'),
    handle: async (c, project) =>
      c.json(jobReply(await cancelJob(project, c.req.param('id') ?? ''))),
  },
];

/**
 * `ingest` if the key lacks `scope` but started this import: a key that may start an import may
 * follow it.
 */
async function scopeFor(keys: KeyCheck, c: Context, scope: KeyScope): Promise<KeyScope> {
  try {
    const project = await keys.authorize(c.req.header('authorization'), 'ingest');
    return !hasScope(project, scope) && (await isOwnImport(project, c.req.param('id') ?? ''))
      ? 'ingest'
      : scope;
  } catch {
    // The handler gets the same error again and answers it.
    return scope;
  }
}

function hasScope({ actor }: ProjectCtx, scope: KeyScope): boolean {
  return actor.kind === 'key' && actor.scopes.includes(scope);
}

async function isOwnImport(project: ProjectCtx, id: string): Promise<boolean> {
  const job = await getJob(project, id);
  return job.kind === 'traces.import' && job.createdBy === project.actor.label;
}

export function jobReply(job: Job): z.infer<typeof JobReply> {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    done: job.done,
    total: job.total,
    errors: job.errors.map(({ line, message }) => ({ line, message: asSentence(message) })),
    error_count: job.errorCount,
    result: job.result,
    reason: job.reason === null ? null : asSentence(job.reason),
    created_at: job.createdAt.toISOString(),
    finished_at: job.finishedAt?.toISOString() ?? null,
  };
}
