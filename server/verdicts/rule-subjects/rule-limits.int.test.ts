import { beforeEach, describe, expect } from 'vitest';
import { anyJudge } from '../../../testing/any-judge';
import type { Json } from '../../../testing/call';
import { testWithLlmAnd } from '../../../testing/fixture';
import { createJudgedProject, type JudgedProject } from '../../../testing/judged-project';
import { type ScriptedLlm, textOf } from '../../../testing/scripted-llm';
import { verifyAll } from '../../../testing/verify-all';
import { carryOutNext } from '../../lifecycle';
import type { Runtime } from '../../runtime';

/** The subjects, waiting and budget of a rule, with scripted judges (online.md 2). */

const test = testWithLlmAnd({ ASSAY_DB_POOL: '8' });

let runtime: Runtime;
let llm: ScriptedLlm;
let judged: JudgedProject;

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  judged = await createJudgedProject(runtime, llm);
  await judged.ok('/v1/rules/integrity', undefined, 'DELETE');
  llm.answerWith((request) => anyJudge(request));
});

const put = (name: string, body: Json) => judged.ok(`/v1/rules/${name}`, body, 'PUT');

async function send(turns: readonly Json[]): Promise<void> {
  expect(await judged.ok('/v1/turns', { turns })).toMatchObject({ rejected: [] });
}

const turn = (id: string, more: Json = {}): Json => ({
  id,
  model: 'anthropic/claude-sonnet-4-5',
  input: `How full is the disk of ${id}?`,
  output: 'It is at 91.4 %.',
  tools: [{ id: 'c', name: 'disk', result: { used_percent: 91.4 } }],
  ...more,
});
const many = (count: number, more: Json = {}): Json[] =>
  Array.from({ length: count }, (_, n) => turn(`t-${n}`, more));

/** State and reason of each decision of a rule, by subject. */
async function decisionsOf(rule: string): Promise<Record<string, Json>> {
  const { data } = await judged.ok(`/v1/decisions?rule=${rule}&limit=200`);
  return Object.fromEntries((data as Json[]).map((each) => [String(each.subject_id), each]));
}

async function countsOf(rule: string): Promise<Json> {
  const counts: Record<string, number> = {};
  for (const { state } of Object.values(await decisionsOf(rule)))
    counts[String(state)] = (counts[String(state)] ?? 0) + 1;
  return counts;
}

/** Several workers at once, in both lanes. */
const verifyByMany = (): Promise<unknown> =>
  Promise.all(['w1', 'w2', 'w3'].map((owner) => verifyAll(runtime, owner)));

/** Judges answer when the test lets them. */
function holdJudges(): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  llm.answerWith(async (request) => {
    await held;
    return anyJudge(request);
  });
  return release;
}

describe('budgets', () => {
  test('X-10 a daily budget is exact with several workers', async () => {
    await put('tasks', { verifier: 'task', daily_budget: 5 });
    const before = llm.calls.length;
    await send(many(14));
    await verifyByMany();
    expect(await countsOf('tasks')).toEqual({ run: 5, over_budget: 9 });
    expect(llm.calls.length - before).toBe(5);
    const [over] = Object.values(await decisionsOf('tasks')).filter(
      ({ state }) => state === 'over_budget',
    );
    expect(over?.reason).toBe('5 of 5 today, UTC');
  });

  test('X-10 turns without sources spend nothing of the budget of integrity', async () => {
    await put('figures', { verifier: 'integrity', daily_budget: 3 });
    const bare = many(4, { tools: [] });
    await send(bare);
    await send(Array.from({ length: 5 }, (_, n) => turn(`sourced-${n}`)));
    await verifyByMany();
    expect(await countsOf('figures')).toEqual({ no_subject: 4, run: 3, over_budget: 2 });
  });

  test('X-10 a budget in dollars is never exceeded, not even while judges are called', async () => {
    const budget = 0.05;
    await put('tasks', { verifier: 'task', daily_budget_usd: budget });
    const { sql, projectId } = judged.project;
    const seen: number[] = [];
    llm.answerWith(async (request) => {
      const [row] = await sql<{ usd: number }[]>`
        select (spent_micros + reserved_micros)::double precision / 1000000 as usd from rule_costs
        where project_id = ${projectId} and rule = 'tasks'`;
      seen.push(row?.usd ?? Number.NaN);
      return { ...anyJudge(request), usage: { input: 20_000, output: 4_000 } };
    });
    await send(many(20));
    await verifyByMany();
    const { run, over_budget: over } = await countsOf('tasks');
    expect(Number(run)).toBeGreaterThan(1);
    expect(Number(run) + Number(over)).toBe(20);
    expect(Number(over)).toBeGreaterThan(0);
    expect(seen.length).toBeGreaterThanOrEqual(Number(run));
    expect(Math.max(...seen)).toBeLessThanOrEqual(budget);
    const [recorded] = await sql<{ usd: number; kept: number; reserved: string }[]>`
      select (select sum(cost_usd) from verdicts where project_id = ${projectId}) as usd,
        spent_micros::double precision / 1000000 as kept, reserved_micros as reserved
      from rule_costs where project_id = ${projectId} and rule = 'tasks'`;
    expect(recorded?.usd).toBeGreaterThan(0);
    expect(recorded?.usd).toBeLessThanOrEqual(budget);
    expect(recorded?.kept).toBeLessThanOrEqual(budget);
    expect(recorded?.reserved).toBe('0');
    expect(
      Object.values(await decisionsOf('tasks')).find(({ state }) => state === 'over_budget'),
    ).toMatchObject({
      reason: expect.stringMatching(/^\$0\.\d+ of \$0\.05 today, UTC$/) as unknown,
    });
  });
});

describe('what a rule waits for', () => {
  const waiting = {
    verifier: 'task',
    filter: { verdict: { verifier: 'turn', outcome: ['passed'] } },
  };

  test('X-10 a rule with a clause about a verdict asks nothing before that verdict is stored', async () => {
    await put('after', waiting);
    await put('first', { verifier: 'turn' });
    const release = holdJudges();
    const before = llm.calls.length;
    await send([turn('t-1')]);
    const first = llm.nextCall();
    const verifying = verifyAll(runtime);
    expect(textOf((await first).body)).toContain('<status>NO_STEERING_NEEDED</status>');
    await verifyAll(runtime, 'other');
    expect((await decisionsOf('after'))['t-1']).toMatchObject({ state: 'run', settled: false });
    expect(llm.calls.length - before).toBe(1);
    release();
    await verifying;
    await verifyAll(runtime);
    expect((await decisionsOf('after'))['t-1']).toMatchObject({ state: 'run', settled: true });
    expect(llm.calls.length - before).toBe(2);
  });

  test('X-10 another outcome than the one it waits for filters the subject, and asks nothing', async () => {
    await put('after', waiting);
    await put('first', { verifier: 'turn' });
    llm.answerWith((request) => anyJudge(request, 1));
    const before = llm.calls.length;
    await send([turn('t-1')]);
    await verifyAll(runtime);
    expect((await decisionsOf('after'))['t-1']).toMatchObject({
      state: 'filtered',
      reason: 'verdict: the outcome of turn is steered',
      verification_id: null,
    });
    expect(llm.calls.length - before).toBe(1);
  });
});

test('X-10 every: 3 takes the third, sixth and ninth turn of each session', async () => {
  await put('thirds', { verifier: 'turn', every: 3 });
  const before = llm.calls.length;
  for (let n = 1; n <= 10; n++)
    await send(['a', 'b'].map((session) => turn(`${session}-${n}`, { session_id: session })));
  await verifyByMany();
  const taken = Object.values(await decisionsOf('thirds'))
    .filter(({ state }) => state === 'run')
    .map(({ subject_id: id }) => id);
  expect(new Set(taken)).toEqual(new Set(['a-3', 'a-6', 'a-9', 'b-3', 'b-6', 'b-9']));
  expect(await countsOf('thirds')).toEqual({ run: 6, sampled_out: 14 });
  expect(llm.calls.length - before).toBe(6);
});

test('X-10 a mapping without a value is no_subject and names the variable; a neighbour is judged', async () => {
  await put('policy', { verifier: 'task', mapping: { shared_context: '$.context[0].content' } });
  const before = llm.calls.length;
  await send([
    turn('without'),
    turn('with', { context: [{ id: 'p', content: 'Disks above 90 % are full.' }] }),
  ]);
  await verifyAll(runtime);
  expect(await decisionsOf('policy')).toMatchObject({
    without: {
      state: 'no_subject',
      reason: 'the subject has no value for the variable "shared_context"',
      verification_id: null,
      settled: true,
    },
    with: { state: 'run', settled: true },
  });
  expect(llm.calls.length - before).toBe(1);
  expect(textOf(llm.calls.at(-1)?.body)).toContain('Disks above 90 % are full.');
});

test('R-80 a turn that is deleted while a judge is called leaves nothing', async () => {
  const [id, secret] = ['turn-to-delete', 'the-words-of-a-deleted-turn'];
  await put('tasks', { verifier: 'task' });
  const release = holdJudges();
  await send([
    turn(id, { input: `Repeat: ${secret}`, output: secret, session_id: `session-of-${id}` }),
  ]);
  const asked = llm.nextCall();
  const verifying = verifyAll(runtime);
  expect(textOf((await asked).body)).toContain(secret);
  expect((await judged.call(`/v1/turns/${id}`, undefined, {}, 'DELETE')).status).toBeLessThan(300);
  release();
  await verifying;
  while (await carryOutNext(runtime.ctx));
  await verifyAll(runtime);
  expect(await tablesWith(secret)).toEqual([]);
  // The record of the deletion names its target.
  expect(await tablesWith(`"${id}"`)).toEqual(['audit_events', 'deletions', 'tombstones']);
  const { sql, projectId } = judged.project;
  for (const table of [
    'turns',
    'subjects',
    'verdicts',
    'decisions',
    'work',
    'scores',
    'judge_cache',
  ])
    expect([table, await sql`select 1 from ${sql(table)} where project_id = ${projectId}`]).toEqual(
      [table, []],
    );
});

test.each([
  ['after it was judged', false],
  ['while it is judged', true],
])(
  'R-80 a deleted turn leaves nothing in the subjects of its session and mission: %s',
  async (_when, isHeld) => {
    const secret = 'the-words-of-a-deleted-turn';
    const at = { session_id: 's-1', metadata: { assay: { 'mission.id': 'm-1' } } };
    await put('tasks', { verifier: 'task' });
    await put('talk', { verifier: 'consistency', target: 'session' });
    await put('aim', { verifier: 'mission', target: 'mission' });
    await send([
      turn('t-1', at),
      turn('t-2', { ...at, input: `Repeat: ${secret}`, output: secret }),
      turn('t-3', at),
    ]);
    await verifyAll(runtime);
    await judged.ok('/v1/sessions/s-1/end', {});
    await judged.ok('/v1/missions/m-1/end', {});
    const release = isHeld ? holdJudges() : () => undefined;
    const asked = llm.nextCall();
    const verifying = verifyAll(runtime);
    await asked;
    if (!isHeld) await verifying;
    await judged.ok('/v1/turns/t-2', undefined, 'DELETE');
    release();
    await verifying;
    while (await carryOutNext(runtime.ctx));
    await verifyAll(runtime);
    expect(await tablesWith(secret)).toEqual([]);
    expect(
      await judged.project.sql`
      select 1 from work where project_id = ${judged.project.projectId}`,
    ).toEqual([]);
  },
);

/** The names of the tables that contain a text anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const { sql } = runtime.ctx;
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql`
      select 1 from ${sql(name)} as t where strpos(to_jsonb(t)::text, ${text}) > 0 limit 1`;
    if (rows.length > 0) found.push(name);
  }
  return found;
}
