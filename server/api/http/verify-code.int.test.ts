import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startEdge, startWorker } from '../../../testing/processes';
import { createStack, type Stack } from '../../../testing/stack';
import { until } from '../../../testing/until';
import { getSession } from '../../ingest';

/** Code through the public API: an edge, a worker, and this machine's sandbox. */

let stack: Stack;
let url = '';

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  ({ url } = await startEdge(stack.variables));
  await startWorker(stack.variables);
});
afterAll(() => stack.close());

interface Reply {
  readonly outcome: string;
  readonly verdict: string | null;
  readonly score: number | null;
  readonly threshold: { readonly value: number; readonly source: string } | null;
  readonly code: {
    readonly points: Record<string, number>;
    readonly gates: {
      readonly status: string;
      readonly command: string;
      readonly stderr: string;
    }[];
    readonly nudge: string | null;
    readonly repair: { readonly iteration: number };
    readonly trajectory: { readonly iteration: number }[];
    readonly boost_suggestion: string | null;
  };
}

const verify = async (body: object): Promise<{ status: number; body: Reply }> => {
  const response = await fetch(`${url}/v1/verify/code`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ wait_ms: 60_000, ...body }),
  });
  return { status: response.status, body: (await response.json()) as Reply };
};

const request = 'Create server.py with a Flask API that has the route /api/tasks and a class Task.';
const good = [
  'from flask import Flask, jsonify',
  'app = Flask(__name__)',
  'class Task:',
  '    def __init__(self, title):',
  '        self.title = title',
  "@app.route('/api/tasks')",
  'def tasks():',
  "    return jsonify([Task('a').title])",
].join('\n');

test('QEL-3 QEL-13 QEL-20 QEL-23 good code passes with the points of its gates, under the threshold of its tier', async () => {
  const { status, body } = await verify({
    request,
    model: 'qwen2.5-coder-7b',
    files: [{ path: 'server.py', content: good }],
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    outcome: 'passed',
    verdict: 'PASS',
    threshold: { value: 65, source: 'tier' },
  });
  expect(body.code.gates.map(({ status: gate }) => gate)).toEqual(['passed']);
  expect(body.code.points.total).toBe(body.score);
});

test('QEL-16 QEL-17 a framework other than the requested one fails, whatever the points, and must be rewritten', async () => {
  const content = good.replace(
    'from flask import Flask, jsonify',
    'from fastapi import FastAPI as Flask\njsonify = list',
  );
  const { body } = await verify({
    request,
    model: 'qwen2.5-coder-7b',
    files: [{ path: 'server.py', content }],
  });
  expect(body).toMatchObject({
    outcome: 'failed',
    verdict: 'FAIL',
    code: { framework: { expected: 'Flask', found: 'FastAPI', violation: true } },
  });
  expect(body.code.nudge).toMatch(/REWRITE server\.py: .*Use Flask, not FastAPI/);
});

test('QEL-20 code that does not compile has 50 points at most', async () => {
  const { body } = await verify({
    request,
    model: 'tinyllama-1b',
    files: [{ path: 'server.py', content: `${good}\ndef broken(:` }],
  });
  expect(body.verdict).toBe('FAIL');
  expect(body.score).toBeLessThanOrEqual(50);
  expect(body.code.gates[0]).toMatchObject({ status: 'failed' });
  expect(body.code.gates[0]?.stderr).toContain('server.py');
});

test('QEL-2 a question is not a creation task: skipped, with the reason; with `force` it is scored', async () => {
  const asked = {
    request: 'What does server.py do?',
    files: [{ path: 'server.py', content: good }],
  };
  expect((await verify(asked)).body).toMatchObject({
    outcome: 'skipped',
    verdict: null,
    score: null,
    decision: { state: 'filtered' },
  });
  expect((await verify({ ...asked, force: true })).body.score).not.toBeNull();
});

test('QEL-33 unfinished work has its gates run, but has no points and does not count for its model', async () => {
  const model = 'partial-7b';
  const broken = {
    request,
    model,
    partial: true,
    files: [{ path: 'server.py', content: `${good}\ndef unfinished(:` }],
  };
  const { body } = await verify(broken);
  expect(body).toMatchObject({
    outcome: 'skipped',
    verdict: null,
    score: null,
    decision: { state: 'filtered' },
    issues: [{ code: 'gate_failed' }],
  });
  expect(body.code.gates).toMatchObject([{ status: 'failed' }]);
  const whole = await verify({
    ...broken,
    files: [{ path: 'server.py', content: `${good}\n# so far` }],
  });
  expect(whole.body).toMatchObject({
    outcome: 'skipped',
    issues: [],
    code: { gates: [{ status: 'passed' }], nudge: null },
  });
  expect(
    (await verify({ ...broken, files: [{ path: 'notes.md', content: 'to do' }] })).body.code.gates,
  ).toEqual([]);
  const models = await fetch(`${url}/v1/metrics/models`, {
    headers: { authorization: `Bearer ${stack.key}` },
  });
  expect(
    ((await models.json()) as { data: { model: string }[] }).data.map((row) => row.model),
  ).not.toContain(model);
});

test('QEL-26 a threshold of the call is in points; an unreachable one is refused by name', async () => {
  const call = {
    request,
    model: 'qwen2.5-coder-7b',
    files: [{ path: 'server.py', content: good.replaceAll('Task', 'Memo') }],
  };
  expect((await verify({ ...call, threshold: 100 })).body).toMatchObject({
    verdict: 'FAIL',
    threshold: { value: 100, source: 'task' },
  });
  const refused = await verify({ ...call, threshold: 101 });
  expect(refused).toMatchObject({
    status: 422,
    body: {
      error: {
        details: [{ path: 'threshold', message: '`threshold` must be from 0 to 100, not 101.' }],
      },
    },
  });
});

test('QEL-36 QEL-41 QEL-47 QEL-48 repairs of a session: attempts newest first, three failures suggest a larger model, and each counts once', async () => {
  const stub = 'from flask import Flask\napp = Flask(__name__)\n';
  const work = {
    request: `${request} Also create models.py with a class User.`,
    model: 'repairs-7b',
    session_id: 's-repair',
  };
  const attempt = (repair: number) =>
    verify({
      ...work,
      id: `repair-${repair}`,
      repair,
      files: [{ path: 'server.py', content: `${stub}# attempt ${repair}\n` }],
    });
  await attempt(0);
  await attempt(1);
  const { body } = await attempt(2);
  await attempt(2);
  expect(body.code.trajectory.map(({ iteration }) => iteration)).toEqual([2, 1, 0]);
  expect(body.code.repair).toMatchObject({ iteration: 2, bonus_granted: false });
  expect(body.code.boost_suggestion).not.toBeNull();
  const models = await fetch(`${url}/v1/metrics/models`, {
    headers: { authorization: `Bearer ${stack.key}` },
  });
  const { data } = (await models.json()) as {
    data: { model: string; tier: string; consecutive_failures: number }[];
  };
  expect(data.find(({ model }) => model === 'repairs-7b')).toMatchObject({
    tier: 'small',
    consecutive_failures: 3,
  });
});

test('QEL-20 failing tests that were sent along fail the work, whatever its points', async () => {
  const asked = { request: 'Create sums.py with a function add.', model: 'tests-7b' };
  const files = (body: string) => [
    { path: 'sums.py', content: `def add(a, b):\n    return ${body}\n` },
  ];
  const content =
    'import unittest\nfrom sums import add\n\nclass Sums(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n';
  const run_tests = { runner: 'unittest', files: [{ path: 'test_sums.py', content }] };
  const right = await verify({ ...asked, files: files('a + b'), run_tests });
  expect(right.body).toMatchObject({
    verdict: 'PASS',
    code: { gates: [{ status: 'passed' }, { status: 'passed' }] },
  });
  const wrong = await verify({ ...asked, files: files('a - b'), run_tests });
  expect(wrong.body).toMatchObject({
    verdict: 'FAIL',
    code: { gates: [{ status: 'passed' }, { status: 'failed' }] },
  });
});

/** A trace of one answer, as an agent's own telemetry sends it. */
async function trace(id: string, session: string, service: string): Promise<void> {
  const text = (role: string, content: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-5',
    'session.id': session,
    'gen_ai.input.messages': text('user', request),
    'gen_ai.output.messages': text('assistant', 'Done.'),
  };
  const listed = (values: Record<string, string>) =>
    Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const spans = [
    {
      traceId: id,
      spanId: id.slice(0, 16),
      name: 'chat',
      startTimeUnixNano: '1',
      endTimeUnixNano: '2',
      attributes: listed(attributes),
    },
  ];
  const response = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      resourceSpans: [
        { resource: { attributes: listed({ 'service.name': service }) }, scopeSpans: [{ spans }] },
      ],
    }),
  });
  expect(response.status, await response.text()).toBe(200);
  await until('the trace is assembled', async () => {
    const row = await getSession(stack.project, session).catch(() => null);
    return row !== null && row.turns > 0 ? true : null;
  });
}

test('QEL-4 a session of an external agent is marked so until files of it are verified; one of any other agent never is', async () => {
  await trace('1'.repeat(32), 's-external', 'claude-code');
  await trace('2'.repeat(32), 's-own', 'shop-agent');
  expect(await getSession(stack.project, 's-external')).toMatchObject({
    external: 'Claude Code',
    code: null,
  });
  expect(await getSession(stack.project, 's-own')).toMatchObject({ external: null });
  await verify({
    request,
    session_id: 's-external',
    model: 'external-7b',
    files: [{ path: 'server.py', content: `${good}\n# sent` }],
  });
  expect(await getSession(stack.project, 's-external')).toMatchObject({
    external: null,
    code: { outcome: 'passed' },
  });
});
