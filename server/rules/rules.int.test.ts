import { beforeEach, describe, expect } from 'vitest';
import { createTestProject, drainWork } from '../../testing/database';
import { test } from '../../testing/fixture';
import { SOME_CONTEXT } from '../../testing/some-context';
import type { ProjectCtx } from '../access';
import { claimJob, claimWork, type ClaimedWork } from '../queue';
import type { Runtime } from '../runtime';
import { ingestTurns } from '../ingest';
import { builtIn } from '../verifiers';
import {
  admitWork,
  backfillKind,
  backfillRule,
  createBackfillStep,
  deleteRule,
  getRule,
  listDecisions,
  listRules,
  putRule,
  setRuleEnabled,
} from './index';
import { RuleBody } from './input';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  await runtime.ctx.sql`delete from jobs`;
  project = await createTestProject(runtime);
});

const rule = (over: Record<string, unknown> = {}) =>
  RuleBody.parse({ verifier: 'integrity', ...over });
const put = (name: string, over: Record<string, unknown> = {}) =>
  putRule(project, runtime.rules, name, rule(over));

async function send(ids: readonly string[], over: Record<string, unknown> = {}): Promise<void> {
  const turns = ids.map((id) => ({
    id,
    model: 'openai/gpt-4o',
    context: SOME_CONTEXT,
    output: 'It is 42 %.',
    ...over,
  }));
  const body = Buffer.from(JSON.stringify({ turns }));
  const taken = await ingestTurns(project, runtime.writer, {
    body,
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
  expect(taken.rejected).toEqual([]);
}

const names = (n: number) =>
  Array.from({ length: n }, (_, at) => `t-${String(at).padStart(4, '0')}`);
const countsOf = async (name: string) =>
  Object.fromEntries(
    (await getRule(project, name)).decided.map((each) => [each.state, each.count]),
  );
const reasonsOf = async (subject: string) =>
  (await listDecisions(project, { subject })).items.map((each) => ({
    rule: each.rule,
    state: each.state,
    reason: each.reason,
  }));

describe('rules', () => {
  test('X-10 a new project sends every turn to integrity', async () => {
    expect(await listRules(project)).toMatchObject([
      {
        name: 'integrity',
        version: 1,
        verifier: 'integrity',
        filter: {},
        sampling: 1,
        enabled: true,
        spentToday: null,
        decided: [],
      },
    ]);
  });

  test('X-10 a change creates the next version, saving it unchanged none, and each change is audited', async () => {
    await put('chat', {
      filter: { model: 'openai/*', source: ['a', 'b'] },
      sampling: 0.5,
      delay_seconds: 60,
    });
    await put('chat', {
      sampling: 0.5,
      filter: { source: ['a', 'b'], model: 'openai/*' },
      delay_seconds: 60,
    });
    expect((await getRule(project, 'chat')).version).toBe(1);
    await put('chat', { sampling: 0.6 });
    await setRuleEnabled(project, runtime.rules, 'chat', false);
    await setRuleEnabled(project, runtime.rules, 'chat', false);
    expect(await getRule(project, 'chat')).toMatchObject({
      version: 3,
      sampling: 0.6,
      filter: {},
      enabled: false,
      delaySeconds: 0,
    });
    await deleteRule(project, runtime.rules, 'chat');
    await expect(getRule(project, 'chat')).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteRule(project, runtime.rules, 'chat')).rejects.toMatchObject({
      code: 'not_found',
    });
    const audit = await runtime.ctx.sql`
      select count(*)::int as n from audit_events where project_id = ${project.projectId} and action = 'rules.update' and target = 'chat'`;
    expect(audit[0]?.n).toBe(4);
  });

  test('X-10 concurrent changes create consecutive versions', async () => {
    await Promise.all([0.1, 0.2, 0.3, 0.4].map((sampling) => put('integrity', { sampling })));
    expect((await getRule(project, 'integrity')).version).toBe(5);
  });

  test('X-10 an unknown verifier is refused, and nothing is changed', async () => {
    await expect(put('nothing', { verifier: 'nothing' })).rejects.toMatchObject({
      code: 'refused',
      details: [{ path: 'verifier' }],
    });
    expect(await listRules(project)).toHaveLength(1);
  });

  test.each([...builtIn.values()])(
    'X-10 a mapping to a variable that $name does not have is refused, listing those it has',
    async ({ name, targets }) => {
      await expect(
        put('mapped', { verifier: name, target: targets[0], mapping: { nothing: '$.output' } }),
      ).rejects.toMatchObject({
        code: 'refused',
        details: [
          {
            path: 'mapping.nothing',
            message: expect.stringMatching(/^is not a variable|leave "mapping" out$/) as string,
          },
        ],
      });
      expect(await listRules(project)).toHaveLength(1);
    },
  );

  test('X-10 a recreated rule continues the version numbers of the earlier one', async () => {
    await send(['t-1']);
    await deleteRule(project, runtime.rules, 'integrity');
    await put('integrity', { sampling: 0 });
    expect((await getRule(project, 'integrity')).version).toBe(2);
  });
});

describe('decisions', () => {
  test('X-10 the decision of each rule on a turn, and the reason why there is no verdict', async () => {
    await put('a-filtered', { filter: { model: 'claude-*' } });
    await put('b-sampled', { sampling: 0 });
    await put('z-second');
    await send(['t-1']);
    const waiting = await reasonsOf('t-1');
    expect(waiting.find((each) => each.rule === 'integrity')?.reason).toMatch(
      /^waiting, due at \d{4}-.*Z$/,
    );
    await drainWork(runtime);
    expect((await reasonsOf('t-1')).sort((a, b) => (a.rule < b.rule ? -1 : 1))).toEqual([
      { rule: 'a-filtered', state: 'filtered', reason: 'model: "openai/gpt-4o" is not "claude-*"' },
      {
        rule: 'b-sampled',
        state: 'sampled_out',
        reason: expect.stringMatching(
          /^not sampled: bucket 0\.\d{4} is not below the rate 0$/,
        ) as unknown,
      },
      { rule: 'integrity', state: 'run', reason: null },
      {
        rule: 'z-second',
        state: 'duplicate',
        reason: 'the rule "integrity" sends it to integrity',
      },
    ]);
    expect(await countsOf('integrity')).toEqual({ run: 1 });
    expect(await countsOf('z-second')).toEqual({ duplicate: 1 });
    const [ran] = (await listDecisions(project, { rule: 'integrity', state: 'run' })).items;
    expect(ran).toMatchObject({ subjectId: 't-1', settled: true, ruleVersion: 1 });
    const [verdict] = await runtime.ctx.sql<{ id: string; rule: string }[]>`
      select id, rule from verdicts where project_id = ${project.projectId}`;
    expect(verdict).toMatchObject({ id: ran?.verdictId, rule: 'integrity' });
  });

  test('X-10 a disabled rule records this for every turn', async () => {
    await setRuleEnabled(project, runtime.rules, 'integrity', false);
    await send(['t-1']);
    expect(await drainWork(runtime)).toBe(0);
    expect(await reasonsOf('t-1')).toEqual([
      { rule: 'integrity', state: 'blocked', reason: 'the rule is switched off' },
    ]);
    expect(await countsOf('integrity')).toEqual({ blocked: 1 });
  });

  test('INT-11 a disabled verifier blocks, and the decision says who disabled it', async () => {
    await runtime.ctx
      .sql`insert into project_settings (project_id, integrity_enabled) values (${project.projectId}, false)`;
    await send(['t-1']);
    await drainWork(runtime);
    expect(await reasonsOf('t-1')).toEqual([
      {
        rule: 'integrity',
        state: 'blocked',
        reason: 'integrity is switched off in the project settings',
      },
    ]);
    expect(await countsOf('integrity')).toEqual({ blocked: 1 });
  });

  test('R-13 quarantined work has failed, with the reason, and an outdated revision has no verdict because of the newer one', async () => {
    await send(['t-1', 't-2']);
    await runtime.ctx
      .sql`update work set state = 'quarantined', reason = 'it broke' where subject_id = 't-1'`;
    await runtime.ctx.sql`delete from work where subject_id = 't-2'`;
    expect(await reasonsOf('t-1')).toEqual([
      { rule: 'integrity', state: 'failed', reason: 'it broke' },
    ]);
    expect(await reasonsOf('t-2')).toEqual([
      { rule: 'integrity', state: 'expired', reason: 'a newer revision took its place' },
    ]);
    expect(
      (await listDecisions(project, { rule: 'integrity', state: 'failed' })).items.map(
        (each) => each.subjectId,
      ),
    ).toEqual(['t-1']);
  });

  test('S-16 a list pages through all decisions once, newest first', async () => {
    await send(names(25));
    await send(['later']);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listDecisions(project, { rule: 'integrity', limit: 7, cursor });
      seen.push(...page.items.map((each) => each.subjectId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(['later', ...names(25).reverse()]);
  });

  test('S-19 a foreign cursor, or neither subject nor rule, is refused', async () => {
    await expect(listDecisions(project, {})).rejects.toMatchObject({ code: 'invalid_request' });
    for (const cursor of ['x', Buffer.from('["9999-99-99T99Z"]').toString('base64url')])
      await expect(listDecisions(project, { rule: 'r', cursor })).rejects.toMatchObject({
        code: 'invalid_request',
      });
  });
});

describe('budgets', () => {
  async function claim(owner: string, limit: number): Promise<ClaimedWork[]> {
    return claimWork(runtime.ctx, { owner, limit });
  }

  const spent = async () => (await getRule(project, 'integrity')).spentToday;

  test('X-10 concurrent workers admit exactly as many as the budget allows', async () => {
    await put('integrity', { daily_budget: 12 });
    await send(names(40));
    const batches = await Promise.all(
      ['w1', 'w2', 'w3', 'w4'].map(async (owner) => ({ owner, claimed: await claim(owner, 10) })),
    );
    expect(batches.map(({ claimed }) => claimed.length).reduce((a, b) => a + b)).toBe(40);
    const results = await Promise.all(batches.map((batch) => admitWork(runtime.ctx, batch)));
    expect(results.flatMap((each) => each.admitted)).toHaveLength(12);
    expect(results.flatMap((each) => each.overBudget)).toHaveLength(28);
    expect(await spent()).toBe(12);
    expect(await countsOf('integrity')).toEqual({ run: 12, over_budget: 28 });
    const [over] = results.flatMap((each) => each.overBudget);
    expect(await reasonsOf(over?.subjectId ?? '')).toEqual([
      { rule: 'integrity', state: 'over_budget', reason: '12 of 12 today, UTC' },
    ]);
    expect(
      (await runtime.ctx.sql`select 1 from work where project_id = ${project.projectId}`).length,
    ).toBe(12);
  });

  test('X-10 work that is claimed again is not charged again', async () => {
    await put('integrity', { daily_budget: 3 });
    await send(names(3));
    const claimed = await claim('w1', 10);
    expect((await admitWork(runtime.ctx, { owner: 'w1', claimed })).admitted).toHaveLength(3);
    expect((await admitWork(runtime.ctx, { owner: 'w1', claimed })).admitted).toHaveLength(3);
    expect(await spent()).toBe(3);
    await runtime.ctx.sql`update rule_spending set day = day - 1`;
    expect((await admitWork(runtime.ctx, { owner: 'w1', claimed })).admitted).toHaveLength(3);
    expect(await spent()).toBe(0);
  });

  test('R-17 a worker whose lease has expired takes nothing from the current owner', async () => {
    await put('integrity', { daily_budget: 0 });
    await send(['t-1']);
    const claimed = await claim('late', 10);
    await runtime.ctx.sql`update work set owner = 'other', fence = fence + 1`;
    expect((await admitWork(runtime.ctx, { owner: 'late', claimed })).overBudget).toHaveLength(1);
    expect(await runtime.ctx.sql`select 1 from work where subject_id = 't-1'`).toHaveLength(1);
    expect(await countsOf('integrity')).toEqual({ run: 1 });
  });

  test('X-10 work without a rule, or under one without a budget, passes', async () => {
    await send(['t-1', 't-2']);
    await runtime.ctx.sql`update work set rule = null where subject_id = 't-1'`;
    await put('other', { daily_budget: 0, filter: { model: 'none' } });
    const claimed = await claim('w1', 10);
    expect(await admitWork(runtime.ctx, { owner: 'w1', claimed })).toEqual({
      admitted: claimed,
      overBudget: [],
    });
  });
});

describe('backfill', () => {
  /** Runs the job's steps, each twice, as after a crash before its checkpoint. */
  async function run(): Promise<unknown> {
    const step = createBackfillStep(runtime.ctx);
    let job = await claimJob(runtime.ctx, { owner: 'w', kinds: [backfillKind] });
    for (;;) {
      if (job === null) throw new Error('no job');
      const progress = await step(job, new AbortController().signal);
      if (progress.cursor === null)
        return { done: progress.done, total: progress.total, result: progress.result };
      job = { ...job, ...progress };
    }
  }

  test('X-10 decides undecided turns once, and records a duplicate where another rule planned the verification', async () => {
    await send(names(3));
    await setRuleEnabled(project, runtime.rules, 'integrity', false);
    await send(names(600).slice(3), { tags: ['bulk'] });
    await put('new', { filter: {}, delay_seconds: 3600 });
    await backfillRule(project, { name: 'new' });
    expect(await run()).toEqual({
      done: 600,
      total: 600,
      result: { decided: { run: 597, duplicate: 3 }, known: 0 },
    });
    expect(await countsOf('new')).toEqual({ run: 597, duplicate: 3 });
    expect(
      await runtime.ctx
        .sql`select 1 from work where project_id = ${project.projectId} and rule = 'new'`,
    ).toHaveLength(597);
    expect(await reasonsOf('t-0000')).toContainEqual({
      rule: 'new',
      state: 'duplicate',
      reason: 'the rule "integrity" sent it to integrity',
    });
    await runtime.ctx.sql`delete from jobs`;
    await backfillRule(project, { name: 'new' });
    expect(await run()).toEqual({ done: 600, total: 600, result: { decided: {}, known: 600 } });
    expect(await countsOf('new')).toEqual({ run: 597, duplicate: 3 });
  });

  /** A first backfill, then a change of the rule, then a second backfill. */
  async function runAgain(): Promise<unknown> {
    await runtime.ctx.sql`delete from jobs`;
    await backfillRule(project, { name: 'integrity' });
    return run();
  }

  const workOf = (rule: string) =>
    runtime.ctx
      .sql`select subject_id from work where project_id = ${project.projectId} and rule = ${rule}`;

  test.each<[string, Record<string, unknown>, string]>([
    ['sampled out', { sampling: 0 }, 'sampled_out'],
    ['filtered', { filter: { tags: ['none'] } }, 'filtered'],
    ['blocked', { enabled: false }, 'blocked'],
  ])(
    'X-10 turns that were %s before the rule was changed are decided again, once',
    async (_how, before, state) => {
      await put('integrity', before);
      await send(names(5));
      expect(await countsOf('integrity')).toEqual({ [state]: 5 });
      await runtime.ctx
        .sql`update decisions set decided_at = decided_at - interval '2 days' where project_id = ${project.projectId}`;
      await runtime.ctx
        .sql`update decision_rollups set day = day - 2 where project_id = ${project.projectId}`;
      await put('integrity');
      expect(await runAgain()).toEqual({
        done: 5,
        total: 5,
        result: { decided: { run: 5 }, known: 0 },
      });
      expect(await countsOf('integrity')).toEqual({ run: 5 });
      expect(await workOf('integrity')).toHaveLength(5);
      const byDay = await runtime.ctx.sql`
      select day = (now() at time zone 'UTC')::date as today, state, sum(count)::int as n from decision_rollups
      where project_id = ${project.projectId} group by day, state order by today, state`;
      expect(byDay).toEqual([
        { today: false, state, n: 0 },
        { today: true, state: 'run', n: 5 },
      ]);
      expect(await runAgain()).toMatchObject({ result: { decided: {}, known: 5 } });
      expect(await drainWork(runtime)).toBe(5);
      const [ran] = (await listDecisions(project, { subject: 't-0000' })).items;
      expect(ran).toMatchObject({ state: 'run', ruleVersion: 3, settled: true });
      expect(Date.now() - (ran?.decidedAt.getTime() ?? 0)).toBeLessThan(3_600_000);
      expect(await runAgain()).toMatchObject({ result: { decided: {}, known: 5 } });
      expect(await countsOf('integrity')).toEqual({ run: 5 });
    },
  );

  test('X-10 turns over the budget are decided again when the budget was raised, and those that ran stay', async () => {
    await put('integrity', { daily_budget: 2 });
    await send(names(5));
    await drainWork(runtime);
    expect(await countsOf('integrity')).toEqual({ run: 2, over_budget: 3 });
    expect(await runAgain()).toMatchObject({ result: { decided: {}, known: 5 } });
    await put('integrity', { daily_budget: 10 });
    expect(await runAgain()).toMatchObject({ result: { decided: { run: 3 }, known: 2 } });
    expect(await drainWork(runtime)).toBe(3);
    expect(await countsOf('integrity')).toEqual({ run: 5 });
    expect((await getRule(project, 'integrity')).spentToday).toBe(5);
  });

  test('X-10 a turn left out again records the current reason, and counts once', async () => {
    await put('integrity', { sampling: 0 });
    await send(names(3));
    await put('integrity', { filter: { tags: ['none'] } });
    expect(await runAgain()).toMatchObject({ result: { decided: { filtered: 3 }, known: 0 } });
    expect(await countsOf('integrity')).toEqual({ filtered: 3 });
    expect(await reasonsOf('t-0001')).toEqual([
      { rule: 'integrity', state: 'filtered', reason: 'tags: "none" is missing' },
    ]);
    expect(await workOf('integrity')).toHaveLength(0);
  });

  test('INT-11 a turn that the verifier itself skipped keeps its verdict and its reason', async () => {
    await runtime.ctx
      .sql`insert into project_settings (project_id, integrity_enabled) values (${project.projectId}, false)`;
    await send(['t-1']);
    await drainWork(runtime);
    await put('integrity', { delay_seconds: 1 });
    expect(await runAgain()).toMatchObject({ result: { decided: {}, known: 1 } });
    expect(await countsOf('integrity')).toEqual({ blocked: 1 });
  });

  test('R-17 two concurrent backfills of a changed rule verify each turn once', async () => {
    await put('integrity', { sampling: 0 });
    await send(names(50));
    await put('integrity');
    await backfillRule(project, { name: 'integrity' });
    const job = await claimJob(runtime.ctx, { owner: 'w', kinds: [backfillKind] });
    if (job === null) throw new Error('no job');
    const { signal } = new AbortController();
    const { sql } = runtime.ctx;
    // Both have read their rows, and wait to write until the lock on one turn's row is released.
    const steps = await sql.begin(async (held) => {
      await held`select 1 from decisions where project_id = ${project.projectId} and subject_id = 't-0000' for update`;
      const started = [1, 2].map(() => createBackfillStep(runtime.ctx)(job, signal));
      const waiting = () =>
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await waiting()).length, { timeout: 5000 }).toBe(2);
      return { started };
    });
    await Promise.all(steps.started);
    expect(await workOf('integrity')).toHaveLength(50);
    expect(await countsOf('integrity')).toEqual({ run: 50 });
  });

  test('X-10 only turns received in the range, and matching the clauses of the rule', async () => {
    await setRuleEnabled(project, runtime.rules, 'integrity', false);
    await send(names(4), { tools: [{ id: 'x', result: { a: 42 } }], metadata: { team: 'ops' } });
    await send(['plain']);
    await runtime.ctx
      .sql`update turns set received_at = '2024-01-01T12:00:00Z' where project_id = ${project.projectId} and id in ('t-0000', 't-0001')`;
    await put('new', { filter: { has_sources: true, metadata: { team: 'ops' }, origin: 'api' } });
    await backfillRule(project, {
      name: 'new',
      from: new Date('2024-01-01T00:00:00Z'),
      to: new Date('2024-01-02T00:00:00Z'),
    });
    expect(await run()).toMatchObject({ total: 2, result: { decided: { run: 2 } } });
    await runtime.ctx.sql`delete from jobs`;
    await backfillRule(project, { name: 'new' });
    expect(await run()).toMatchObject({
      total: 5,
      result: { decided: { run: 2, filtered: 1 }, known: 2 },
    });
    expect(await drainWork(runtime)).toBe(4);
  });

  test('X-10 a disabled rule, a deleted rule, or an empty range is refused', async () => {
    const now = new Date();
    await expect(backfillRule(project, { name: 'none' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      backfillRule(project, { name: 'integrity', from: now, to: now }),
    ).rejects.toMatchObject({ code: 'refused' });
    await backfillRule(project, { name: 'integrity' });
    await setRuleEnabled(project, runtime.rules, 'integrity', false);
    await expect(backfillRule(project, { name: 'integrity' })).rejects.toMatchObject({
      code: 'refused',
    });
    await expect(run()).rejects.toMatchObject({ code: 'refused' });
  });
});
