/**
 * bench:neighbour (performance.md N1; R-105): one tenant sends the most expensive accepted requests
 * of every class over 16 connections, half of them to the edge and half to the console's `/api`;
 * another tenant sends a few requests of each kind. Prints the latencies of the second tenant with
 * and without the first, and the longest event loop stall of each process's main thread. Exits with
 * 1 if a goal is missed. `--seconds=10` is for trials.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startTestCluster } from '../scripts/temporary-cluster.mjs';
import { migrateDatabase } from '../db';
import { createTestProject } from '../testing/database';
import { root } from '../scripts/data-dir.mjs';
import { answerJson, startMockUpstream } from '../testing/mock-upstream';
import { readLoad, type Child, startEdge, startWorker } from '../testing/processes';
import { createStack } from '../testing/stack';
import { until } from '../testing/until';
import { findFreePort } from '../scripts/postgres.mjs';
import { createKey } from '../server/access';
import { measure, type Measured, type Probe } from './neighbour/probes';

const CONNECTIONS = 16;
const GOAL = { ratio: 3, stretchMs: 50 };
const option = (name: string): string | undefined =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const seconds = Number(option('seconds') ?? 60);

const turn = (n: number): string =>
  JSON.stringify({
    turns: [
      {
        id: `quiet-${n}`,
        input: [{ role: 'user', content: 'How full is web-1?' }],
        tools: [{ id: 'tc1', name: 'disk', result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } }],
        output: 'web-1 is at 91.4%.',
      },
    ],
  });
const chat = JSON.stringify({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'How full is web-1?' }],
});
const answer = JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'It is 91.4% full.' },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
});

function probesOf(edge: string, web: string, key: string): readonly Probe[] {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return [
    {
      name: 'gateway call',
      send: () => ({
        url: `${edge}/gateway/mock/v1/chat/completions`,
        method: 'POST',
        headers,
        body: chat,
      }),
    },
    {
      name: 'POST /v1/turns',
      send: (n) => ({ url: `${edge}/v1/turns`, method: 'POST', headers, body: turn(n) }),
    },
    {
      name: 'GET /v1/verifications',
      send: () => ({ url: `${edge}/v1/verifications?limit=20`, method: 'GET', headers }),
    },
    { name: 'console page', send: () => ({ url: `${web}/sign-in`, method: 'GET', headers: {} }) },
  ];
}

/** The console as `npm start` runs it, monitored like the others. */
async function startWeb(
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  if (!existsSync(join(root, '.next', 'BUILD_ID')))
    throw new Error('the console is not built: node scripts/build.mjs');
  const port = await findFreePort();
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const child = fork(next, ['start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: root,
    execArgv: ['--import', join(root, 'testing', 'watch-loop.mjs')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_ENV: 'production',
      TZ: 'UTC',
      ASSAY_WEB_PORT: String(port),
      ...variables,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await until(
    'the console answers',
    async () => ((await fetch(`${url}/sign-in`).catch(() => null))?.ok === true ? true : null),
    60_000,
  );
  return { child, url };
}

/** Does the same as `readLoad` for a process that the harness did not start. */
function createProbe(child: ChildProcess): () => Promise<number> {
  let question = 0;
  return () =>
    new Promise((resolve) => {
      const ask = ++question;
      const onMessage = (message: unknown): void => {
        const reply = message as Record<string, unknown>;
        if (reply[`answer${ask}`] !== true) return;
        child.off('message', onMessage);
        resolve(Number(reply.stallMs));
      };
      child.on('message', onMessage);
      child.send({ ask });
    });
}

function print(
  quiet: readonly Measured[],
  loud: readonly Measured[],
  stretches: readonly (readonly [string, number])[],
): boolean {
  const line = (text: string): void => void process.stdout.write(`${text}\n`);
  let met = true;
  line(
    '| quiet tenant | p50 quiet | p50 next to | p99 quiet | p99 next to | ratio of p99 | goal | failed |',
  );
  line('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const [at, before] of quiet.entries()) {
    const after = loud[at];
    if (after === undefined) continue;
    const ratio = after.p99 / before.p99;
    met &&= ratio < GOAL.ratio && after.failed === 0;
    const ms = (value: number): string => `${value.toFixed(1)} ms`;
    line(
      `| ${before.name} | ${ms(before.p50)} | ${ms(after.p50)} | ${ms(before.p99)} | ${ms(after.p99)} | ${ratio.toFixed(2)} | < ${GOAL.ratio} | ${after.failed} of ${after.count} |`,
    );
  }
  line('');
  line('| main thread of | longest stretch on a processor | goal |');
  line('| --- | --- | --- |');
  for (const [name, ms] of stretches) {
    met &&= ms < GOAL.stretchMs;
    line(`| ${name} | ${ms.toFixed(1)} ms | < ${GOAL.stretchMs} ms |`);
  }
  return met;
}

async function main(): Promise<boolean> {
  const cluster = await startTestCluster({
    fsync: true,
    settings: { shared_buffers: '512MB', max_connections: '200' },
  });
  const upstream = await startMockUpstream(answerJson(answer));
  const variables = {
    ASSAY_OUTBOUND_ALLOW: new URL(upstream.origin).host,
    ASSAY_DATA_DIR: join(cluster.dataDir, 'gateway'),
  };
  await migrateDatabase(cluster.url);
  const stack = await createStack(cluster.url, variables);
  const children: ChildProcess[] = [];
  try {
    const loud = await createTestProject(stack.runtime);
    const { key: loudKey } = await createKey(loud, {
      name: 'loud',
      scopes: ['ingest', 'verify', 'read'],
    });
    const { key } = await createKey(stack.project, {
      name: 'quiet',
      scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
    });
    const worker: Child = await startWorker(stack.variables, 'worker', true);
    const edge = await startEdge(stack.variables, true);
    const web = await startWeb(stack.variables);
    children.push(web.child);
    const put = await fetch(`${edge.url}/v1/gateway/routes/mock`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ upstream: `${upstream.origin}/v1` }),
    });
    if (!put.ok) throw new Error(`the route was not stored: ${put.status} ${await put.text()}`);
    const probes = probesOf(edge.url, web.url, key);
    // Next loads a route on its first request.
    await fetch(`${web.url}/api/healthz`);
    await measure(probes, 5);
    const readWebLoad = createProbe(web.child);
    const quiet = await measure(probes, Math.max(5, seconds / 2));
    await Promise.all([readLoad(edge), readLoad(worker), readWebLoad()]);
    const load = fork(
      join(root, 'bench', 'neighbour', 'load.ts'),
      [`${edge.url},${web.url}/api`, loudKey, String(CONNECTIONS)],
      {
        execArgv: ['--import', 'tsx'],
        cwd: root,
      },
    );
    children.push(load);
    let statuses: unknown = null;
    await new Promise<void>((resolve) => {
      load.on('message', (message: { ready?: boolean; statuses?: unknown }) => {
        if (message.ready === true) resolve();
        statuses = message.statuses ?? statuses;
      });
    });
    const next = await measure(probes, seconds);
    const [edgeLoad, workerLoad, webMs] = await Promise.all([
      readLoad(edge),
      readLoad(worker),
      readWebLoad(),
    ]);
    process.stdout.write(`Answers to the loud tenant by status: ${JSON.stringify(statuses)}\n\n`);
    const stretches = [
      ['edge', edgeLoad.stallMs],
      ['web', webMs],
      ['worker', workerLoad.stallMs],
    ] as const;
    return print(quiet, next, stretches);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await stack.close();
    await upstream.close();
    await cluster.stop();
  }
}

process.exitCode = (await main()) ? 0 : 1;
