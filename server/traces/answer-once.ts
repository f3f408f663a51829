import type { ProjectCtx } from '../access';
import { conflict, sha256 } from '../platform';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * The same key and body give the same answer for 24 h; the same key with another body is refused.
 * `run` must be repeatable under the key (ids derived from it): a crash between its commit and the note here is then harmless.
 * @throws AssayError conflict
 */
export async function answerOnce(
  ctx: ProjectCtx,
  key: string | null,
  route: string,
  body: Buffer,
  run: () => Promise<Answer>,
): Promise<Answer> {
  if (key === null) return run();
  const hash = sha256(Buffer.concat([Buffer.from(`${route}\n`), body]));
  const earlier = await findAnswer(ctx, key, hash);
  if (earlier !== null) return earlier;
  const answer = await run();
  if (answer.status >= 400) return answer;
  await ctx.sql`
    insert into idempotency_keys (project_id, key, request_hash, status, answer)
    values (${ctx.projectId}, ${key}, ${hash}, ${answer.status}, ${JSON.stringify(answer.body)})
    on conflict (project_id, key) do update set request_hash = excluded.request_hash, status = excluded.status, answer = excluded.answer,
      created_at = now() where idempotency_keys.created_at < now() - interval '24 hours'`;
  return (await findAnswer(ctx, key, hash)) ?? answer;
}

async function findAnswer(ctx: ProjectCtx, key: string, hash: string): Promise<Answer | null> {
  const [row] = await ctx.sql<{ request_hash: string; status: number; answer: string }[]>`
    select request_hash, status, answer from idempotency_keys
    where project_id = ${ctx.projectId} and key = ${key} and created_at >= now() - interval '24 hours'`;
  if (row === undefined) return null;
  if (row.request_hash !== hash) throw conflict('this Idempotency-Key came before with another body');
  return { status: row.status, body: JSON.parse(row.answer) as unknown };
}

/** Forgets answers older than 24 h. */
export async function pruneAnswers(ctx: Pick<ProjectCtx, 'sql'>): Promise<void> {
  await ctx.sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`;
}
