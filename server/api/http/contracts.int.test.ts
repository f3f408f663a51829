import { beforeEach, describe, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { putThreshold } from '../../thresholds';
import { ThresholdBody } from '../../thresholds/input';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['verify'] }));
});

async function post(
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await appOf(runtime).request('/v1/contracts', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('POST /v1/contracts', () => {
  test('QEL-6 returns the obligations of a request, and the text for the model', async () => {
    const request =
      'Create server.py with a Flask API that serves /api/tasks, with a Task class and a function load_tasks';
    expect(await post({ request, model: 'qwen2.5-coder:14b' })).toEqual({
      status: 200,
      body: {
        active: true,
        reason: null,
        confidence: 'high',
        deliverables: ['server.py'],
        framework: 'Flask',
        hard_patterns: ['from flask', '/api/tasks', 'Task'],
        soft_patterns: ['load_tasks'],
        patterns: [
          { pattern: 'from flask', kind: 'hard', path: null },
          { pattern: '/api/tasks', kind: 'hard', path: null },
          { pattern: 'Task', kind: 'hard', path: null },
          { pattern: 'load_tasks', kind: 'soft', path: null },
        ],
        expected_elements: { 'server.py': 3 },
        gates: ['python -m compileall -q . 2>&1'],
        prompt_block: expect.stringMatching(/^TASK CONTRACT\n/) as unknown,
        tier: 'medium',
        tier_assumed: false,
        pass_threshold: 75,
        elapsed_ms: expect.any(Number) as unknown,
      },
    });
  });

  test('QEL-2 a request that only reads has no obligations', async () => {
    const { body } = await post({ request: 'What does app.py do?' });
    expect(body).toMatchObject({
      active: false,
      deliverables: [],
      hard_patterns: [],
      prompt_block: '',
      tier: 'medium',
      tier_assumed: true,
    });
    expect((body as { reason: string }).reason).toContain('read');
  });

  test("QEL-26 S-2 the threshold is the project's own if it has set one, and never another project's", async () => {
    await putThreshold(project, {
      verifier: 'code',
      key: 'xlarge',
      body: ThresholdBody.parse({ value: 90 }),
    });
    const other = await createTestProject(runtime);
    await putThreshold(other, {
      verifier: 'code',
      key: 'small',
      body: ThresholdBody.parse({ value: 99 }),
    });
    expect(
      (await post({ request: 'Create app.py', model: 'claude-sonnet-4-5' })).body,
    ).toMatchObject({
      tier: 'xlarge',
      pass_threshold: 90,
    });
    expect((await post({ request: 'Create app.py', model: 'llama3.1:8b' })).body).toMatchObject({
      tier: 'small',
      pass_threshold: 65,
    });
  });

  test('a body over its limits, or without a request, is refused, naming the member', async () => {
    for (const [body, path] of [
      [{ model: 'x' }, 'request'],
      [{ request: 'x'.repeat(200_001) }, 'request'],
      [{ request: 'x', model: 'm'.repeat(301) }, 'model'],
    ] as const) {
      const refused = await post(body);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        error: { code: 'invalid_request', details: [{ path }] },
      });
    }
  });

  test('an Idempotency-Key gives the same answer again, and refuses another body', async () => {
    const headers = { 'idempotency-key': 'contract-1' };
    const one = await post({ request: 'Create app.py' }, headers);
    expect(await post({ request: 'Create app.py' }, headers)).toEqual(one);
    expect((await post({ request: 'Create b.py' }, headers)).status).toBe(409);
  });
});
