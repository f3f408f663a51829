import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { updateSettings } from '../../verdicts';

/** Verifications by mission and task, and the cost of a mission. */

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  key = (await createKey(project, { name: 'k', scopes: ['verify', 'read'] })).key;
  await updateSettings(project, { bypassBelowUsd: 5 });
  for (const [id, mission, task, cost, criteria] of submissions) {
    const body = {
      id,
      mission_id: mission,
      task_id: task,
      cost_usd: cost,
      task_output: 'The plan is whole.',
      success_criteria: criteria,
    };
    await call('POST', '/v1/verify/task', body);
  }
  await call('POST', '/v1/verify/task', {
    id: 'w6',
    mission_id: 'm-1',
    task_id: 't-3',
    mode: 'async',
    task_output: 'x',
    success_criteria: [],
  });
});

const good = [{ check: 'keywords', value: ['plan'] }];
const bad = [{ check: 'keywords', value: ['budget'] }];
const submissions: readonly (readonly [
  id: string,
  mission: string | null,
  task: string | null,
  cost: number | null,
  criteria: readonly unknown[],
])[] = [
  ['w1', 'm-1', 't-1', 0.5, good],
  ['w2', 'm-1', 't-2', 1, bad],
  ['w3', 'm-1', 't-2', 0.25, ['Names an owner']],
  ['w4', 'm-2', 't-1', null, good],
  ['w5', null, null, 3, good],
];

interface Listed {
  readonly data: readonly {
    readonly client_id: string;
    readonly outcome: string | null;
    readonly decision: { readonly state: string } | null;
  }[];
}

async function call(
  method: string,
  path: string,
  body?: object,
  bearer = key,
): Promise<{ status: number; reply: unknown }> {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, reply: await response.json() };
}

test.each([
  ['mission_id=m-1', ['w1', 'w2', 'w3']],
  ['mission_id=m-2', ['w4']],
  ['mission_id=m-1&task_id=t-2', ['w2', 'w3']],
  ['task_id=t-1', ['w1', 'w4']],
  ['mission_id=m-1&outcome=failed', ['w2']],
  ['mission_id=m-1&outcome=skipped', ['w3']],
  ['mission_id=m-9', []],
  ['mission_id=m-1&state=pending', ['w6']],
  ['mission_id=m-2&state=pending', []],
])('VS-45 verifications are listed by %s', async (query, ids) => {
  const { status, reply } = await call('GET', `/v1/verifications?${query}`);
  expect(status).toBe(200);
  expect((reply as Listed).data.map(({ client_id: id }) => id).toSorted()).toEqual(ids);
});

test('VS-38 VS-41 a mission has its verdicts, the cost of its work with retries, and that of judging it', async () => {
  const { status, reply } = await call('GET', '/v1/missions/m-1');
  expect(status).toBe(200);
  expect(reply).toMatchObject({
    id: 'm-1',
    tasks: 3,
    counts: { passed: 1, failed: 1, needs_review: 0, inconclusive: 0, skipped: 1, pending: 1 },
    cost: { work_usd: 1.75, judging_usd: 0, usd_at_least: false, share: 0 },
    next_cursor: null,
  });
  expect(
    (reply as { verdicts: Listed['data'] }).verdicts.map(({ client_id: id }) => id).toSorted(),
  ).toEqual(['w1', 'w2', 'w3']);
  const unpriced = await call('GET', '/v1/missions/m-2');
  expect(unpriced.reply).toMatchObject({ cost: { work_usd: null, share: null } });
});

test('VS-39 under the cost floor a criterion that needs a judge is skipped, bypassed and awaits no one', async () => {
  const { reply } = await call('GET', '/v1/verifications?mission_id=m-1&outcome=skipped');
  expect((reply as Listed).data[0]).toMatchObject({
    verdict: null,
    needs_human_review: false,
    decision: { state: 'bypassed', reason: 'below_cost_floor' },
  });
});

test('a mission of another project is unknown, and so is one without verifications', async () => {
  const other = await createTestProject(runtime);
  const { key: foreign } = await createKey(other, { name: 'k', scopes: ['read'] });
  expect((await call('GET', '/v1/missions/m-1', undefined, foreign)).status).toBe(404);
  expect((await call('GET', '/v1/missions/m-9')).status).toBe(404);
});
