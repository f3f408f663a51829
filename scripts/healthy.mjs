// Health checks of the containers (deploy/compose.yaml): exit 0 means healthy, 1 unhealthy, with
// the reason. Uses only Node, since the image has no curl.
//   node scripts/healthy.mjs http://127.0.0.1:3000/api/readyz     healthy if the URL answers 200
//   node scripts/healthy.mjs worker     healthy if a worker on this host has sent a heartbeat
//                                       within three minutes
import { hostname } from 'node:os';

/** Workers send a heartbeat every minute. */
const silenceMs = 180_000;

/** @param {string} url @returns {Promise<string | null>} the problem */
async function checkUrl(url) {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(4_000) });
  return response.status === 200 ? null : `${url} answers ${response.status}`;
}

/** @returns {Promise<string | null>} the problem */
async function findWorker() {
  const { default: postgres } = await import('postgres');
  const sql = postgres(process.env.DATABASE_URL ?? '', {
    max: 1,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
  });
  try {
    const prefix = `worker ${hostname()}-`;
    const [row] = await sql`
      select 1 from worker_boxes
      where left(worker, ${prefix.length}) = ${prefix} and noted_at > now() - ${silenceMs} * interval '1 millisecond' limit 1`;
    return row ? null : `no worker on ${hostname()} has sent a heartbeat for ${silenceMs / 1000} s`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

try {
  const target = process.argv[2] ?? '';
  const wrong = target === 'worker' ? await findWorker() : await checkUrl(target);
  if (wrong !== null) throw new Error(wrong);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
