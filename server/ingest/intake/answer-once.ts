import type { ProjectCtx } from '../../access';
import { conflict, newSecret, sha256, unavailable } from '../../platform';

export interface PreparedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * An active run has this status, and its holder's token as its answer; it is not an HTTP status.
 */
const running = 0;
/** How long to wait for the run of another request: longer than any run takes. */
const waitMaxMs = 150_000;

/**
 * The same key and body return the same answer for 24 h; the same key with another body is refused.
 * Of concurrent equal requests only one runs, across all processes, and the others wait for its
 * answer. The lock on the key is a leased row, not a connection, so that waiting requests
 * take no connection from running ones. A key left by a crashed run is released when its
 * lease ends, for the same body. `run` must be repeatable under the key (ids derived from it): a
 * crash after its commit, before the answer is stored here, is then harmless.
 * @throws AssayError conflict, unavailable (still running after `waitMaxMs`), and the errors of
 * `run`, which release the key
 */
export async function answerRequestOnce(
  ctx: ProjectCtx,
  key: string | null,
  route: string,
  body: Buffer,
  run: () => Promise<PreparedAnswer>,
): Promise<PreparedAnswer> {
  if (key === null) return run();
  const claim: Claim = {
    // A client may build it from anything, such as an address.
    key: sha256(key),
    hash: sha256(Buffer.concat([Buffer.from(`${route}\n`), body])),
    token: newSecret(12),
  };
  const until = ctx.clock.monotonicMs() + waitMaxMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 200)) {
    if (await claimKey(ctx, claim)) return runHolding(ctx, claim, run);
    const found = await findAnswer(ctx, claim);
    if (found === 'running') {
      if (ctx.clock.monotonicMs() > until)
        throw unavailable(
          'the first request with this Idempotency-Key is still running; send it again later',
          5,
        );
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    } else if (found !== null) return found;
  }
}

interface Claim {
  /** The SHA-256 of the client's key. */
  readonly key: string;
  readonly hash: string;
  /** Identifies this request as the holder of the key. */
  readonly token: string;
}

/**
 * Takes a key that is new, expired, or left by a run of the same request whose lease has expired.
 */
async function claimKey(ctx: ProjectCtx, { key, hash, token }: Claim): Promise<boolean> {
  const taken = await ctx.sql`
    insert into idempotency_keys as k (project_id, key, request_hash, status, answer)
    values (${ctx.projectId}, ${key}, ${hash}, ${running}, ${token})
    on conflict (project_id, key) do update set
      request_hash = excluded.request_hash, status = excluded.status, answer = excluded.answer, created_at = now()
    where k.created_at < now() - interval '24 hours'
      or (k.status = ${running} and k.request_hash = excluded.request_hash
        and k.created_at < now() - ${ctx.env.leaseMs} * interval '1 millisecond')
    returning 1`;
  return taken.length > 0;
}

async function runHolding(
  ctx: ProjectCtx,
  claim: Claim,
  run: () => Promise<PreparedAnswer>,
): Promise<PreparedAnswer> {
  const { key, token } = claim;
  const ownClaim = ctx.sql`project_id = ${ctx.projectId} and key = ${key} and status = ${running} and answer = ${token}`;
  const heartbeat = setInterval(() => {
    ctx.sql`update idempotency_keys set created_at = now() where ${ownClaim}`.catch(
      (error: unknown) =>
        ctx.log.warn({ err: error }, 'the lease of an Idempotency-Key was not renewed'),
    );
  }, ctx.env.leaseMs / 3);
  try {
    const answer = await run();
    if (answer.status >= 400) await ctx.sql`delete from idempotency_keys where ${ownClaim}`;
    else {
      const text = JSON.stringify(answer.body);
      await ctx.sql`update idempotency_keys set status = ${answer.status}, answer = ${text}, created_at = now() where ${ownClaim}`;
    }
    return answer;
  } catch (error) {
    // If this fails too, the lease releases it.
    await ctx.sql`delete from idempotency_keys where ${ownClaim}`.catch(() => undefined);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** The entry under the key; null if it no longer exists. @throws AssayError conflict */
async function findAnswer(
  ctx: ProjectCtx,
  { key, hash }: Claim,
): Promise<PreparedAnswer | 'running' | null> {
  const [row] = await ctx.sql<{ request_hash: string; status: number; answer: string }[]>`
    select request_hash, status, answer from idempotency_keys
    where project_id = ${ctx.projectId} and key = ${key} and created_at >= now() - interval '24 hours'`;
  if (row === undefined) return null;
  if (row.request_hash !== hash)
    throw conflict('this Idempotency-Key was used before with another body; send a new key');
  return row.status === running
    ? 'running'
    : { status: row.status, body: JSON.parse(row.answer) as unknown };
}

/** Deletes answers older than 24 h. */
export async function pruneAnswers(ctx: Pick<ProjectCtx, 'sql'>): Promise<void> {
  await ctx.sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`;
}
