import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { answerJson, type MockUpstream, startMockUpstream } from '../../testing/mock-upstream';
import { readLoad, type Edge, endAll, startEdge } from '../../testing/processes';
import { type ScriptedLlm, startScriptedLlm } from '../../testing/scripted-llm';
import { createStack, long, type Stack } from '../../testing/stack';
import { worstAnswers, worstBodies } from '../../testing/worst-bodies';
import { timeFactor } from '../../testing/time-factor';
import { firstOf } from '../../testing/first-of';
import { createKey } from '../access';
import { putProvider } from '../llm';
import { putRoute } from './index';
import { RouteSettings } from './input';

// R-104 in the running gateway: bodies sized by a caller or an upstream are parsed in threads.

const MIB = 1024 * 1024;
/** Processor time of the main thread between two turns of its loop, milliseconds. */
const STALL_MS = 50;
const small = JSON.stringify({
  choices: [{ message: { role: 'assistant', content: 'It is 5%.' } }],
});

let stack: Stack;
let upstream: MockUpstream;
let judge: ScriptedLlm;
let edge: Edge;
let key: string;
let dataDir: string;

beforeAll(async () => {
  [upstream, judge, stack] = await Promise.all([
    startMockUpstream(answerJson(small)),
    startScriptedLlm(),
    createStack(inject('databaseUrl')),
  ]);
  dataDir = mkdtempSync(join(tmpdir(), 'assay-large-'));
  const hosts = [upstream.origin, judge.origin].map((origin) => new URL(origin).host);
  const project = {
    ...stack.project,
    env: { ...stack.project.env, outboundAllow: new Set(hosts) },
  };
  const models = { api_key: 'sk-stored-000000001', models: ['gpt-4o'], enabled: true };
  await putProvider(project, 'openai', {
    kind: 'openai',
    base_url: `${upstream.origin}/v1`,
    ...models,
  });
  await putProvider(project, 'judge', {
    kind: 'openai_compatible',
    base_url: judge.baseUrl,
    ...models,
  });
  const verifier = { model: 'judge:gpt-4o', frequency: 1, control_share: 0 };
  const routes = {
    held: { integrity: { mode: 'hold' }, quality_verifier: verifier },
    watched: { integrity: { mode: 'off' }, quality_verifier: verifier },
  };
  for (const [name, settings] of Object.entries(routes)) {
    await putRoute(project, name, RouteSettings.parse({ upstream: 'openai', ...settings }));
  }
  ({ key } = await createKey(project, { name: 'gateway', scopes: ['gateway'] }));
  const variables = {
    ...stack.variables,
    ASSAY_OUTBOUND_ALLOW: hosts.join(','),
    ASSAY_DATA_DIR: dataDir,
    ASSAY_LOG_LEVEL: 'warn',
  };
  edge = await startEdge(variables, true);
  // The first calls load code and start the threads.
  for (const name of ['held', 'watched'])
    await call(name, 'chat/completions', worstBodies.parts?.(MIB / 4) ?? '');
});

afterAll(async () => {
  await endAll();
  await Promise.all([upstream.close(), judge.close(), stack.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

async function call(
  route: string,
  path: string,
  body: string,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${edge.url}/gateway/${route}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/**
 * The longest event-loop stall during a call: the minimum of up to three calls, because a garbage
 * collection may prolong one of them.
 */
async function stallOf(route: string, path: string, body: string): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && min >= timeFactor * STALL_MS; tries++) {
    await readLoad(edge);
    const { status, text } = await call(route, path, body);
    const { stallMs } = await readLoad(edge);
    expect([status, text.includes('It is 5%')], text.slice(0, 200)).toEqual([200, true]);
    min = Math.min(min, stallMs);
  }
  return min;
}

const sizes = long ? [MIB / 4, 4 * MIB, 19 * MIB] : [19 * MIB];

describe.each([
  ['held', long ? ['chat/completions', 'messages'] : ['messages']],
  ['watched', long ? ['chat/completions', 'messages'] : ['chat/completions']],
])('R-104 a large request to a route that is %s', (route, paths) => {
  test.each(firstOf(3, Object.entries(worstBodies)))(
    '%s never blocks the event loop',
    async (_name, bodyOf) => {
      for (const path of paths) {
        for (const bytes of sizes) {
          const stallMs = await stallOf(route, path, bodyOf(bytes));
          expect(stallMs, `${path} ${bytes}`).toBeLessThan(timeFactor * STALL_MS);
        }
      }
    },
  );
});

describe('R-104 a large answer of an upstream', () => {
  test.each(firstOf(2, Object.entries(worstAnswers)))(
    '%s never blocks the event loop',
    async (_name, answerOf) => {
      for (const bytes of long ? [MIB / 4, 12 * MIB] : [12 * MIB]) {
        upstream.script(answerJson(answerOf(bytes)));
        const stallMs = await stallOf(
          'held',
          'chat/completions',
          '{"model":"gpt-4o","messages":[{"role":"user","content":"x"}]}',
        );
        expect(stallMs, `${bytes}`).toBeLessThan(timeFactor * STALL_MS);
      }
    },
  );
});
