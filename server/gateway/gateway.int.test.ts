import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { reportFigure } from '../../testing/figures';
import {
  answerJson,
  answerStream,
  type MockUpstream,
  startMockUpstream,
} from '../../testing/mock-upstream';
import { type Edge, endAll, startEdge, startProcess, startWorker } from '../../testing/processes';
import { type RawAnswer, sendRaw } from '../../testing/raw-answer';
import { type ScriptedLlm, startScriptedLlm } from '../../testing/scripted-llm';
import { findFreePort } from '../../scripts/postgres.mjs';
import { createStack, long, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import { timeFactor } from '../../testing/time-factor';
import { startTestCluster } from '../../scripts/temporary-cluster.mjs';
import { createKey, type ProjectCtx } from '../access';
import { putProvider } from '../llm';
import { putRoute } from './index';
import { RouteSettings } from './input';

// The gateway as it runs: a real edge process and a real worker, an upstream and a verifier on
// loopback.

let upstream: MockUpstream;
let verifier: ScriptedLlm;
let dataDir: string;
const asked = { model: 'gpt-4o', messages: [{ role: 'user', content: 'How full is web-1?' }] };
const ask = JSON.stringify(asked);
const askStream = JSON.stringify({ ...asked, stream: true });
const reply = (content: string) =>
  JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o-2024-08-06',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
  });
const frame = (content: string) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', choices: [{ index: 0, delta: { content } }] })}\n\n`;
const streamed = [...'web-1 is at 91.4 percent'.split(' ').map(frame), 'data: [DONE]\n\n'];

beforeAll(async () => {
  [upstream, verifier] = await Promise.all([
    startMockUpstream(answerJson(reply('It is 91.4% full.'))),
    startScriptedLlm(),
  ]);
  dataDir = mkdtempSync(join(tmpdir(), 'assay-gateway-'));
});

afterAll(async () => {
  await endAll();
  await Promise.all([upstream.close(), verifier.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const hosts = () => [upstream.origin, verifier.origin].map((origin) => new URL(origin).host);
const variablesOf = (stack: Stack, name: string) => ({
  ...stack.variables,
  ASSAY_OUTBOUND_ALLOW: hosts().join(','),
  ASSAY_DATA_DIR: join(dataDir, name),
  ASSAY_REPLICA: name,
});

/**
 * A project whose routes lead to the mock; the key comes last, so that a replica with the key also
 * has the routes.
 */
async function openProject(
  stack: Stack,
  routes: Readonly<Record<string, object>>,
  dead: string | null = null,
): Promise<{ project: ProjectCtx; key: string }> {
  const project = {
    ...stack.project,
    env: {
      ...stack.project.env,
      outboundAllow: new Set([...hosts(), ...(dead === null ? [] : [dead])]),
    },
  };
  const models = { models: ['gpt-4o'], enabled: true };
  await putProvider(project, 'openai', {
    kind: 'openai',
    base_url: `${upstream.origin}/v1`,
    api_key: 'sk-upstream-stored-0001',
    ...models,
  });
  await putProvider(project, 'judge', {
    kind: 'openai_compatible',
    base_url: verifier.baseUrl,
    api_key: 'sk-judge-stored-0001',
    ...models,
  });
  if (dead !== null) {
    const unreachable = {
      kind: 'openai_compatible',
      base_url: `http://${dead}/v1`,
      api_key: 'sk-dead-stored-000001',
      ...models,
    } as const;
    await putProvider(project, 'dead', unreachable);
  }
  for (const [name, settings] of Object.entries(routes)) {
    await putRoute(project, name, RouteSettings.parse({ upstream: 'openai', ...settings }));
  }
  const { key } = await createKey(project, { name: 'gateway', scopes: ['gateway'] });
  return { project, key };
}

const portOf = (edge: Edge) => Number(new URL(edge.url).port);
const send = (
  edge: Edge,
  key: string,
  route: string,
  body: string,
  more: readonly (readonly [string, string])[] = [],
) =>
  sendRaw(portOf(edge), {
    path: `/gateway/${route}/v1/chat/completions`,
    headers: [['authorization', `Bearer ${key}`], ...more],
    body,
  });
const headerOf = ({ headers }: RawAnswer, name = 'x-assay-verdict') =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
const readiness = async (edge: Edge, path: string) => {
  const response = await fetch(`${edge.url}${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test('QV-1 QV-26 a call is counted, verified, steered and recorded, and its verdict is stored', async () => {
  const stack = await createStack(inject('databaseUrl'));
  try {
    const watched = { quality_verifier: { model: 'judge:gpt-4o', frequency: 2, control_share: 0 } };
    const { project, key } = await openProject(stack, { openai: watched });
    const [edge] = await Promise.all([
      startEdge(variablesOf(stack, 'first')),
      startWorker(variablesOf(stack, 'worker')),
    ]);
    const first = await send(edge, key, 'openai', ask, [['x-assay-session', 's-1']]);
    expect([first.status, headerOf(first), headerOf(first, 'x-assay-reason')]).toEqual([
      200,
      'not_verified',
      'not_due',
    ]);
    expect(first.body.toString()).toBe(reply('It is 91.4% full.'));
    verifier.queue(
      { text: '<steering>Measure first.</steering>' },
      { text: '<status>NO_STEERING_NEEDED</status>' },
    );
    let calls = 0;
    upstream.script((request) =>
      answerJson(reply(++calls === 1 ? 'Perhaps.' : 'It was measured: 91.4%.'))(request),
    );
    const second = await send(edge, key, 'openai', ask, [['x-assay-session', 's-1']]);
    expect([headerOf(second), headerOf(second, 'x-assay-reason')]).toEqual(['steered', null]);
    expect(JSON.parse(second.body.toString()).choices[0].message.content).toBe(
      'It was measured: 91.4%.',
    );
    expect(upstream.requests.at(-1)?.body.toString()).toContain('Measure first.');
    const verdict = await until('the verdict', async () => {
      const [row] = await stack.sql<{ verdict: string; outcome: string }[]>`
        select verdict, outcome from verdicts where project_id = ${project.projectId} and id = ${headerOf(second, 'x-assay-verification')}`;
      return row ?? null;
    });
    expect(verdict).toEqual({ verdict: 'steer', outcome: 'steered' });
    const third = await send(edge, key, 'openai', ask, [['x-assay-session', 's-1']]);
    expect(headerOf(third, 'x-assay-reason')).toBe('not_due');
    await until('three calls recorded', async () => {
      const [row] =
        await stack.sql`select count(*)::int as n from gateway_calls where project_id = ${project.projectId}`;
      return row?.n === 3 ? true : null;
    });
  } finally {
    upstream.script(answerJson(reply('It is 91.4% full.')));
    await stack.close();
  }
});

test('R-62 a hanging verifier delays no call beyond its deadline', async () => {
  const stack = await createStack(inject('databaseUrl'));
  try {
    const hanging = { quality_verifier: { model: 'judge:gpt-4o', frequency: 1 }, total_seconds: 1 };
    const { key } = await openProject(stack, { openai: hanging });
    const edge = await startEdge(variablesOf(stack, 'hanging'));
    verifier.answerWith(() => new Promise(() => undefined));
    for (const [body, script, whole] of [
      [ask, answerJson(reply('It is 91.4% full.')), reply('It is 91.4% full.')],
      [askStream, answerStream(streamed), streamed.join('')],
    ] as const) {
      upstream.script(script);
      const began = performance.now();
      const answer = await send(edge, key, 'openai', body);
      // The deadline, the proxy's margin, and the delay of a machine that runs other tests.
      expect(performance.now() - began).toBeLessThan(timeFactor * 8000);
      expect(answer.body.toString().replaceAll(/^: .*\n\n/gm, '')).toBe(whole);
      expect(headerOf(answer) ?? /x-assay-verdict: (\w+)/.exec(answer.body.toString())?.[1]).toBe(
        'unavailable',
      );
    }
  } finally {
    verifier.answerWith(null);
    upstream.script(answerJson(reply('It is 91.4% full.')));
    await stack.close();
  }
});

test('R-60 R-66 R-103 with PostgreSQL, Redis, workers and the verifier down, also after a cold start, every call is answered unchanged; outages are reported and recover', async () => {
  // On each of two routes, warm and cold: 10,000 in the long form.
  const calls = long ? 2500 : 100;
  const dead = `127.0.0.1:${await findFreePort()}`;
  const cluster = await startTestCluster({ inMemory: true });
  const stack = await createStack(cluster.url);
  const expected = { json: reply('It is 91.4% full.'), sse: streamed.join('') };
  const variables = (stack: Stack) => {
    const variables = variablesOf(stack, 'cold');
    return {
      ...variables,
      ASSAY_OUTBOUND_ALLOW: `${variables.ASSAY_OUTBOUND_ALLOW},${dead}`,
      REDIS_URL: `redis://${dead}`,
    };
  };
  const load = async (edge: Edge, key: string, route: string): Promise<Record<string, number>> => {
    const verdicts: Record<string, number> = {};
    let left = calls;
    const one = async (): Promise<void> => {
      while (left-- > 0) {
        const stream = left % 2 === 0;
        const answer = await send(edge, key, route, stream ? askStream : ask);
        const text = answer.body.toString().replaceAll(/^: .*\n\n/gm, '');
        if (answer.status !== 200 || text !== (stream ? expected.sse : expected.json)) {
          throw new Error(
            `a call failed: ${answer.status} ${answer.body.toString().slice(0, 200)}`,
          );
        }
        const verdict =
          headerOf(answer) ?? /x-assay-verdict: (\w+)/.exec(answer.body.toString())?.[1] ?? 'none';
        verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 20 }, one));
    return verdicts;
  };
  upstream.script((request) =>
    request.body.includes('"stream":true')
      ? answerStream(streamed)(request)
      : answerJson(expected.json)(request),
  );
  try {
    const watched = { quality_verifier: { model: 'dead:gpt-4o', frequency: 1 } };
    const { project, key } = await openProject(stack, { openai: {}, watched }, dead);
    const edge = await startEdge(variables(stack));
    expect((await send(edge, key, 'openai', ask)).status).toBe(200);
    await until('the snapshot on the disk', () =>
      existsSync(join(dataDir, 'cold', 'gateway', 'cold.snapshot.json')) ? true : null,
    );
    expect(await readiness(edge, '/gateway/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', postgres: 'ok' },
    });
    await cluster.kill();
    await until('the outage is known', async () => {
      await send(edge, key, 'openai', ask);
      return (await readiness(edge, '/gateway/readyz')).body.postgres === 'away' &&
        headerOf(await send(edge, key, 'openai', ask)) === 'unavailable'
        ? true
        : null;
    });
    const warm = [await load(edge, key, 'openai'), await load(edge, key, 'watched')];
    expect(await readiness(edge, '/gateway/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', postgres: 'away' },
    });
    expect((await readiness(edge, '/readyz')).status).toBe(503);
    expect((await fetch(`${edge.url}/healthz`)).status).toBe(200);
    await edge.kill();

    const cold = await startEdge(variables(stack));
    const fromCold = [await load(cold, key, 'openai'), await load(cold, key, 'watched')];
    expect(await readiness(cold, '/gateway/readyz')).toMatchObject({
      status: 200,
      body: { postgres: 'away' },
    });
    expect((await readiness(cold, '/readyz')).status).toBe(503);
    expect(
      (await fetch(`${cold.url}/v1/rules`, { headers: { authorization: `Bearer ${stack.key}` } }))
        .status,
    ).toBe(503);
    const refused503 = await fetch(`${cold.url}/v1/turns`, { method: 'POST', body: '{}' });
    expect([refused503.status, refused503.headers.get('retry-after')]).toEqual([503, '1']);
    expect(warm[0]).toEqual({ unavailable: calls });
    // Until the breaker opens, each call tries the verifier; afterwards none does.
    expect(warm[1]).toEqual({ unavailable: expect.any(Number), not_verified: expect.any(Number) });
    for (const each of [...warm, ...fromCold])
      expect(Object.values(each).reduce((sum, n) => sum + n, 0)).toBe(calls);

    await cluster.start();
    await until(
      'it heals',
      async () => ((await readiness(cold, '/readyz')).status === 200 ? true : null),
      30_000,
    );
    await until('observed calls report so again', async () =>
      headerOf(await send(cold, key, 'openai', ask)) === 'not_verified' ? true : null,
    );
    await until('the recovery is reported', async () =>
      (await readiness(cold, '/gateway/readyz')).body.postgres === 'ok' ? true : null,
    );
    const counted = await until('all are counted', async () => {
      const [row] =
        await stack.sql`select coalesce(sum(calls), 0)::int as n from gateway_rollups where project_id = ${project.projectId}`;
      return Number(row?.n) >= calls * 2 ? Number(row?.n) : null;
    });
    reportFigure('R-60', { calls: calls * 4, failed: 0, counted });
    const snapshot = readFileSync(join(dataDir, 'cold', 'gateway', 'cold.snapshot.json'), 'utf8');
    expect(snapshot).not.toContain('sk-upstream');
    expect(snapshot).not.toContain(key);
  } finally {
    upstream.script(answerJson(reply('It is 91.4% full.')));
    await stack.close();
    await cluster.stop();
  }
});

test('R-69 SIGTERM with 100 open streams: all complete and are recorded', async () => {
  const stack = await createStack(inject('databaseUrl'));
  try {
    const { project, key } = await openProject(stack, { openai: {} });
    const edge = await startEdge(variablesOf(stack, 'drained'));
    const goOn: (() => void)[] = [];
    upstream.script(async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame('first'));
      await new Promise<void>((go) => goOn.push(go));
      response.end(`${frame('last')}data: [DONE]\n\n`);
    });
    const answers = Array.from({ length: 100 }, () => send(edge, key, 'openai', askStream));
    await until('all are open', () => (goOn.length === 100 ? true : null));
    edge.signal('SIGTERM');
    await until('no new connection', () =>
      fetch(`${edge.url}/healthz`).then(
        () => null,
        () => true,
      ),
    );
    for (const go of goOn) go();
    for (const answer of await Promise.all(answers)) {
      expect(answer.complete).toBe(true);
      expect(answer.body.toString()).toBe(`${frame('first')}${frame('last')}data: [DONE]\n\n`);
    }
    expect(await edge.exited).toBe(0);
    const [row] =
      await stack.sql`select count(*)::int as n from gateway_calls where project_id = ${project.projectId}`;
    expect(row?.n).toBe(100);
  } finally {
    upstream.script(answerJson(reply('It is 91.4% full.')));
    await stack.close();
  }
});

test('R-68 a route is switched to fail closed and back without a restart', async () => {
  const stack = await createStack(inject('databaseUrl'));
  try {
    const broken = {
      quality_verifier: { model: 'judge:gpt-4o', frequency: 1, max_consecutive_failures: 100 },
    };
    const { project, key } = await openProject(stack, { openai: { ...broken, fail_closed: true } });
    const edge = await startEdge(variablesOf(stack, 'closed'));
    const refused = await send(edge, key, 'openai', ask);
    expect([refused.status, headerOf(refused), headerOf(refused, 'x-assay-reason')]).toEqual([
      503,
      'unavailable',
      'error',
    ]);
    await putRoute(project, 'openai', RouteSettings.parse({ upstream: 'openai', ...broken }));
    await until('the change is known', async () =>
      (await send(edge, key, 'openai', ask)).status === 200 ? true : null,
    );
    await putRoute(
      project,
      'openai',
      RouteSettings.parse({ upstream: 'openai', ...broken, fail_closed: true }),
    );
    await until('and back', async () =>
      (await send(edge, key, 'openai', ask)).status === 503 ? true : null,
    );
    expect(readdirSync(join(dataDir, 'closed', 'gateway')).length).toBeGreaterThan(0);
  } finally {
    await stack.close();
  }
});

test('an edge that finds the schema of another release exits and says what to do', async () => {
  const stack = await createStack(inject('databaseUrl'));
  try {
    await stack.sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`;
    const edge = await startProcess('edge', {
      ...variablesOf(stack, 'older'),
      ASSAY_EDGE_PORT: String(await findFreePort()),
    });
    expect(await edge.exited).toBe(1);
    expect(edge.output()).toContain('run "assay migrate" first');
    expect(edge.messages).toEqual([]);
  } finally {
    await stack.close();
  }
});
