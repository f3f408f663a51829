import { beforeEach, expect } from 'vitest';
import { appOf } from '../../testing/app';
import { createTestProject, drainRefreshQueue } from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, type ProjectCtx } from '../access';
import { splitOf } from '../domain';
import { overrideVerdict, undoLabel } from '../labels';
import type { Runtime } from '../runtime';
import { findLabelledExamples } from './labelled-examples';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, {
    name: 'k',
    scopes: ['verify', 'read', 'write', 'ingest'],
  }));
});

interface Verified {
  readonly id: string;
  readonly subjectId: string;
}

/** A task that its checks decide; every second one is in a session of two. */
async function verify(n: number): Promise<Verified> {
  const response = await appOf(runtime).request('/v1/verify/task', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      task_output: `The plan ${n} is whole.`,
      success_criteria: [{ check: 'keywords', value: ['plan'] }],
      ...(n % 2 === 0 ? { session_id: `session-${n >> 2}` } : {}),
    }),
  });
  const { id } = (await response.json()) as { id: string };
  const [row] = await project.sql<{ subject_id: string }[]>`
    select subject_id from verdicts where project_id = ${project.projectId} and id = ${id}`;
  return { id, subjectId: row?.subject_id ?? '' };
}

const label = (verdictId: string, good: boolean, reason: string | null = null) =>
  overrideVerdict(project, { verdictId, verdict: good ? 'pass' : 'fail', reason });

const find = (limit = 100) =>
  findLabelledExamples(runtime.ctx, {
    projectId: project.projectId,
    verifier: 'task',
    subjectKind: 'task',
    limit,
  });

test('calibration 5.10 examples come from the split for prompts: none is held out, and none tunes thresholds', async () => {
  const verified: Verified[] = [];
  for (let n = 0; n < 60; n++) verified.push(await verify(n));
  expect(await find()).toEqual([]);
  const labelled = new Map<string, boolean>();
  const labels = new Map<string, string>();
  for (const [n, { id, subjectId }] of verified.entries()) {
    const made = await label(id, n % 3 !== 0, `Reason ${n}.`);
    labels.set(subjectId, made.id);
    labelled.set(subjectId, n % 3 !== 0);
  }
  await drainRefreshQueue(runtime);

  const found = await find();
  const sessions = await project.sql<{ id: string; session_id: string | null }[]>`
    select id, session_id from subjects where project_id = ${project.projectId} and kind = 'task'`;
  const splits = new Map(sessions.map(({ id, session_id: s }) => [id, splitOf(s ?? id)]));
  const train = [...labelled.keys()].filter((id) => splits.get(id) === 'train');
  expect(train.length).toBeGreaterThan(0);
  expect(found.map(({ subjectId }) => subjectId).sort()).toEqual(train.sort());
  for (const { subjectId, good, reason, content } of found) {
    expect(good).toBe(labelled.get(subjectId));
    const n = verified.findIndex((each) => each.subjectId === subjectId);
    expect(reason).toBe(`Reason ${n}.`);
    expect(content).toContain(`The plan ${n} is whole.`);
  }

  expect(await find()).toEqual(found);
  const few = await find(1);
  expect(few.filter(({ good }) => good).length).toBeLessThanOrEqual(1);
  expect(few.filter(({ good }) => !good).length).toBeLessThanOrEqual(1);

  const [first] = found;
  await undoLabel(project, labels.get(first?.subjectId ?? '') ?? '');
  await drainRefreshQueue(runtime);
  expect((await find()).map(({ subjectId }) => subjectId)).not.toContain(first?.subjectId);
});

test('S-2 labels of another project are no examples', async () => {
  const other = await createTestProject(runtime);
  for (let n = 0; n < 30; n++) await label((await verify(n)).id, true);
  await drainRefreshQueue(runtime);
  const found = await findLabelledExamples(runtime.ctx, {
    projectId: other.projectId,
    verifier: 'task',
    subjectKind: 'task',
    limit: 100,
  });
  expect(found).toEqual([]);
});
