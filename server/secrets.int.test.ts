import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { canary, findSecret, findSecretsIn, passwordIn, secretsIn } from '../testing/database';
import { type Child, type Edge, startEdge, startWorker } from '../testing/processes';
import { startRedis, type TestRedis } from '../testing/redis';
import { judgesAll } from '../testing/judges-all';
import { type ScriptedLlm, startScriptedLlm } from '../testing/scripted-llm';
import { backends, lacks } from '../testing/slow-stack';
import { createStack, sampleTurn, type Stack } from '../testing/stack';
import { until } from '../testing/until';

/**
 * S-98, S-101: plants secrets in all places where the product accepts one, runs edge and worker as
 * processes at debug level through success, refusal and failure, then searches everything they
 * logged, answered and stored. Every test of the harness does a smaller part of it: `endAll`
 * searches the logs of processes, `drop` of a test's database searches all of its tables.
 */
const planted = {
  master: `${canary}-master-of-forty-characters`,
  openai: `sk-${canary}-of-the-environment`,
  stored: `${canary}-of-a-provider`,
  header: `${canary}-of-a-header`,
  redis: `${canary}-of-redis`,
};

describe.each(backends)('with jobs on %s', (backend) => {
  describe.skipIf(lacks(backend))('every secret the product is given', () => {
    let stack: Stack;
    let llm: ScriptedLlm;
    let hook: Hook;
    let redis: TestRedis | null = null;
    let edge: Edge;
    let worker: Child;
    let secrets: readonly string[] = [];
    /** Bodies and headers of all answers. */
    const answers: string[] = [];

    beforeAll(async () => {
      [llm, hook] = await Promise.all([startScriptedLlm(), startHook()]);
      llm.answerWith(judgesAll);
      redis = backend === 'redis' ? await startRedis(planted.redis) : null;
      stack = await createStack(inject('databaseUrl'), {
        ASSAY_SECRET: planted.master,
        OPENAI_API_KEY: planted.openai,
        OPENAI_BASE_URL: llm.baseUrl,
        ASSAY_OUTBOUND_ALLOW: `${new URL(llm.origin).host},${new URL(hook.origin).host}`,
        ASSAY_LOG_LEVEL: 'trace',
        ...(redis === null ? {} : { REDIS_URL: redis.url }),
      });
      secrets = [...secretsIn(stack.variables), ...Object.values(planted), stack.key];
      [edge, worker] = await Promise.all([
        startEdge(stack.variables),
        startWorker(stack.variables),
      ]);
    });

    afterAll(async () => {
      await stack?.close();
      await redis?.stop();
      await Promise.all([llm?.close(), hook?.close()]);
    });

    async function call(
      method: string,
      path: string,
      body?: unknown,
      authorization = `Bearer ${stack.key}`,
    ): Promise<number> {
      const response = await fetch(`${edge.url}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      answers.push(JSON.stringify([...response.headers]), await response.text());
      return response.status;
    }

    const task = (output: string, model: string) => ({
      task_description: 'Say what is full',
      success_criteria: ['Names the disk'],
      scoring_mode: 'binary',
      task_output: output,
      verifier_model: model,
      executor_model: 'google/gemini-2.5-pro',
    });

    async function useIt(): Promise<void> {
      const provider = {
        kind: 'openai_compatible',
        base_url: llm.baseUrl,
        api_key: planted.stored,
        models: ['llama3:8b'],
      };
      expect(await call('PUT', '/v1/providers/house', provider)).toBe(200);
      const headers = [{ name: 'x-token', value: planted.header }];
      expect(
        await call('POST', '/v1/destinations', {
          kind: 'otlp',
          name: 'h',
          url: hook.origin,
          headers,
        }),
      ).toBe(201);
      expect(await call('POST', '/v1/turns', { turns: [sampleTurn('t-1')] })).toBe(202);
      for (const model of ['openai:gpt-4o-mini', 'house:llama3:8b'])
        expect(
          await call('POST', '/v1/verify/task', task(`The disk is full, says ${model}.`, model)),
        ).toBe(200);
      await hook.called;
    }

    /**
     * Secrets leak in failures: a provider that repeats its key, a wrong key, broken input, failing
     * storage.
     */
    async function breakIt(): Promise<void> {
      for (const key of [planted.openai, planted.stored]) {
        const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } });
        llm.queue({ fault: { kind: 'status', status: 401, body } });
        const model = key === planted.openai ? 'openai:gpt-4o-mini' : 'house:llama3:8b';
        expect(
          await call('POST', '/v1/verify/task', task(`A disk, and ${model} is refused.`, model)),
        ).toBe(200);
      }
      const other = `${stack.key.slice(0, -1)}${stack.key.endsWith('0') ? '1' : '0'}`;
      for (const [authorization, path] of [
        [`Bearer ${other}`, '/v1/settings'],
        [`Basic ${Buffer.from(`x:${stack.key}x`).toString('base64')}`, '/v1/turns'],
        ['', `/v1/turns?api_key=${stack.key}`],
      ] as const)
        expect(await call('POST', path, '{', authorization)).toBeGreaterThanOrEqual(400);
      expect(
        await call('PUT', '/v1/providers/bad', {
          kind: 'openai',
          base_url: 7,
          api_key: planted.stored,
        }),
      ).toBe(400);
      expect(
        await call('PUT', '/v1/providers/bad', {
          kind: 'openai',
          base_url: 'http://10.0.0.1/v1',
          api_key: planted.stored,
        }),
      ).toBe(422);
      const { sql } = stack;
      await sql`alter table providers rename to providers_away`;
      expect(
        await call('PUT', '/v1/providers/more', {
          kind: 'openai',
          api_key: planted.stored,
          models: [],
        }),
      ).toBe(500);
      await sql`alter table providers_away rename to providers`;
      await redis?.kill();
      await call('POST', '/v1/turns', { turns: [sampleTurn('t-2')] });
      await redis?.start();
      for (const path of [
        '/v1/providers',
        '/v1/destinations',
        '/v1/settings',
        '/v1/verifications',
        '/v1/deliveries',
        '/openapi.json',
        '/readyz',
      ])
        expect(await call('GET', path)).toBe(200);
    }

    /** Everything in Redis, once it contains something; the other queue is among the tables. */
    async function heldByRedis(): Promise<string> {
      const held = redis;
      if (held === null) return '';
      return until('a job', async () => {
        const text = await held.dump();
        return text.includes('assay:') ? text : null;
      });
    }

    test('S-98 S-101 appears in no log, answer, table, job or process argument, whatever fails', async () => {
      await useIt();
      await breakIt();
      await stack.drained();
      // The secrets were in use and could have leaked: each reached its destination.
      const sent = JSON.stringify(llm.calls.map(({ headers }) => headers));
      expect([planted.openai, planted.stored].filter((key) => !sent.includes(key))).toEqual([]);
      expect(hook.headers()).toContain(planted.header);

      for (const child of [edge, worker]) {
        expect(child.output()).toMatch(/"level":\d+/);
        expect(findSecret(child.output(), secrets)).toBeNull();
        expect(findSecret(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'), secrets)).toBeNull();
      }
      expect(answers.length).toBeGreaterThan(20);
      expect(findSecret(answers.join('\n'), secrets)).toBeNull();
      expect(await findSecretsIn(stack.sql, secrets)).toEqual([]);
      expect(findSecret(await heldByRedis(), secrets)).toBeNull();
    });

    test('S-98 the search finds a secret in a text column, a JSON one, bytes, and the password of the database', async () => {
      const { sql } = stack;
      await sql`create table planted_here (a text, b jsonb, c bytea)`;
      const password = passwordIn(stack.variables['DATABASE_URL'] ?? '');
      expect(password.length).toBeGreaterThan(16);
      for (const [column, value] of [
        ['a', planted.header],
        ['b', JSON.stringify({ deep: [planted.stored] })],
        ['c', Buffer.from(`x${password}`)],
        ['a', stack.key],
      ] as const) {
        await sql.unsafe(`insert into planted_here (${column}) values ($1)`, [value]);
        expect(await findSecretsIn(sql, secrets)).toEqual(['public.planted_here: 1']);
        await sql`truncate planted_here`;
      }
      await sql`drop table planted_here`;
    });
  });
});

interface Hook {
  readonly origin: string;
  /** Resolves at the first delivery. */
  readonly called: Promise<void>;
  headers(): string;
  close(): Promise<void>;
}

async function startHook(): Promise<Hook> {
  const seen: string[] = [];
  let onDelivery: () => void = () => undefined;
  const called = new Promise<void>((resolve) => {
    onDelivery = resolve;
  });
  const server: Server = createServer((request, response) => {
    seen.push(JSON.stringify(request.headers));
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      onDelivery();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    called,
    headers: () => seen.join('\n'),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
