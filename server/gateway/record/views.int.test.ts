import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import type { ProjectCtx } from '../../access';
import type {
  AnswerVerification,
  SteeringRecord,
  GatewayReason,
  GatewayVerdict,
} from '../../domain';
import type { Runtime } from '../../runtime';
import { getGatewaySession } from './get-gateway-session';
import { listCalls, listCallValues } from './list-calls';
import { listGatewaySessions } from './list-gateway-sessions';
import { measureSteering } from './measure-steering';
import { summariseGateway } from './summarise-gateway';

let runtime: Runtime;
let ctx: ProjectCtx;
let count = 0;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  ctx = await createTestProject(runtime);
});

interface Call {
  readonly verdict?: GatewayVerdict;
  readonly reason?: GatewayReason;
  readonly route?: string;
  readonly session?: string;
  readonly model?: string;
  readonly held?: number;
  readonly episode?: AnswerVerification;
  readonly turn?: string;
  readonly minutesAgo?: number;
}

/** Calls as the recorder stores them, each a little later than the one before. */
async function store(...calls: readonly Call[]): Promise<void> {
  const { sql } = runtime.ctx;
  for (const call of calls) {
    const id = `call_${String(count++).padStart(6, '0')}`;
    const at = new Date(
      Date.now() - (call.minutesAgo ?? 0) * 60_000 + (call.minutesAgo === undefined ? count : 0),
    ).toISOString();
    const { verdict = 'not_verified', reason = null, route = 'openai' } = call;
    await sql`
      insert into gateway_calls (project_id, id, turn_id, route, session_id, dialect, model, stream, status, verdict, reason, truncated, partial,
        units, counter, duration_ms, held_ms, decision, episode, created_at)
      values (${ctx.projectId}, ${id}, ${call.turn ?? null}, ${route}, ${call.session ?? 's'}, 'chat', ${call.model ?? 'gpt'}, false, 200,
        ${verdict}, ${reason}, false, false, 1000, ${1000 * count}, 12.5, ${call.held ?? null}, ${call.episode?.decision ?? null},
        ${call.episode === undefined ? null : JSON.stringify(call.episode)}::text::jsonb, ${at}::timestamptz)`;
    await sql`
      insert into gateway_rollups (project_id, hour, route, verdict, reason, calls, dropped)
      values (${ctx.projectId}, date_trunc('hour', ${at}::timestamptz), ${route}, ${verdict}, ${reason ?? ''}, 1, 0)
      on conflict (project_id, hour, route, verdict, reason) do update set calls = gateway_rollups.calls + 1`;
  }
}

const judgeCall = (decision: 'pass' | 'steer' | 'verifier_failed') => ({
  decision,
  note: decision === 'steer' ? 'Read the log first.' : null,
  problem: null,
  calls: 1,
  model: 'judge/model',
  prompt_version: 'turn-verifier@1',
  input_tokens: 10,
  output_tokens: 5,
  cost_usd: 0.001,
  latency_ms: 20,
});

function steered(steer: Partial<SteeringRecord>): AnswerVerification {
  const none: SteeringRecord = {
    state: 'applied',
    problem: null,
    recall_ms: 100,
    recall_input_tokens: 10,
    recall_output_tokens: 5,
    recall_cost_usd: 0.01,
    other_answer: 'the original',
    after: null,
    unsourced_before: null,
    unsourced_after: null,
  };
  return { ...judgeCall('steer'), steer: { ...none, ...steer } };
}

test('R-67 the summary uses the hourly counts, which include dropped calls', async () => {
  await store(
    { verdict: 'passed', held: 100 },
    { verdict: 'steered', held: 300, route: 'local' },
    { reason: 'not_due' },
    { reason: 'tool_followup' },
    { verdict: 'unavailable', reason: 'error' },
    { verdict: 'flagged', held: 200, minutesAgo: 60 * 24 * 8 },
  );
  await runtime.ctx
    .sql`update gateway_rollups set calls = calls + 5, dropped = 5 where project_id = ${ctx.projectId} and reason = 'not_due'`;
  const summary = await summariseGateway(ctx, { days: 7 });
  expect(summary).toMatchObject({
    calls: 10,
    dropped: 5,
    hasCalls: true,
    deliveryDelay: { n: 2, p50: 200, p95: 290 },
  });
  expect(summary.verdicts).toEqual({
    passed: 1,
    steered: 1,
    flagged: 0,
    unavailable: 1,
    not_verified: 7,
  });
  expect(summary.reasons).toMatchObject({ not_due: 6, tool_followup: 1, error: 1, overflow: 0 });
  expect(summary.routes).toEqual([
    { name: 'openai', calls: 9, verified: 1 },
    { name: 'local', calls: 1, verified: 1 },
  ]);
  expect((await summariseGateway(ctx, { days: 30 })).verdicts.flagged).toBe(1);
});

test('X-12 without calls there is no spread and no measure', async () => {
  const summary = await summariseGateway(ctx, { days: 1 });
  expect(summary).toMatchObject({
    calls: 0,
    hasCalls: false,
    deliveryDelay: { n: 0, p50: null, p95: null },
    routes: [],
    breakers: [],
  });
  const measure = await measureSteering(ctx, { days: 1 });
  expect(measure.applied.fixed.state).toBe('no_data');
  expect(measure).toMatchObject({
    difference: null,
    recall: { n: 0, p50: null, p95: null },
    cost: { usd: null, priced: 0 },
  });
});

test('QV-33 QV-34 a breaker is listed until it closes or a reset is requested', async () => {
  const { sql } = runtime.ctx;
  const add = (
    model: string,
    replica: string,
    state: string,
    openSeconds: number | null,
    resetSeconds: number | null,
  ) => sql`
    insert into gateway_breakers (project_id, model, replica, state, failures, open_until, problem, changed_at, reset_at)
    values (${ctx.projectId}, ${model}, ${replica}, ${state}, 5, now() + ${openSeconds}::int * interval '1 second', 'no answer', now() - interval '1 minute',
      now() + ${resetSeconds}::int * interval '1 second')`;
  await add('a:open', 'one', 'open', 200, null);
  await add('a:open', 'two', 'open', 100, null);
  await add('b:waits', 'one', 'open', -5, null);
  await add('c:closed', 'one', 'closed', null, null);
  await add('d:reset', 'one', 'open', 200, -1);
  const { breakers } = await summariseGateway(ctx, { days: 1 });
  expect(
    breakers.map(({ model, state, replicas, failures, problem }) => [
      model,
      state,
      replicas,
      failures,
      problem,
    ]),
  ).toEqual([
    ['a:open', 'open', 2, 5, 'no answer'],
    ['b:waits', 'probing', 1, 5, 'no answer'],
  ]);
});

test('calls by keyset, each filter, and the filter values', async () => {
  await store(
    { verdict: 'passed', session: 'a', model: 'one', held: 10 },
    { reason: 'not_due', session: 'a', model: 'two' },
    {
      verdict: 'steered',
      session: 'b',
      model: 'two',
      route: 'local',
      held: 20,
      episode: steered({}),
    },
    { verdict: 'flagged', session: 'b', held: 20, episode: steered({ state: 'control' }) },
  );
  const all = await listCalls(ctx, {});
  expect(all.items.map(({ verdict }) => verdict)).toEqual([
    'flagged',
    'steered',
    'not_verified',
    'passed',
  ]);
  const first = await listCalls(ctx, { limit: 3 });
  const rest = await listCalls(ctx, { limit: 3, cursor: first.nextCursor ?? '' });
  expect([...first.items, ...rest.items]).toEqual(all.items);
  expect(rest.nextCursor).toBeNull();
  const found = async (filters: Parameters<typeof listCalls>[1]) =>
    (await listCalls(ctx, filters)).items.length;
  expect(
    await Promise.all([
      found({ verdict: ['passed', 'steered'] }),
      found({ verdict: [] }),
      found({ reason: 'not_due' }),
      found({ steer: ['control'] }),
      found({ held: true }),
      found({ route: 'local' }),
      found({ session: 'a' }),
      found({ model: 'two' }),
      found({ from: new Date(Date.now() + 3_600_000) }),
      found({ to: new Date(Date.now() - 3_600_000) }),
    ]),
  ).toEqual([2, 4, 1, 1, 3, 1, 2, 2, 0, 0]);
  expect(await listCallValues(ctx)).toEqual({
    models: ['gpt', 'one', 'two'],
    routes: ['local', 'openai'],
  });
  await expect(listCalls(ctx, { cursor: 'foreign' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('QV-3 a session has the sum of its highest epoch over all replicas, and its last verdict', async () => {
  await store(
    { session: 'old', verdict: 'passed' },
    { session: 'new', verdict: 'steered', episode: steered({}) },
    { session: 'new', reason: 'not_due' },
    { session: 'plain', reason: 'disabled' },
  );
  const { sql } = runtime.ctx;
  for (const [replica, epoch, units] of [
    ['one', 2, 1200],
    ['two', 2, 2200],
    ['three', 1, 9000],
  ] as const)
    await sql`
      insert into gateway_counters (project_id, session_id, replica, epoch, version, units, recent, changed_at)
      values (${ctx.projectId}, 'new', ${replica}, ${epoch}, 1, ${units}, '[]', now())`;
  const { items } = await listGatewaySessions(ctx, {});
  expect(
    items.map(({ id, calls, steered: many, counted, last }) => [
      id,
      calls,
      many,
      counted,
      last.verdict,
      last.reason,
    ]),
  ).toEqual([
    ['plain', 1, 0, null, 'not_verified', 'disabled'],
    ['new', 2, 1, 3400, 'steered', null],
    ['old', 1, 0, null, 'passed', null],
  ]);
  const first = await listGatewaySessions(ctx, { limit: 2 });
  const rest = await listGatewaySessions(ctx, { limit: 2, cursor: first.nextCursor ?? '' });
  expect([...first.items, ...rest.items]).toEqual(items);
  expect(await getGatewaySession(ctx, { id: 'new' })).toMatchObject({
    calls: 2,
    steered: 1,
    counted: 3400,
    route: 'openai',
  });
});

test('QV-26 a steered call of a session has both answers; a deleted turn only lacks its own text', async () => {
  const { sql } = runtime.ctx;
  const payload = JSON.stringify({
    input: [{ role: 'user', content: 'Why is it slow?' }],
    output: 'The disk is full.',
  });
  await sql`
    insert into turns (project_id, id, revision, origin, content_hash, payload, flags, received_at)
    values (${ctx.projectId}, 'call_good', 1, 'gateway', 'h', ${payload}, '{}', now())`;
  await store(
    {
      session: 'x',
      turn: 'call_gone',
      verdict: 'passed',
      episode: { ...judgeCall('pass'), steer: null },
    },
    {
      session: 'x',
      turn: 'call_good',
      verdict: 'steered',
      episode: steered({ after: judgeCall('pass') }),
    },
    { session: 'x', reason: 'error' },
  );
  const { items } = await getGatewaySession(ctx, { id: 'x' });
  expect(items.map(({ texts, steer }) => [texts, steer])).toEqual([
    [null, null],
    [{ question: 'Why is it slow?', answer: 'The disk is full.' }, 'applied'],
    [null, null],
  ]);
  expect(items[1]?.episode?.steer).toMatchObject({
    other_answer: 'the original',
    after: { decision: 'pass' },
  });
  const first = await getGatewaySession(ctx, { id: 'x', limit: 2 });
  const rest = await getGatewaySession(ctx, { id: 'x', limit: 2, cursor: first.nextCursor ?? '' });
  expect([...first.items, ...rest.items]).toEqual(items);
  await expect(getGatewaySession(ctx, { id: 'unknown' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('X-12 applied steers compared with controls; unknown results are in no rate, and under 20 there is no difference', async () => {
  const many = (n: number, call: Call): Call[] => Array.from({ length: n }, () => call);
  const after = (
    decision: 'pass' | 'steer' | 'verifier_failed',
    more: Partial<SteeringRecord> = {},
  ): Call => ({
    verdict: more.state === 'control' ? 'flagged' : 'steered',
    episode: steered({ after: judgeCall(decision), ...more }),
  });
  await store(
    ...many(15, after('pass')),
    ...many(4, after('steer')),
    after('pass', { unsourced_before: 1, unsourced_after: 2 }),
    after('verifier_failed', { recall_ms: 5000, recall_cost_usd: null }),
    ...many(19, after('steer', { state: 'control' })),
    { verdict: 'flagged', episode: steered({ state: 'recall_failed', problem: 'reset' }) },
  );
  const measure = await measureSteering(ctx, { days: 1 });
  expect(measure.applied).toMatchObject({
    steers: 21,
    counts: { fixed: 15, not_fixed: 4, worse: 1, unknown: 1 },
  });
  expect(measure.applied.fixed).toMatchObject({
    state: 'measured',
    numerator: 15,
    denominator: 20,
  });
  expect(measure.applied.worse).toMatchObject({ numerator: 1, denominator: 20 });
  expect(measure.control.fixed).toMatchObject({
    state: 'insufficient',
    numerator: 0,
    denominator: 19,
  });
  expect(measure.difference).toBeNull();
  expect(measure.notApplied).toEqual([{ state: 'recall_failed', steers: 1 }]);
  expect(measure.recall).toEqual({ n: 21, p50: 100, p95: 100 });
  expect(measure.cost).toEqual({ usd: expect.closeTo(0.011), priced: 20 });
  await store(after('pass', { state: 'control' }));
  const { difference } = await measureSteering(ctx, { days: 1 });
  expect(difference?.value).toBeCloseTo(0.75 - 0.05);
  expect(difference?.low).toBeGreaterThan(0.3);
});

test('S-2 nothing of another project is included', async () => {
  await store({ verdict: 'steered', session: 'mine', held: 5, episode: steered({}) });
  const other = await createTestProject(runtime);
  expect(await summariseGateway(other, { days: 30 })).toMatchObject({
    calls: 0,
    hasCalls: false,
    deliveryDelay: { n: 0 },
  });
  expect(await listCalls(other, {})).toEqual({ items: [], nextCursor: null });
  expect(await listCallValues(other)).toEqual({ models: [], routes: [] });
  expect(await listGatewaySessions(other, {})).toEqual({ items: [], nextCursor: null });
  expect((await measureSteering(other, { days: 30 })).applied.steers).toBe(0);
  await expect(getGatewaySession(other, { id: 'mine' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('with 100,000 calls the summary and a page of each list take at most 300 ms', async () => {
  const { sql } = runtime.ctx;
  const episode = JSON.stringify(
    steered({ after: judgeCall('pass'), other_answer: 'x'.repeat(2000) }),
  );
  await sql`
    insert into gateway_calls (project_id, id, route, session_id, dialect, model, stream, status, verdict, reason, truncated, partial, units,
      counter, duration_ms, held_ms, decision, episode, created_at)
    select ${ctx.projectId}, 'call_' || i, 'r' || i % 5, 's' || i % 3000, 'chat', 'm' || i % 7, i % 2 = 0, 200,
      case when i % 10 = 0 then (array['passed', 'steered'])[1 + i % 3 % 2] else 'not_verified' end, case when i % 10 > 0 then 'not_due' end,
      false, false, 1000, 1000, 20, case when i % 10 = 0 then i % 500 end, case when i % 100 = 0 then 'steer' when i % 10 = 0 then 'pass' end,
      case when i % 100 = 0 then ${episode}::text::jsonb end, now() - i * interval '20 seconds'
    from generate_series(1, 100000) as i`;
  await sql`
    insert into gateway_rollups (project_id, hour, route, verdict, reason, calls, dropped)
    select project_id, date_trunc('hour', created_at), route, verdict, coalesce(reason, ''), count(*), 0 from gateway_calls
    where project_id = ${ctx.projectId} group by 1, 2, 3, 4, 5`;
  await sql`analyze gateway_calls, gateway_rollups`;
  /** The best of three, since other tests run at the same time. */
  const timed = async (what: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const started = performance.now();
      await what();
      times.push(performance.now() - started);
    }
    return Math.min(...times);
  };
  expect(await timed(() => summariseGateway(ctx, { days: 30 }))).toBeLessThan(300);
  expect(await timed(() => listCalls(ctx, {}))).toBeLessThan(300);
  expect(await timed(() => listCalls(ctx, { steer: ['control'] }))).toBeLessThan(300);
  expect(await timed(() => listGatewaySessions(ctx, {}))).toBeLessThan(300);
  expect(await timed(() => getGatewaySession(ctx, { id: 's7' }))).toBeLessThan(300);
  expect(await timed(() => measureSteering(ctx, { days: 30 }))).toBeLessThan(600);
});
