import { beforeEach, describe, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainJobs, drainWork } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import { type ScriptedCall, type ScriptedLlm, textOf } from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import { putProvider } from '../../llm';
import { moveLabel, savePrompt } from '../../prompts';
import {
  cancelJob,
  saveJobProgress,
  claimJob,
  claimSlowWork,
  getJob,
  startScheduledJobs,
} from '../../queue';
import type { Runtime } from '../../runtime';
import { kinds } from '../../verifiers';
import { putConfig } from '../../catalog';
import { verifyClaimed, updateSettings } from '../../verdicts';
import { anchorKind } from './anchor-job';
import { anchorScheduleKind, anchorSchedules } from './anchor-schedules';
import { createAnchorStep } from './anchor-step';
import { freezeAnchors } from './freeze-anchors';
import { listAnchorSets } from './list-anchor-sets';
import { planAnchors } from './plan-anchors';
import { readDrift, refreshLabelledVerdicts } from '../../measures';
import { retireAnchors } from './retire-anchors';
import { runAnchors } from './run-anchors';
import { runChangedAnchors } from './run-changed';

/** A judge that passes everything; with a strict prompt it fails vague work. */

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key = '';
/** The judge's next behaviour; null if it judges normally. */
let broken: 'unreadable' | null = null;

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  llm.answerWith(judge);
});

beforeEach(async () => {
  broken = null;
  await runtime.ctx.sql`delete from jobs`;
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, {
    name: 'k',
    scopes: ['verify', 'read', 'write', 'ingest'],
  }));
});

async function provide(): Promise<void> {
  const provider = {
    kind: 'openai' as const,
    base_url: llm.baseUrl,
    api_key: 'sk-test',
    models: ['gpt-4o-mini'],
    enabled: true,
  };
  await putProvider(project, 'house', provider);
  await updateSettings(project, { defaultJudge: 'house:gpt-4o-mini' });
}

function judge({ body }: ScriptedCall): {
  readonly text: string;
  readonly usage: { readonly input: number; readonly output: number };
} {
  const asked = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(asked)?.[1] ?? '';
  const usage = { input: 1000, output: 100 };
  if (broken === 'unreadable') return { text: 'I would rather not say.', usage };
  const met = !(asked.includes('Be strict') && asked.includes('vague'));
  const criteria = [{ criterion: 1, reasoning: 'Seen.', quotes: [], met, confidence: 0.9 }];
  return { text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }), usage };
}

async function call(method: string, path: string, body?: object) {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/**
 * Turns with one figure each: those of `bad` without a source, those of `good` with one. They are
 * labelled accordingly.
 */
async function labelledTurns(bad: number, good: number, name = 't'): Promise<void> {
  const tools = [{ id: 'tc1', name: 'disk', result: { used: 42 } }];
  const turns = [
    ...Array.from({ length: bad }, (_, n) => ({
      id: `${name}-bad-${n}`,
      output: 'It is 73 %.',
      tools,
    })),
    ...Array.from({ length: good }, (_, n) => ({
      id: `${name}-good-${n}`,
      output: 'It is 42.',
      tools,
    })),
  ];
  expect((await call('POST', '/v1/turns', { turns })).status).toBe(202);
  await drainWork(runtime);
  await label(turns.map(({ id }) => ({ subject_id: id, success: id.includes('good') })));
}

/** The same turn with other content, received later. */
const replaceTurn = (id: string) =>
  call('POST', '/v1/turns', {
    turns: [{ id, output: 'It is 99 %.', ended_at: '2040-01-01T00:00:00Z' }],
  });

async function label(
  outcomes: readonly ({ readonly success: boolean } & Record<string, unknown>)[],
): Promise<void> {
  await call('POST', '/v1/outcomes', { outcomes });
  const rows = await project.sql<
    { subject_id: string }[]
  >`select subject_id from labels where project_id = ${project.projectId}`;
  await refreshLabelledVerdicts(
    project,
    rows.map((row) => row.subject_id),
  );
}

/** Tasks that a model judges; the vague ones are bad, which only a strict judge sees. */
async function labelledTasks(vague: number, clear: number): Promise<void> {
  const outcomes: { verification_id: string; success: boolean }[] = [];
  for (let n = 0; n < vague + clear; n++) {
    const output = n < vague ? `A vague word ${n}.` : `The disk ${n} is full.`;
    const sent = {
      success_criteria: ['Is clear'],
      scoring_mode: 'binary',
      task_output: output,
      wait_ms: 0,
    };
    const id = String((await call('POST', '/v1/verify/task', sent)).body.id);
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
    outcomes.push({ verification_id: id, success: n >= vague });
  }
  await label(outcomes);
}

async function beStrict(): Promise<void> {
  const slug = 'task-binary';
  const { version } = await savePrompt(project, runtime.prompts, {
    slug,
    body: `${runtime.prompts.get(slug)?.body ?? ''}\nBe strict.\n`,
    message: 'strict',
  });
  await moveLabel(project, runtime.prompts, { slug, label: 'production', version });
}

const frozen = {
  verifier: 'integrity',
  name: 'weekly',
  items: 20,
  seed: 1,
  cron: null,
  zone: 'UTC',
} as const;
const judgeSet = async (id: string) => {
  const { id: run } = await runAnchors(project, runtime.subjects, { id });
  await drainJobs(runtime);
  const [set] = (await listAnchorSets(project, { verifier: (await ofSet(id)).verifier })).filter(
    (each) => each.id === id,
  );
  const found = set?.runs.find((each) => each.id === run);
  if (found === undefined) throw new Error('the run is not listed');
  return found;
};
const ofSet = async (id: string): Promise<{ verifier: string }> => {
  const [row] = await project.sql<{ verifier: string }[]>`
    select verifier_slug as verifier from anchor_sets where project_id = ${project.projectId} and id = ${id}`;
  if (row === undefined) throw new Error('no set');
  return row;
};

/** All data that judging again must not change. */
async function untouched(): Promise<Record<string, unknown>> {
  const tables = [
    'verdicts',
    'scores',
    'judge_cache',
    'deliveries',
    'verdict_rollups',
    'decisions',
    'work',
    'labels',
    'mission_events',
    'judgements',
  ];
  const rows = await Promise.all(
    tables.map(
      (table) => runtime.ctx
        .sql`select ${table} as name, coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') as rows
        from ${runtime.ctx.sql(table)} t where project_id = ${project.projectId}`,
    ),
  );
  return Object.fromEntries(rows.map(([row]) => [String(row?.name), row?.rows]));
}

const actions = async (): Promise<string[]> => {
  const rows = await runtime.ctx.sql<{ action: string }[]>`
    select action from audit_events where project_id = ${project.projectId} and action like 'anchors.%' order by id`;
  return rows.map(({ action }) => action);
};

describe('calibration.md 5.9 freezing', () => {
  test('half bad and half good, drawn by the seed, with contents and truths in the fingerprint; nothing in it changes later', async () => {
    await labelledTurns(12, 14);
    const plan = await planAnchors(project, runtime.subjects, frozen);
    expect(plan).toEqual({
      verifier: 'integrity',
      labelled: { good: 14, bad: 12 },
      items: { good: 10, bad: 10 },
      refusal: null,
      judges: [],
      whyNone: null,
      tokens: 0,
      costUsd: 0,
    });
    const set = await freezeAnchors(project, frozen);
    expect(set).toMatchObject({
      verifier: 'integrity',
      name: 'weekly',
      items: 20,
      good: 10,
      cron: null,
      nextAt: null,
      retired: false,
      runs: [],
    });
    expect(set.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const items =
      await project.sql`select * from anchor_items where project_id = ${project.projectId} order by ordinal`;
    expect(items).toHaveLength(20);
    expect(
      items.every((item) => String(item.subject_id).includes(item.good === true ? 'good' : 'bad')),
    ).toBe(true);

    // Repeating it returns the same set, another draw has other items, and a name is unique.
    expect(await freezeAnchors(project, frozen)).toEqual(set);
    await expect(freezeAnchors(project, { ...frozen, seed: 2 })).rejects.toMatchObject({
      code: 'conflict',
    });
    const others = await Promise.all(
      [2, 3, 4].map((seed) => freezeAnchors(project, { ...frozen, name: `seed ${seed}`, seed })),
    );
    expect(others.some(({ fingerprint }) => fingerprint !== set.fingerprint)).toBe(true);
    expect(await freezeAnchors(project, { ...frozen, name: 'again', seed: 1 })).toMatchObject({
      fingerprint: set.fingerprint,
    });

    await label([{ subject_id: String(items[0]?.subject_id), success: items[0]?.good !== true }]);
    expect(
      await project.sql`select * from anchor_items where project_id = ${project.projectId} and set_id = ${set.id} order by ordinal`,
    ).toEqual(items);
    expect(await actions()).toEqual(Array.from({ length: 5 }, () => 'anchors.freeze'));
  });

  test('fewer than ten labelled subjects are refused, with their number', async () => {
    await labelledTurns(4, 5);
    const plan = await planAnchors(project, runtime.subjects, frozen);
    expect(plan).toMatchObject({ labelled: { good: 5, bad: 4 }, items: { good: 5, bad: 4 } });
    expect(plan.refusal).toContain('9 labelled subjects');
    await expect(freezeAnchors(project, frozen)).rejects.toMatchObject({
      code: 'refused',
      message: plan.refusal,
    });
    expect(await listAnchorSets(project, { verifier: 'integrity' })).toEqual([]);
  });

  test('subjects that cannot be judged again are not drawn: replaced contents', async () => {
    await labelledTurns(6, 6);
    await replaceTurn('t-bad-0');
    expect((await planAnchors(project, runtime.subjects, frozen)).labelled).toEqual({
      good: 6,
      bad: 5,
    });
  });

  test('an unknown verifier, an invalid schedule', async () => {
    await labelledTurns(6, 6);
    await expect(freezeAnchors(project, { ...frozen, verifier: 'nobodys' })).rejects.toMatchObject({
      code: 'not_found',
    });
    for (const [cron, zone] of [
      ['often', 'UTC'],
      ['0 0 31 2 *', 'UTC'],
      ['0 6 * * 1', 'Mars/Olympus'],
    ] as const)
      await expect(freezeAnchors(project, { ...frozen, cron, zone })).rejects.toMatchObject({
        code: 'refused',
      });
  });
});

describe('calibration.md 5.9 judging again', () => {
  test('a verifier of turns walks every item and stores no verdict', async () => {
    await labelledTurns(10, 10);
    const set = await freezeAnchors(project, frozen);
    const before = await untouched();
    const run = await judgeSet(set.id);
    expect(run).toMatchObject({
      state: 'done',
      verifier: 'integrity@1',
      done: 20,
      total: 20,
      undecided: 0,
      leftOut: 0,
      judge: null,
      costUsd: 0,
    });
    expect(run.agreement).toMatchObject({ numerator: 20, denominator: 20 });
    expect(run.catchRate).toMatchObject({ numerator: 10, denominator: 10, state: 'insufficient' });
    expect(run.falseRejectionRate).toMatchObject({ numerator: 0, denominator: 10 });
    expect(await untouched()).toEqual(before);
    expect(await actions()).toEqual(['anchors.freeze', 'anchors.run']);
  });

  test('changed or deleted content is left out, and reported', async () => {
    await labelledTurns(10, 10);
    const set = await freezeAnchors(project, frozen);
    await replaceTurn('t-bad-0');
    await runtime.ctx
      .sql`delete from turns where project_id = ${project.projectId} and id = 't-good-0'`;
    const run = await judgeSet(set.id);
    expect(run).toMatchObject({ state: 'done', done: 20, leftOut: 2, undecided: 0 });
    expect(run.agreement).toMatchObject({ numerator: 18, denominator: 18 });
    const reasons = await project.sql<{ reason: string }[]>`
      select reason from anchor_results where project_id = ${project.projectId} and outcome = 'left_out' order by reason`;
    expect(reasons.map(({ reason }) => reason)).toEqual([
      'it is no longer stored',
      'its content has changed',
    ]);
  });

  test('X-3 a judge is called with the current prompts and no budget; a failed judge is no result and never an agreement', async () => {
    await provide();
    await labelledTasks(6, 6);
    const set = await freezeAnchors(project, { ...frozen, verifier: 'task', items: 12 });
    const plan = await planAnchors(project, runtime.subjects, {
      verifier: 'task',
      items: 12,
      seed: 1,
    });
    expect(plan).toMatchObject({ judges: ['house:gpt-4o-mini'], whyNone: null });
    expect(plan.costUsd).toBeGreaterThan(0);
    const before = await untouched();
    const lenient = await judgeSet(set.id);
    expect(lenient).toMatchObject({
      state: 'done',
      prompts: 'task-binary@0',
      judge: 'house/gpt-4o-mini',
    });
    expect(lenient.agreement).toMatchObject({ numerator: 6, denominator: 12 });
    expect(lenient.costUsd).toBeGreaterThan(0);
    broken = 'unreadable';
    const silent = await judgeSet(set.id);
    expect(silent).toMatchObject({ state: 'done', undecided: 12, leftOut: 0 });
    expect(silent.agreement).toMatchObject({ value: null, denominator: 0, state: 'no_data' });
    expect(await untouched()).toEqual(before);
  });

  test('without a judge a run is refused', async () => {
    await provide();
    await labelledTasks(6, 6);
    const set = await freezeAnchors(project, { ...frozen, verifier: 'task', items: 12 });
    await updateSettings(project, { defaultJudge: null });
    await putProvider(project, 'house', {
      kind: 'openai',
      base_url: llm.baseUrl,
      api_key: 'sk-test',
      models: ['gpt-4o-mini'],
      enabled: false,
    });
    expect(
      (await planAnchors(project, runtime.subjects, { verifier: 'task', items: 12, seed: 1 }))
        .whyNone,
    ).not.toBeNull();
    await expect(runAnchors(project, runtime.subjects, { id: set.id })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('no judge is available'),
    });
  });

  test('X-10 starting a running set returns that run; a retired set is no longer judged, and retiring twice is once', async () => {
    await labelledTurns(10, 10);
    const set = await freezeAnchors(project, frozen);
    const first = await runAnchors(project, runtime.subjects, { id: set.id });
    const [second, third] = await Promise.all(
      [1, 2].map(() => runAnchors(project, runtime.subjects, { id: set.id })),
    );
    expect([second?.id, third?.id]).toEqual([first.id, first.id]);
    await drainJobs(runtime);
    expect((await runAnchors(project, runtime.subjects, { id: set.id })).id).not.toBe(first.id);
    await retireAnchors(project, { id: set.id });
    await retireAnchors(project, { id: set.id });
    await expect(runAnchors(project, runtime.subjects, { id: set.id })).rejects.toMatchObject({
      code: 'refused',
    });
    expect(await actions()).toEqual([
      'anchors.freeze',
      'anchors.run',
      'anchors.run',
      'anchors.retire',
    ]);
    const [listed] = await listAnchorSets(project, { verifier: 'integrity' });
    expect(listed).toMatchObject({ retired: true, nextAt: null });
    expect(listed?.runs).toHaveLength(2);
    // A name is free again once its set is retired.
    expect((await freezeAnchors(project, frozen)).id).not.toBe(set.id);
  });

  test('S-2 another project’s set does not exist', async () => {
    await labelledTurns(10, 10);
    const set = await freezeAnchors(project, frozen);
    const other = await createTestProject(runtime);
    await expect(runAnchors(other, runtime.subjects, { id: set.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(retireAnchors(other, { id: set.id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await listAnchorSets(other, { verifier: 'integrity' })).toEqual([]);
    expect(await readDrift(other, 'integrity')).toBeNull();
  });
});

describe('a run of an anchor set as a job', () => {
  test('R-17 continues where a killed worker stopped, and judges no item twice', async () => {
    await provide();
    await labelledTasks(6, 6);
    const set = await freezeAnchors(project, { ...frozen, verifier: 'task', items: 12 });
    const { id } = await runAnchors(project, runtime.subjects, { id: set.id });
    const step = createAnchorStep(runtime.ctx, runtime.subjects);
    const dead = await claimJob(runtime.ctx, { owner: 'dead', kinds: [anchorKind] });
    if (dead === null) throw new Error('nothing claimed');
    const asked = llm.calls.length;
    await step(dead, new AbortController().signal);
    // The worker was killed before it recorded its progress.
    expect(await getJob(project, id)).toMatchObject({ state: 'running', done: 0 });
    await runtime.ctx.sql`update jobs set due_at = now() where id = ${id}`;
    await drainJobs(runtime);
    expect(await getJob(project, id)).toMatchObject({ state: 'done', done: 12 });
    expect(llm.calls.length - asked).toBe(12);
    const [row] =
      await project.sql`select count(*)::int as n from anchor_results where project_id = ${project.projectId} and run_id = ${id}`;
    expect(row?.n).toBe(12);
  });

  test('R-14 can be cancelled, and is then not part of the drift', async () => {
    await labelledTurns(10, 10);
    const set = await freezeAnchors(project, frozen);
    await judgeSet(set.id);
    const { id } = await runAnchors(project, runtime.subjects, { id: set.id });
    const job = await claimJob(runtime.ctx, { owner: 'w', kinds: [anchorKind] });
    if (job === null) throw new Error('nothing claimed');
    const progress = await createAnchorStep(runtime.ctx, runtime.subjects)(
      job,
      new AbortController().signal,
    );
    await cancelJob(project, id);
    expect(await saveJobProgress(runtime.ctx, { owner: 'w', job }, progress)).toBe(false);
    const [listed] = await listAnchorSets(project, { verifier: 'integrity' });
    expect(listed?.runs[0]).toMatchObject({ id, state: 'cancelled', done: 4, total: 20 });
    expect(await readDrift(project, 'integrity')).toBeNull();
  });

  test('fails if the verifier or its prompt changed its version during the run', async () => {
    await provide();
    await labelledTasks(6, 6);
    const set = await freezeAnchors(project, { ...frozen, verifier: 'task', items: 12 });
    const half = async (): Promise<string> => {
      const { id } = await runAnchors(project, runtime.subjects, { id: set.id });
      const job = await claimJob(runtime.ctx, { owner: 'w', kinds: [anchorKind] });
      if (job === null) throw new Error('nothing claimed');
      await createAnchorStep(runtime.ctx, runtime.subjects)(job, new AbortController().signal);
      await runtime.ctx.sql`update jobs set due_at = now(), owner = null where id = ${id}`;
      return id;
    };
    const first = await half();
    await beStrict();
    await drainJobs(runtime);
    expect(await getJob(project, first)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('a prompt of task'),
    });
    const second = await half();
    await putConfig(project, kinds, 'task', {
      config: { output_chars: 5_000 },
      reason: 'shorter',
    });
    await drainJobs(runtime);
    expect(await getJob(project, second)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('the verifier task changed'),
    });
    const [listed] = await listAnchorSets(project, { verifier: 'task' });
    expect(listed?.runs.map(({ state, reason }) => [state, reason === null])).toEqual([
      ['failed', false],
      ['failed', false],
    ]);
  });
});

describe('on schedule', () => {
  test('R-48 a set is judged when its time comes, once, and not during a run or once it is retired', async () => {
    await labelledTurns(10, 10);
    const set = await freezeAnchors(project, {
      ...frozen,
      cron: '0 6 * * 1',
      zone: 'Europe/Berlin',
    });
    expect(set.nextAt?.toISOString()).toMatch(/T0[45]:00:00.000Z$/);
    const kinds = new Map([[anchorScheduleKind, anchorSchedules]]);
    const week = 7 * 24 * 3_600_000;
    const first = set.nextAt ?? new Date(0);
    const startScheduled = (at: Date) =>
      startScheduledJobs(runtime.ctx, kinds, () => Promise.resolve(at));
    const runs = async () =>
      (await listAnchorSets(project, { verifier: 'integrity' }))[0]?.runs ?? [];
    expect(await startScheduled(new Date(first.getTime() - 1_000))).toBe(0);
    expect(await startScheduled(first)).toBe(1);
    expect(await startScheduled(first)).toBe(0);
    expect((await runs()).map(({ state }) => state)).toEqual(['running']);
    // The next period finds it running and is skipped.
    expect(await startScheduled(new Date(first.getTime() + week))).toBe(1);
    expect(await runs()).toHaveLength(1);
    await drainJobs(runtime);
    // Down for three weeks: only the latest missed period is run.
    expect(await startScheduled(new Date(first.getTime() + 4 * week))).toBeGreaterThanOrEqual(2);
    await drainJobs(runtime);
    expect((await runs()).map(({ state }) => state)).toEqual(['done', 'done']);
    await retireAnchors(project, { id: set.id });
    expect(await startScheduled(new Date(first.getTime() + 6 * week))).toBe(0);
  });

  test('calibration.md 5.9 a set with a schedule is judged once more after each change of verifier, judge or prompt, and for no other change', async () => {
    await provide();
    await labelledTasks(6, 6);
    const set = await freezeAnchors(project, {
      ...frozen,
      verifier: 'task',
      items: 12,
      cron: '0 6 * * 1',
    });
    await freezeAnchors(project, { ...frozen, name: 'by hand', verifier: 'task', items: 12 });
    const startScheduled = async (): Promise<number> => {
      const results = await Promise.all([
        runChangedAnchors(runtime.ctx, runtime.subjects),
        runChangedAnchors(runtime.ctx, runtime.subjects),
      ]);
      await drainJobs(runtime);
      return results[0] + results[1];
    };
    // Never judged: there is no run to compare a change with.
    await beStrict();
    expect(await startScheduled()).toBe(0);
    await judgeSet(set.id);
    expect(await startScheduled()).toBe(0);
    await moveLabel(project, runtime.prompts, {
      slug: 'task-binary',
      label: 'production',
      version: 0,
    });
    await savePrompt(project, runtime.prompts, {
      slug: 'task-rubric',
      body: runtime.prompts.get('task-rubric')?.body ?? '',
      message: 'same',
    });
    expect([await startScheduled(), await startScheduled()]).toEqual([1, 0]);
    await putConfig(project, kinds, 'task', {
      config: { output_chars: 5_000 },
      reason: 'shorter',
    });
    expect([await startScheduled(), await startScheduled()]).toEqual([1, 0]);
    await updateSettings(project, { defaultJudge: null });
    expect([await startScheduled(), await startScheduled()]).toEqual([1, 0]);
    const reasons = await runtime.ctx.sql<{ because: string }[]>`
      select detail->>'because' as because from audit_events where project_id = ${project.projectId} and action = 'anchors.run' order by id`;
    expect(reasons.map(({ because }) => because)).toEqual([
      null,
      'task-binary@0 in production',
      'version 2 in place of 1',
      'the default judge is any available one, and was house:gpt-4o-mini',
    ]);
    // A change during a run fails the run, which is repeated; a retired set is skipped.
    const { id } = await runAnchors(project, runtime.subjects, { id: set.id });
    await putConfig(project, kinds, 'task', {
      config: { output_chars: 6_000 },
      reason: 'longer',
    });
    expect(await runChangedAnchors(runtime.ctx, runtime.subjects)).toBe(0);
    await drainJobs(runtime);
    expect(await getJob(project, id)).toMatchObject({ state: 'failed' });
    expect([await startScheduled(), await startScheduled()]).toEqual([1, 0]);
    await retireAnchors(project, { id: set.id });
    await updateSettings(project, { defaultJudge: 'house:gpt-4o-mini' });
    expect(await startScheduled()).toBe(0);
  });
});

describe('calibration.md 5.9 drift', () => {
  /** Moves the run this many days into the past. */
  const moveBack = (run: string, days: number) => runtime.ctx.sql`
    update anchor_runs set started_at = started_at - ${days} * interval '1 day' where project_id = ${project.projectId} and id = ${run}`;

  async function production(daysAgo: number, passed: number, failed: number): Promise<void> {
    await runtime.ctx.sql`
      insert into verdict_rollups (project_id, day, verifier_slug, model, passed, failed)
      values (${project.projectId}, (now() at time zone 'utc')::date - ${daysAgo}::int, 'task', '', ${passed}, ${failed})
      on conflict (project_id, day, verifier_slug, model) do update set passed = excluded.passed, failed = excluded.failed`;
  }

  test('flips on the frozen items by a stricter prompt are the judge’s part, the rest of the change is the system’s', async () => {
    await provide();
    await labelledTasks(6, 6);
    const set = await freezeAnchors(project, { ...frozen, verifier: 'task', items: 12 });
    const lenient = await judgeSet(set.id);
    expect(await readDrift(project, 'task')).toBeNull();
    await moveBack(lenient.id, 3);
    await beStrict();
    const strict = await judgeSet(set.id);
    // Days 0 to 2 compared with days 3 to 5; the day before counts in neither period.
    for (const [day, passed, failed] of [
      [0, 40, 60],
      [1, 40, 60],
      [2, 40, 60],
      [3, 90, 10],
      [4, 90, 10],
      [5, 90, 10],
      [6, 0, 1000],
    ] as const)
      await production(day, passed, failed);
    const drift = await readDrift(project, 'task@1');
    expect(drift).toMatchObject({
      set: { id: set.id, name: 'weekly', items: 12 },
      before: { run: lenient.id, verifier: 'task@1', judge: 'house/gpt-4o-mini' },
      after: { run: strict.id, verifier: 'task@1' },
      flips: { numerator: 6, denominator: 12 },
      better: 6,
      worse: 0,
    });
    expect(drift?.p).toBeCloseTo(1 / 64, 12);
    expect(drift?.headline.value).toBeCloseTo(-0.5, 12);
    expect(drift?.headline.n).toBe(600);
    expect(drift?.judgePart.value).toBeCloseTo(-0.5, 12);
    expect(drift?.systemPart.value).toBeCloseTo(0, 12);
  });

  test('two runs on one day have no separate days: no headline, and no system’s part', async () => {
    await labelledTurns(10, 10);
    const set = await freezeAnchors(project, frozen);
    await judgeSet(set.id);
    await judgeSet(set.id);
    const drift = await readDrift(project, 'integrity');
    expect(drift).toMatchObject({
      flips: { numerator: 0, denominator: 20 },
      better: 0,
      worse: 0,
      p: null,
    });
    expect(drift?.headline).toEqual({ value: null, low: null, high: null, n: 0 });
    expect(drift?.judgePart.value).toBe(0);
    expect(drift?.systemPart.value).toBeNull();
    await retireAnchors(project, { id: set.id });
    expect(await readDrift(project, 'integrity')).toBeNull();
  });
});
