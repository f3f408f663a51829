/**
 * bench:ingest, first part (I1): turns acknowledged after commit by a real edge process with a real key, 20 turns a request,
 * 32 connections, against one backend's COPY of the same rows from a file, in alternating rounds of one run.
 * fsync and synchronous_commit are on; the rows are counted after every round. A wrong count voids the run.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Sql } from 'postgres';
import { createTestProject, createTestRuntime } from '../db/testing';
import { migrateDatabase } from '../db';
import { startTestCluster } from '../scripts/temporary-cluster.mjs';
import { createKey } from '../server/access';
import { httpMessage, sendAll } from './raw-client';
import { median, printRow, quantile, ratioOf } from './rounds';

const short = process.argv.includes('--smoke');
const rounds = short ? 3 : 8;
const requestsPerRound = short ? 200 : 2_000;
const turnsPerRequest = 20;
const connections = 32;
const port = 4_900 + (process.pid % 90);
const goal = 0.45;

/** A turn of about 2 KB of JSON, as an agent sends it: question, tool result, answer. */
function turnJson(id: string, salt: number): string {
  const rows = Array.from({ length: 18 }, (_, i) => ({
    host: `web-${i}`,
    disk_pct: ((salt * 7 + i * 13) % 1000) / 10,
    free_gb: (salt * 3 + i) % 512,
    region: 'eu-central',
  }));
  return JSON.stringify({
    id,
    session_id: `s-${salt % 97}`,
    trace_id: null,
    source: 'chat',
    model: 'openai/gpt-4o',
    started_at: '2026-01-04T14:00:00Z',
    ended_at: '2026-01-04T14:00:02Z',
    input: [
      {
        role: 'user',
        content: 'How full are the disks of the web hosts, and which of them needs attention first? Answer in two sentences.',
      },
    ],
    tools: [{ id: 'tc1', name: 'disk', arguments: { cluster: 'web' }, result: { rows } }],
    output: `web-3 is at ${rows[3]?.disk_pct}% with ${rows[3]?.free_gb} GB free; the others are below that.`,
    cost_usd: 0.004,
    tokens: { input: 900, output: 40 },
  });
}

function messages(round: number, key: string): Buffer[] {
  return Array.from({ length: requestsPerRound }, (_, r) => {
    const turns = Array.from({ length: turnsPerRequest }, (_, t) => turnJson(`r${round}-${r}-${t}`, r * turnsPerRequest + t));
    return httpMessage('/v1/turns', key, Buffer.from(`{"turns":[${turns.join(',')}]}`));
  });
}

/** CPU seconds of a process and, for PostgreSQL, of all that stand in its data folder. */
function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended; what it used until the last look is lost, which backends of a pool do not do within a round.
    }
  }
  return ticks / 100;
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === parent ? [pid] : [];
    } catch {
      return [];
    }
  });
}

async function startEdge(databaseUrl: string): Promise<ChildProcess> {
  await build({
    entryPoints: ['server/edge.ts'],
    outfile: 'dist/bench-edge.js',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  });
  const edge = fork('dist/bench-edge.js', {
    env: { ...process.env, DATABASE_URL: databaseUrl, ASSAY_EDGE_PORT: String(port), ASSAY_LOG_LEVEL: 'warn', NODE_ENV: 'production' },
  });
  await new Promise<void>((resolve, reject) => {
    edge.once('message', () => resolve());
    edge.once('exit', (code) => reject(new Error(`edge ended with ${code}`)));
  });
  return edge;
}

const micros = (seconds: number, of: number): number => Math.round((seconds / of) * 1e6);

/** One backend's COPY of the rows that now stand in `turns`, into a table of the same shape: rows a second, CPU of a row. */
async function copyRound(sql: Sql, postmaster: number, file: string): Promise<{ perS: number; cpuUs: number }> {
  await sql.unsafe(`copy (select * from turns) to '${file}'`);
  await sql.unsafe('truncate bench_turns');
  await sql`checkpoint`;
  const before = cpuSeconds(childrenOf(postmaster));
  const began = performance.now();
  const { count } = await sql.unsafe(`copy bench_turns from '${file}'`);
  const seconds = (performance.now() - began) / 1000;
  return { perS: count / seconds, cpuUs: micros(cpuSeconds(childrenOf(postmaster)) - before, count) };
}

async function main(): Promise<void> {
  const cluster = await startTestCluster({ fsync: true, settings: { shared_buffers: '512MB', max_wal_size: '4GB' } });
  let edge: ChildProcess | null = null;
  const shared = join(cluster.dataDir, 'bench');
  try {
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    await migrateDatabase(cluster.url);
    const runtime = createTestRuntime(cluster.url, { ASSAY_QUERY_TIMEOUT_MS: '120000' });
    const { sql } = runtime.ctx;
    const { key } = await createKey(await createTestProject(runtime), { name: 'bench', scopes: ['ingest'] });
    await sql`create table bench_turns (like turns including all)`;
    edge = await startEdge(cluster.url);
    const http: number[] = [];
    const copy: number[] = [];
    const cpu: number[] = [];
    const copyCpu: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await sql`truncate turns, work`;
      const prepared = messages(round, key);
      await sql`checkpoint`;
      const edgePids = [edge.pid ?? 0];
      const before = { edge: cpuSeconds(edgePids), postgres: cpuSeconds(childrenOf(cluster.pid())) };
      const load = await sendAll(port, prepared, connections);
      const used = { edge: cpuSeconds(edgePids) - before.edge, postgres: cpuSeconds(childrenOf(cluster.pid())) - before.postgres };
      const [stored] = await sql<
        { turns: number; work: number }[]
      >`select (select count(*)::int from turns) as turns, (select count(*)::int from work) as work`;
      const sent = requestsPerRound * turnsPerRequest;
      if (load.statuses.get(202) !== requestsPerRound || stored?.turns !== sent || stored.work !== sent) {
        throw new Error(`void: ${JSON.stringify([...load.statuses])}, stored ${JSON.stringify(stored)} of ${sent}`);
      }
      const floor = await copyRound(sql, cluster.pid(), join(shared, `round-${round}.copy`));
      const sorted = [...load.latencies].sort((a, b) => a - b);
      const line = {
        round,
        turnsPerS: Math.round(sent / load.seconds),
        copyPerS: Math.round(floor.perS),
        edgeUsPerTurn: micros(used.edge, sent),
        postgresUsPerTurn: micros(used.postgres, sent),
        copyUsPerRow: floor.cpuUs,
        p50Ms: quantile(sorted, 0.5),
        p99Ms: quantile(sorted, 0.99),
      };
      process.stdout.write(`${JSON.stringify(line)}\n`);
      if (round === 0) continue;
      http.push(sent / load.seconds);
      copy.push(floor.perS);
      cpu.push(line.edgeUsPerTurn + line.postgresUsPerTurn);
      copyCpu.push(floor.cpuUs);
    }
    process.stdout.write("\nfigure | floor: one backend's COPY | Assay | ratio [95 %] | goal | met\n");
    process.stdout.write(
      `${printRow('I1 turns/s acknowledged after commit, 20 a request', `${Math.round(median(copy))}/s`, `${Math.round(median(http))}/s`, ratioOf(http, copy), goal)}\n`,
    );
    process.stdout.write(`CPU: edge and PostgreSQL ${median(cpu)} us a turn, COPY ${median(copyCpu)} us a row (medians)\n`);
    await runtime.close();
  } finally {
    edge?.kill('SIGTERM');
    await cluster.stop();
  }
}

await main();
