import { afterEach, beforeEach, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import { type ScriptedLlm, textOf } from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import { overrideVerdict } from '../../labels';
import { putProvider } from '../../llm';
import { claimSlowWork } from '../../queue';
import type { Runtime } from '../../runtime';
import { verifyClaimed } from '../verify';

/** Consistency and missions, judged by a scripted provider. */

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
});

beforeEach(async () => {
  ({ project, key } = await newProject());
});

afterEach(() => llm.answerWith(null));

async function newProject(): Promise<{ project: ProjectCtx; key: string }> {
  const made = await createTestProject(runtime);
  await putProvider(made, 'openai', {
    kind: 'openai',
    base_url: llm.baseUrl,
    api_key: 'sk-test',
    models: ['gpt-4o-mini'],
    enabled: true,
  });
  return {
    project: made,
    key: (await createKey(made, { name: 'k', scopes: ['verify', 'read', 'write'] })).key,
  };
}

interface Reply {
  readonly id: string;
  readonly outcome: string | null;
  readonly verdict: string | null;
  readonly needs_human_review: boolean;
  readonly decision: object;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details: readonly object[];
  };
}

async function call(
  method: string,
  path: string,
  body?: object,
  bearer = key,
): Promise<{ readonly status: number; readonly reply: Reply }> {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, reply: (await response.json()) as Reply };
}

const post = (kind: string, body: object, bearer?: string) =>
  call('POST', `/v1/verify/${kind}`, { wait_ms: 0, ...body }, bearer);

/** The verdict after calling its judge, in place of the slow lane. */
async function judged({ id }: Reply): Promise<Reply> {
  const work = await claimSlowWork(runtime.ctx, {
    owner: 'slow',
    projectId: project.projectId,
    id,
  });
  if (work !== null)
    await verifyClaimed(runtime.ctx, runtime.subjects, {
      owner: 'slow',
      claimed: [work],
      signal: new AbortController().signal,
      asks: true,
    });
  return (await call('GET', `/v1/verifications/${id}`)).reply;
}

/** The judge's input, and the code of its question. */
const lastPrompt = (): string => textOf(llm.calls.at(-1)?.body);
const nonceOf = (text: string): string => /<data nonce="([0-9a-f]{32})"/.exec(text)?.[1] ?? '';

const summary = (): void =>
  llm.answerWith(({ body }) => ({
    text: JSON.stringify({
      nonce: nonceOf(textOf(body)),
      reasoning: 'Seen.',
      summary: 'Reached.',
      weakest: [],
      score: 4,
      confidence: 0.9,
    }),
  }));

const mission = (tasks: readonly object[]) => ({
  mission_id: 'm-1',
  description: 'Find the cause of the outage',
  tasks,
});
const task = (id: string, more: object = {}) => ({
  task_id: id,
  output: `Work of ${id}.`,
  ...more,
});
const check = (value: number) => ({
  success_criteria: [{ check: 'min_length', value }],
  task_output: 'The disk was full.',
});

test('VS-17 VS-41 a task of a mission is shown with the verdict of the verification that it names, not the one its caller claims', async () => {
  const poor = (
    await post('task', {
      ...check(500),
      success_criteria: [{ check: 'min_length', value: 500, must_pass: false }],
    })
  ).reply;
  const good = (await post('task', check(1))).reply;
  expect([poor.verdict, good.verdict]).toEqual(['fail', 'pass']);
  summary();
  const tasks = [
    task('t1', { verification_id: good.id }),
    task('t2', { verification_id: poor.id, score: 1, verdict: 'pass' }),
    task('t3'),
  ];
  expect(await judged((await post('mission', mission(tasks))).reply)).toMatchObject({
    verdict: 'pass',
  });
  const data = JSON.parse(
    lastPrompt()
      .split('\n')
      .find((line) => line.startsWith('[{')) ?? '[]',
  ) as unknown;
  expect(data).toMatchObject([
    { task: 1, score: 1, verdict: 'pass' },
    { task: 2, score: 0, verdict: 'fail' },
    { task: 3, output: 'Work of t3.' },
  ]);
  expect(Object.keys((data as object[])[2] ?? {})).not.toContain('score');
});

test('X-10 the same mission again is the same verification, though a person overruled one of its tasks meanwhile', async () => {
  const poor = (await post('task', check(500))).reply;
  summary();
  const body = { ...mission([task('t1', { verification_id: poor.id })]), id: 'mission-1' };
  const first = (await post('mission', body)).reply;
  await overrideVerdict(project, {
    verdictId: poor.id,
    verdict: 'pass',
    reason: 'Short is right here.',
  });
  expect((await post('mission', body)).reply.id).toBe(first.id);
});

test('S-2 an unknown verification is refused by name, and so is one of another project', async () => {
  const other = await newProject();
  const theirs = (await post('task', check(1), other.key)).reply;
  for (const id of ['ver_nobodys', theirs.id]) {
    const { status, reply } = await post(
      'mission',
      mission([task('t1'), task('t2', { verification_id: id })]),
    );
    expect(status).toBe(422);
    expect(reply.error).toMatchObject({
      code: 'refused',
      details: [
        {
          path: 'tasks[1].verification_id',
          message: `\`tasks[1].verification_id\` names no verification of this project: "${id}".`,
        },
      ],
    });
  }
  const rows = await runtime.ctx
    .sql`select 1 from subjects where project_id = ${project.projectId}`;
  expect(rows).toHaveLength(0);
});

test('VS-42 outputs are compared with each other, with their common context', async () => {
  llm.answerWith(({ body }) => ({
    text: JSON.stringify({
      nonce: nonceOf(textOf(body)),
      reasoning: 'Compared.',
      issues: [],
      score: 5,
      confidence: 0.9,
    }),
  }));
  const outputs = [task('a'), task('b')];
  const pending = (
    await post('consistency', { outputs, shared_context: { brief: 'The disk is that of web-1.' } })
  ).reply;
  expect(await judged(pending)).toMatchObject({ verdict: 'consistent', outcome: 'passed' });
  expect(lastPrompt()).toContain('The disk is that of web-1.');
});

test.each([
  ['consistency', { outputs: [task('a'), task('b')] }],
  ['mission', mission([task('a')])],
])(
  'VS-39 a %s under the cost floor is skipped: no judge and no person is called',
  async (kind, body) => {
    const before = llm.calls.length;
    const { reply } = await post(kind, { ...body, cost_usd: 0.01 });
    expect(reply).toMatchObject({
      outcome: 'skipped',
      verdict: null,
      needs_human_review: false,
      decision: { state: 'bypassed' },
    });
    expect(llm.calls.length).toBe(before);
  },
);
