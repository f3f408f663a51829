import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { SOME_CONTEXT } from '../../../testing/some-context';
import {
  type Actor,
  createKey,
  createProject,
  createSimulatedProject,
  openProjectAsSystem,
  type ProjectCtx,
} from '../../access';
import { fillReviewQueues } from '../../labels';
import type { Runtime } from '../../runtime';

/**
 * A demo project, dated by the data sent to it, next to one that is not: the times of all rows that
 * pages and reports aggregate by day.
 */

const dayMs = 86_400_000;
const system: Actor = { kind: 'system', id: 'test', label: 'test' };
/** Twelve days ago at noon: so that no wait for a verdict extends into the next day. */
const past = new Date(
  Math.floor(Date.now() / dayMs) * dayMs - 12 * dayMs + dayMs / 2,
).toISOString();
const pastDay = past.slice(0, 10);
const future = new Date(Date.now() + dayMs).toISOString();

interface Side {
  readonly project: ProjectCtx;
  readonly send: (
    path: string,
    body: unknown,
  ) => Promise<{ status: number; body: Record<string, unknown> }>;
}

let runtime: Runtime;
let simulated: Side;
let normal: Side;

async function sideOf(project: ProjectCtx): Promise<Side> {
  const { key } = await createKey(project, {
    name: 'k',
    scopes: ['ingest', 'verify', 'read', 'write'],
  });
  return {
    project,
    async send(path, body) {
      const response = await appOf(runtime).request(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

test.beforeAll(async ({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
  const slug = `p-${randomBytes(5).toString('hex')}`;
  await createSimulatedProject(runtime.ctx, system, { slug, name: slug });
  simulated = await sideOf(await openProjectAsSystem(runtime.ctx, slug, 'test'));
  normal = await sideOf(await createTestProject(runtime));
  await work(simulated);
  await work(normal);
});

/**
 * A turn, a task with a mission, and a checkpoint, all of which ended twelve days ago; labelled.
 */
async function work({ send, project }: Side): Promise<void> {
  const turn = {
    id: 't-1',
    session_id: 's-1',
    model: 'a/b',
    context: SOME_CONTEXT,
    output: 'It is 42 %.',
    ended_at: past,
  };
  expect(await send('/v1/turns', { turns: [turn] })).toMatchObject({ body: { accepted: 1 } });
  const task = {
    id: 'k-1',
    mission_id: 'm-1',
    task_output: 'Two apples.',
    success_criteria: [{ check: 'min_length', value: 3 }],
    ended_at: past,
  };
  expect(await send('/v1/verify/task', task)).toMatchObject({ status: 200 });
  const output = { agent: 'a', summary: 'Done.', data: {}, confidence: 0.9, tools_used: [] };
  const checkpoint = {
    id: 'o-1',
    trace_id: 'tr-1',
    subgoal: { id: 'g', description: 'Do it' },
    output,
    ended_at: past,
  };
  expect(await send('/v1/verify/agent-output', checkpoint)).toMatchObject({ status: 200 });
  await drainWork(runtime);
  await send('/v1/outcomes', {
    outcomes: [{ id: `l-${project.projectId}`, turn_id: 't-1', success: true }],
  });
}

/**
 * The UTC days of all rows of a project that have a day or a time, by table; finished work has
 * none.
 */
async function daysOf({ project }: Side): Promise<Record<string, string[]>> {
  const id = project.projectId;
  const moments = {
    verdicts: 'settled_at',
    turns: 'received_at',
    subjects: 'created_at',
    mission_events: 'created_at',
    pipelines: 'last_at',
    sessions: 'received_at',
    decisions: 'decided_at',
    judgements: 'at',
  };
  const days = [
    'verdict_rollups',
    'verdict_populations',
    'verdict_spreads',
    'integrity_rollups',
    'decision_rollups',
    'intake_rollups',
    'judgement_rollups',
  ];
  const found = new Map<string, string[]>();
  const note = async (table: string, column: string) => {
    const rows = await runtime.ctx.sql.unsafe<{ day: string }[]>(
      `select distinct (${column})::text as day from ${table} where project_id = '${id}' order by 1`,
    );
    found.set(
      table,
      rows.map(({ day }) => day),
    );
  };
  for (const [table, column] of Object.entries(moments))
    await note(table, `(${column} at time zone 'UTC')::date`);
  for (const table of days) await note(table, 'day');
  return Object.fromEntries(found);
}

test('a simulated project is dated by its work, down to the day of every rollup; any other by the clock', async () => {
  const inPast = await daysOf(simulated);
  expect(
    Object.entries(inPast).filter(([, days]) => days.length !== 1 || days[0] !== pastDay),
  ).toEqual([]);
  const today = Object.values(await daysOf(normal)).flat();
  expect(today.length).toBeGreaterThan(10);
  expect(today).not.toContain(pastDay);
  const waits = await runtime.ctx.sql<{ created: string; wait: number }[]>`
    select created_at as created, extract(epoch from settled_at - created_at)::float8 as wait from verdicts where project_id = ${simulated.project.projectId}`;
  expect(waits).toHaveLength(3);
  for (const { created, wait } of waits) {
    expect(new Date(created).toISOString()).toBe(past);
    // Later by the real duration of the verification.
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThan(600);
  }
});

test('labels keep the time they were given at, in a simulated project only', async () => {
  const verdictOf = async ({ project }: Side) => {
    const [row] = await runtime.ctx.sql<
      { id: string }[]
    >`select id from verdicts where project_id = ${project.projectId} and kind = 'task'`;
    return row?.id ?? '';
  };
  const labelBody = { verdict: 'fail', reason: 'too short', created_at: past };
  const taken = await simulated.send(
    `/v1/verifications/${await verdictOf(simulated)}/overrides`,
    labelBody,
  );
  expect(taken).toMatchObject({ status: 201, body: { created_at: past } });
  const refused = await normal.send(
    `/v1/verifications/${await verdictOf(normal)}/overrides`,
    labelBody,
  );
  expect(refused).toMatchObject({
    status: 422,
    body: { error: { details: [{ path: 'created_at' }] } },
  });
  const outcome = { subject_id: 't-1', success: true, created_at: past };
  expect(
    await simulated.send('/v1/outcomes', { outcomes: [{ ...outcome, id: 'dated' }] }),
  ).toMatchObject({ body: { accepted: 1 } });
  expect(
    await normal.send('/v1/outcomes', { outcomes: [{ ...outcome, id: 'dated' }] }),
  ).toMatchObject({
    body: {
      accepted: 0,
      rejected: [
        {
          code: 'refused',
          message: expect.stringMatching(/^`created_at` must be left out: /) as string,
        },
      ],
    },
  });
  const [label] = await runtime.ctx.sql<
    { at: string }[]
  >`select created_at as at from labels where id = 'dated'`;
  expect(new Date(label?.at ?? 0).toISOString()).toBe(past);
});

test('future times are refused, naming the field; of a batch only that turn', async () => {
  const late = { id: 'late', context: SOME_CONTEXT, output: 'It is 42 %.', ended_at: future };
  expect(
    await simulated.send('/v1/turns', {
      turns: [late, { id: 'early', context: SOME_CONTEXT, output: 'It is 42 %.', ended_at: past }],
    }),
  ).toMatchObject({
    body: {
      accepted: 1,
      rejected: [{ index: 0, message: expect.stringMatching(/^`ended_at` /) as string }],
    },
  });
  const cases = [
    ['/v1/verify/integrity', late, 'ended_at'],
    [
      '/v1/verify/task',
      { id: 'late', task_output: 'Two apples.', success_criteria: [], ended_at: future },
      'ended_at',
    ],
  ] as const;
  for (const [path, body, field] of cases) {
    expect(await simulated.send(path, body), path).toMatchObject({
      status: 422,
      body: { error: { details: [{ path: field }] } },
    });
    expect((await normal.send(path, body)).status, path).toBe(200);
  }
  await drainWork(runtime);
});

test('the review queue reads verdicts that settled, by their own time, behind its cursor', async () => {
  while ((await fillReviewQueues(runtime.ctx)) > 0);
  await simulated.send('/v1/turns', {
    turns: [{ id: 't-2', context: SOME_CONTEXT, output: 'It is 42 %.', ended_at: past }],
  });
  await drainWork(runtime);
  expect(await fillReviewQueues(runtime.ctx)).toBeGreaterThan(0);
});

test('only local set-up can create a simulated project', async () => {
  const user: Actor = {
    kind: 'user',
    id: 'usr_1',
    label: 'owner@example.org',
    role: 'owner',
    operator: true,
  };
  const input = { slug: 'forbidden', name: 'Forbidden' };
  await expect(createSimulatedProject(runtime.ctx, user, input)).rejects.toThrow(
    'only the command line',
  );
  await createProject(runtime.ctx, system, { ...input, simulated: true } as typeof input);
  expect((await openProjectAsSystem(runtime.ctx, input.slug, 'test')).simulated).toBe(false);
});
