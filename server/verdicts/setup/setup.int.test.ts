import { expect } from 'vitest';
import {
  createTestMember,
  createTestProject,
  createTestRuntime,
  drainWork,
  type TestDatabase,
} from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, inviteMember, type ProjectCtx } from '../../access';
import { overrideVerdict } from '../../labels';
import { putProvider } from '../../llm';
import { savePrompt } from '../../prompts';
import type { Runtime } from '../../runtime';
import { putThreshold } from '../../thresholds';
import { ThresholdBody } from '../../thresholds/input';
import { ingestTurns } from '../../ingest';
import { createCallContext, createCaller } from '../../api/trpc';
import type { SetupState } from '..';

let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;
/** Callers of an owner and of a viewer of the project. */
let owner: ReturnType<typeof createCaller>;
let viewer: ReturnType<typeof createCaller>;
/** The caller of the owner of another project in the same database. */
let neighbour: ReturnType<typeof createCaller>;
let other: ProjectCtx;

async function memberOf(of: ProjectCtx, role: 'owner' | 'viewer') {
  const { cookie } = await createTestMember(runtime, of, role);
  return createCaller(createCallContext(runtime, new Headers({ cookie })));
}

test.beforeAll(async ({ database: ownDatabase, runtime: ownRuntime, project: ownProject }) => {
  database = ownDatabase;
  runtime = ownRuntime;
  project = ownProject;
  other = await createTestProject(runtime);
  owner = await memberOf(project, 'owner');
  neighbour = await memberOf(other, 'owner');
});

const read = (): Promise<SetupState> => owner.setup.get({ project: project.projectSlug });

async function sendTurn(): Promise<void> {
  const turn = {
    id: 'first',
    output: 'web-1 is at 91.4%.',
    tools: [{ id: 'tc1', name: 'disk', result: { disk_pct: 91.4 } }],
  };
  const body = Buffer.from(JSON.stringify({ turns: [turn] }));
  await ingestTurns(project, runtime.writer, {
    body,
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
}

/** In the order in which they are done: ticked steps stay ticked. */
const ways: readonly (readonly [keyof SetupState['steps'], () => Promise<unknown>])[] = [
  ['key', () => createKey(project, { name: 'k', scopes: ['ingest'] })],
  ['trace', sendTurn],
  ['verdict', () => drainWork(runtime)],
  [
    'ruling',
    async () =>
      overrideVerdict(project, { verdictId: (await read()).latestVerdictId ?? '', grade: 4 }),
  ],
  [
    'model',
    () =>
      putProvider(project, 'judge', {
        kind: 'openai',
        api_key: 'sk-judge',
        models: ['gpt-4o-mini'],
        enabled: true,
      }),
  ],
  [
    'threshold',
    () =>
      putThreshold(project, {
        verifier: 'task',
        key: 'pass_threshold',
        body: ThresholdBody.parse({ value: 0.8, reason: 'stricter' }),
      }),
  ],
  [
    'prompt',
    () => {
      const body = `${runtime.prompts.get('task-rubric')?.body ?? ''}\nQuote what you judge.\n`;
      return savePrompt(project, runtime.prompts, { slug: 'task-rubric', body, message: 'quotes' });
    },
  ],
  [
    'gateway',
    () => runtime.ctx.sql`
      insert into gateway_rollups (project_id, hour, route, verdict, reason, calls, dropped)
      values (${project.projectId}, now(), 'openai', 'not_verified', 'not_due', 1, 0)`,
  ],
  ['member', () => inviteMember(project, { email: 'second@example.org', role: 'reviewer' })],
];

test('each step of set-up is ticked by stored data, and by nothing else', async () => {
  const done = new Set<string>();
  const ticked = async () =>
    Object.entries((await read()).steps).flatMap(([step, isDone]) => (isDone ? [step] : []));
  expect(await ticked()).toEqual([]);
  for (const [step, doIt] of ways) {
    await doIt();
    done.add(step);
    expect((await ticked()).sort(), step).toEqual([...done].sort());
  }
  expect([...done].sort()).toEqual(Object.keys((await read()).steps).sort());
  // Another project's steps do not count here, and vice versa.
  expect(
    Object.values((await neighbour.setup.get({ project: other.projectSlug })).steps),
  ).not.toContain(true);
});

test('a key of the environment is a model to call; a disabled provider is not', async () => {
  const inherits = createTestRuntime(database.url, { OPENAI_API_KEY: 'sk-of-the-environment' });
  const has = async (from: Runtime) => {
    const { cookie } = await createTestMember(from, other, 'viewer');
    const caller = createCaller(createCallContext(from, new Headers({ cookie })));
    return (await caller.setup.get({ project: other.projectSlug })).steps.model;
  };
  expect(await has(inherits)).toBe(true);
  await putProvider(other, 'openai', {
    kind: 'openai',
    api_key: 'sk-judge',
    models: ['gpt-4o-mini'],
    enabled: false,
  });
  expect(await has(inherits)).toBe(false);
  expect(await has(runtime)).toBe(false);
  await inherits.close();
});

test('set-up is hidden for oneself alone, and shown again; repeating it changes nothing', async () => {
  viewer = await memberOf(project, 'viewer');
  const hidden = async () => {
    const seen = await Promise.all(
      [owner, viewer].map((each) => each.setup.get({ project: project.projectSlug })),
    );
    return seen.map((each) => each.hidden);
  };
  const hide = (is: boolean) => viewer.setup.hide({ project: project.projectSlug, hidden: is });
  await hide(true);
  await hide(true);
  expect(await hidden()).toEqual([false, true]);
  await hide(false);
  await hide(false);
  expect(await hidden()).toEqual([false, false]);
  const rows = await runtime.ctx.sql<{ action: string }[]>`
    select action from audit_events where project_id = ${project.projectId} and action like 'setup.%' order by id`;
  expect(rows.map(({ action }) => action)).toEqual(['setup.hide', 'setup.show']);
});
