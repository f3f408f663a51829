import { beforeEach, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import { measureVerifiers } from '../../measures';
import { undoLabel } from '../../labels';
import type { Runtime } from '../../runtime';

/** Actions of people on work that did not pass. Only checks decide here: no provider is needed. */

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['verify', 'read', 'write'] }));
});

async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const section = { check: 'required_sections', value: ['Cause'] };
const body = { task_description: 'Report', task_output: 'The disk was full.' };
const verify = async (more: object) =>
  (await call('POST', '/v1/verify/task', { ...body, ...more })).body;
const failed = () => verify({ success_criteria: [section], retries_used: 2 });
const partial = () =>
  verify({
    success_criteria: [
      { ...section, must_pass: false },
      { check: 'min_length', value: 1 },
    ],
  });
const passed = () => verify({ success_criteria: [{ check: 'min_length', value: 1 }] });
const decide = (id: unknown, decision: object) =>
  call('POST', `/v1/verifications/${String(id)}/overrides`, decision);
const read = async (id: unknown) => (await call('GET', `/v1/verifications/${String(id)}`)).body;

test.each([
  ['a failed task', failed, 'fail', 'escalate'],
  ['a partial one', partial, 'partial', 'retry'],
] as const)(
  'VS-28 %s is accepted with a warning: the verdict is kept, and is marked',
  async (_title, make, verdict, action) => {
    const { id } = await make();
    const before = await read(id);
    expect(before).toMatchObject({
      verdict,
      action,
      effective_action: action,
      low_confidence: false,
    });
    const { status, body: label } = await decide(id, {
      action: 'accept_with_warning',
      reason: 'It must go out today.',
    });
    expect(status).toBe(201);
    expect(label).toMatchObject({
      action: 'accept_with_warning',
      verdict: null,
      grade: null,
      machine_verdict: verdict,
    });
    expect(await read(id)).toEqual({
      ...before,
      effective_action: 'accept_with_warning',
      low_confidence: true,
      overrides: [
        expect.objectContaining({
          action: 'accept_with_warning',
          reason: 'It must go out today.',
          undone: false,
        }),
      ],
    });
  },
);

test('VS-28 a retry continues from the previous attempt: the feedback contains the work, and the next attempt is counted', async () => {
  const { id } = await failed();
  await decide(id, { action: 'retry', reason: 'The cause is known by now.' });
  const decided = await read(id);
  expect(decided).toMatchObject({
    action: 'escalate',
    effective_action: 'retry',
    retries: { used: 2, budget: 2 },
  });
  expect(decided.feedback).toMatch(
    /do not start again[^]*Has the section "Cause"[^]*The disk was full\./,
  );
  const next = await verify({
    success_criteria: [section],
    task_output: '# Cause\nThe disk was full.',
    retries_used: 3,
  });
  expect(next).toMatchObject({ verdict: 'pass', retries: { used: 3, budget: 2 } });
});

test('VS-28 it is handed to another person, with the reasoning; an undone action no longer counts', async () => {
  const { id } = await partial();
  await decide(id, { id: 's-1', action: 'accept_with_warning', reason: 'Enough for now.' });
  await decide(id, { id: 's-2', action: 'escalate', reason: 'The owner of the disk should say.' });
  expect(await read(id)).toMatchObject({
    effective_action: 'escalate',
    low_confidence: false,
    overrides: [{ id: 's-1' }, { id: 's-2' }],
  });
  await undoLabel(project, 's-2');
  expect(await read(id)).toMatchObject({
    effective_action: 'accept_with_warning',
    low_confidence: true,
  });
  await undoLabel(project, 's-1');
  expect(await read(id)).toMatchObject({ effective_action: 'retry', low_confidence: false });
  expect((await decide(id, { id: 's-1', action: 'escalate' })).status).toBe(409);
});

test('VS-28 an action does not rule on the verifier; a verdict sent with it does', async () => {
  const { id } = await failed();
  await decide(id, { action: 'accept_with_warning', reason: 'It must go out today.' });
  const countsOf = async () =>
    (await measureVerifiers(project, {})).find(({ verifier }) => verifier === 'task')?.counts;
  expect(await countsOf()).toMatchObject({ ruled: 0, caught: 0, rejected: 0 });
  expect(await read(id)).toMatchObject({ effective_verdict: 'fail' });
  await decide(id, {
    action: 'accept_with_warning',
    verdict: 'pass',
    reason: 'The section has another name.',
  });
  expect(await countsOf()).toMatchObject({ ruled: 1, overruled: 1, rejected: 1 });
  expect(await read(id)).toMatchObject({ effective_verdict: 'pass', low_confidence: true });
});

test.each([
  ['what passed', passed, { action: 'escalate' }, 422],
  ['no reason for a warning', failed, { action: 'accept_with_warning', reason: ' ' }, 422],
  [
    'a retry where nothing is to mend',
    async () => verify({ success_criteria: ['Is clear'] }),
    { action: 'retry' },
    422,
  ],
  ['an action that people do not have', failed, { action: 'accept' }, 400],
] as const)(
  'VS-28 %s is refused, and nothing is stored',
  async (_title, make, expected, status) => {
    const { id } = await make();
    expect((await decide(id, expected)).status).toBe(status);
    expect(await read(id)).toMatchObject({ overrides: [] });
  },
);
