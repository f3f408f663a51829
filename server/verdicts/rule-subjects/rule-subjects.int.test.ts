import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  drainWork,
  type TestDatabase,
} from '../../../testing/database';
import type { ProjectCtx } from '../../access';
import { ingestTurns } from '../../ingest';
import { carryOutNext, requestDeletion } from '../../lifecycle';
import { endConversation, listDecisions, planIdle, putRule } from '../../rules';
import { RuleBody } from '../../rules/input';
import type { Runtime } from '../../runtime';
import { listVerdicts, previewRule } from '../index';

let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  runtime = createTestRuntime(database.url);
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  project = await createTestProject(runtime);
});

afterAll(async () => {
  await runtime.close();
  await database.drop();
});

/** A task that is judged by a check alone, without a model. */
const mentions = (word: string) => ({
  success_criteria: { value: [{ check: 'regex', value: word }] },
});
const put = (name: string, body: Record<string, unknown>) =>
  putRule(project, runtime.rules, name, RuleBody.parse(body));

async function send(turns: readonly Record<string, unknown>[]): Promise<void> {
  const taken = await ingestTurns(project, runtime.writer, {
    body: Buffer.from(JSON.stringify({ turns })),
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
  expect(taken.rejected).toEqual([]);
}

const sourced = (id: string, output: string, over: Record<string, unknown> = {}) => ({
  id,
  input: 'How full is the disk?',
  output,
  tools: [{ name: 'df', result: { used_percent: 91.4 } }],
  ...over,
});

async function verdictsOf(verifier: string) {
  const { items } = await listVerdicts(project, { verifier });
  return items
    .map(({ turnId, outcome, verdict }) => ({ turnId, outcome, verdict }))
    .toSorted((a, b) => String(a.turnId).localeCompare(String(b.turnId)));
}

const statesOf = async (rule: string) =>
  Object.fromEntries(
    (await listDecisions(project, { rule })).items.map((each) => [
      each.subjectId,
      each.reason === null ? each.state : `${each.state}: ${each.reason}`,
    ]),
  );
const workLeft = async (): Promise<number> =>
  (await runtime.ctx.sql`select 1 from work where project_id = ${project.projectId}`).length;

describe('turns', () => {
  test('X-10 a rule reads a task from each turn, and its verdict names the turn', async () => {
    await put('disk', { verifier: 'task', mapping: mentions('91') });
    await send([sourced('a', 'It is at 91.4 %.'), sourced('b', 'I do not know.')]);
    await drainWork(runtime);
    expect(await verdictsOf('task')).toEqual([
      { turnId: 'a', outcome: 'passed', verdict: 'pass' },
      { turnId: 'b', outcome: 'failed', verdict: 'fail' },
    ]);
    expect(await workLeft()).toBe(0);
  });

  test('X-10 a rule that waits for a verdict runs after it, or is filtered by it', async () => {
    await put('check', {
      verifier: 'task',
      mapping: mentions('%'),
      filter: { verdict: { verifier: 'integrity', outcome: 'failed' } },
    });
    await send([sourced('right', 'It is at 91.4 %.'), sourced('wrong', 'It is at 95.2 %.')]);
    await drainWork(runtime);
    await drainWork(runtime);
    expect(await verdictsOf('task')).toEqual([
      { turnId: 'wrong', outcome: 'passed', verdict: 'pass' },
    ]);
    expect(await statesOf('check')).toEqual({
      right: 'filtered: verdict: the outcome of integrity is passed',
      wrong: 'run',
    });
    expect(await workLeft()).toBe(0);
  });

  test('X-10 what waits for a verdict that does not come ends with it', async () => {
    await put('check', {
      verifier: 'task',
      mapping: mentions('x'),
      filter: { verdict: { verifier: 'integrity', outcome: 'failed' } },
    });
    await put('code', {
      verifier: 'code',
      filter: { verdict: { verifier: 'task', outcome: 'failed' } },
    });
    await send([{ id: 'bare', input: 'Hello', output: 'Good day, 42 people.' }]);
    await drainWork(runtime);
    expect(await statesOf('integrity')).toEqual({ bare: 'no_subject: no_sources' });
    expect(await statesOf('check')).toEqual({ bare: 'filtered: verdict: integrity gives none' });
    expect(await statesOf('code')).toEqual({ bare: 'filtered: verdict: task gives none' });
    expect(await workLeft()).toBe(0);
  });

  test('X-10 nothing to read is a decision with that reason, and no verdict', async () => {
    await put('code', { verifier: 'code' });
    await put('missing', { verifier: 'task', mapping: { shared_context: '$.metadata.policy' } });
    await send([sourced('a', 'It is at 91.4 %.')]);
    await drainWork(runtime);
    expect(await statesOf('code')).toEqual({ a: expect.stringMatching(/^no_subject: no_files: /) });
    expect(await statesOf('missing')).toEqual({
      a: 'no_subject: the subject has no value for the variable "shared_context"',
    });
    expect(await verdictsOf('task')).toEqual([]);
  });

  test('X-10 every Nth turn of a session counts them all, in the order of arrival', async () => {
    await put('third', { verifier: 'task', mapping: mentions('%'), every: 3 });
    for (let n = 1; n <= 7; n++)
      await send([sourced(`t${n}`, 'It is at 91.4 %.', { session_id: 's' })]);
    await drainWork(runtime);
    expect((await verdictsOf('task')).map(({ turnId }) => turnId)).toEqual(['t3', 't6']);
    expect((await statesOf('third'))['t4']).toBe(
      'sampled_out: turn 4 of its session; every 3. is taken',
    );
  });

  test('X-10 a daily budget is spent by what has a subject, and by nothing else', async () => {
    await put('two', { verifier: 'task', mapping: mentions('%'), daily_budget: 2 });
    for (let n = 1; n <= 4; n++) await send([sourced(`t${n}`, 'It is at 91.4 %.')]);
    await drainWork(runtime);
    expect(await verdictsOf('task')).toHaveLength(2);
    const states = Object.values(await statesOf('two'));
    expect(states.filter((state) => state.startsWith('over_budget'))).toHaveLength(2);
  });

  test('X-8 another content under the same id is judged again, at its next revision', async () => {
    await put('disk', { verifier: 'task', mapping: mentions('91') });
    await send([sourced('a', 'I do not know.')]);
    await drainWork(runtime);
    await send([sourced('a', 'It is at 91.4 %.')]);
    await drainWork(runtime);
    const rows = await runtime.ctx.sql`
      select revision, outcome from verdicts
      where project_id = ${project.projectId} and verifier_slug = 'task' order by revision`;
    expect(rows.map(({ revision }) => revision)).toEqual([1, 2]);
  });

  test('R-80 erasing a turn leaves nothing of its subjects', async () => {
    await put('disk', { verifier: 'task', mapping: mentions('91') });
    await send([sourced('a', 'It is at 91.4 %.', { session_id: 's' })]);
    await drainWork(runtime);
    await requestDeletion(project, runtime.ctx, { kind: 'turn', id: 'a' });
    while (await carryOutNext(runtime.ctx));
    const left = await runtime.ctx.sql`
      select 'subject' from subjects where project_id = ${project.projectId}
      union all select 'verdict' from verdicts where project_id = ${project.projectId}
      union all select 'decision' from decisions where project_id = ${project.projectId}`;
    expect(left).toEqual([]);
  });
});

describe('sessions', () => {
  const outputs = ['It is at 91.4 %.', 'It is at 91.4 %.'];

  test('X-10 a session is verified when it is ended, once for each revision', async () => {
    await put('talk', { verifier: 'consistency', target: 'session' });
    for (const [n, output] of outputs.entries())
      await send([sourced(`t${n}`, output, { session_id: 's' })]);
    const end = () => endConversation(project, runtime.rules, { target: 'session', id: 's' });
    expect(await end()).toBe(1);
    expect(await end()).toBe(0);
    await send([sourced('t9', 'It is at 91.4 %.', { session_id: 's' })]);
    expect(await end()).toBe(1);
    await expect(
      endConversation(project, runtime.rules, { target: 'session', id: 'none' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('X-10 a session that grew after its end is verified at once, without waiting until it is idle', async () => {
    await put('talk', { verifier: 'consistency', target: 'session' });
    await send([sourced('t1', 'It is at 91.4 %.', { session_id: 's' })]);
    await endConversation(project, runtime.rules, { target: 'session', id: 's' });
    await send([sourced('t2', 'It is at 91.4 %.', { session_id: 's' })]);
    await drainWork(runtime);
    const decisions = await runtime.ctx.sql`
      select revision, state, reason from decisions
      where project_id = ${project.projectId} and rule = 'talk' order by revision`;
    expect([...decisions]).toEqual([
      { revision: 1, state: 'expired', reason: 'the subject has a newer revision' },
      { revision: 2, state: 'run', reason: null },
    ]);
  });

  test('X-10 an idle session is planned once, and again after its next turn', async () => {
    await put('talk', { verifier: 'consistency', target: 'session' });
    await send([sourced('t1', outputs[0] ?? '', { session_id: 's' })]);
    const age = (hours: number) => runtime.ctx.sql`
      update turns set received_at = received_at - ${hours} * interval '1 hour'
      where project_id = ${project.projectId}`;
    await runtime.ctx.sql`
      update rules set created_at = created_at - interval '1 day' where project_id = ${project.projectId}`;
    const planned = async () => {
      await planIdle(runtime.ctx, runtime.rules);
      const rows = await runtime.ctx.sql`
        select revision from decisions where project_id = ${project.projectId} and rule = 'talk' order by 1`;
      return rows.map(({ revision }) => Number(revision));
    };
    await age(3);
    expect(await planned()).toEqual([1]);
    expect(await planned()).toEqual([1]);
    await send([sourced('t2', outputs[1] ?? '', { session_id: 's' })]);
    expect(await planned()).toEqual([1]);
    await age(1);
    await runtime.ctx.sql`
      update rule_planning set planned_to = planned_to - interval '2 hours' where project_id = ${project.projectId}`;
    expect(await planned()).toEqual([1, 2]);
  });
});

test('X-10 a preview decides what arrived, shows what the verifier would read, and stores nothing', async () => {
  await send([
    sourced('a', 'It is at 91.4 %.', { tags: ['prod'] }),
    sourced('b', 'It is at 91.4 %.'),
  ]);
  const rule = RuleBody.parse({
    verifier: 'task',
    filter: { tags: 'prod' },
    mapping: mentions('%'),
  });
  const { draftRule } = await import('../../rules');
  const preview = await previewRule(
    project,
    runtime.subjects,
    await draftRule(project, 'p', rule),
    { limit: 10 },
  );
  expect(preview).toMatchObject({ matched: 1, of: 2, sampled: 1, judgeCalls: 0, costUsd: 0 });
  expect(preview.subjects).toMatchObject([
    { id: 'a', subject: { task_output: 'It is at 91.4 %.' } },
  ]);
  const judged = await draftRule(
    project,
    'p',
    RuleBody.parse({ verifier: 'task', target: 'turn' }),
  );
  const asked = await previewRule(project, runtime.subjects, judged, { limit: 10 });
  expect(asked.judgeCalls).toBe(2);
  expect(asked.prompt).toContain('It is at 91.4 %.');
});
