import { beforeEach, describe, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainJobs } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import { type ScriptedCall, type ScriptedLlm, textOf } from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import type { Ask } from '../../domain';
import { putProvider } from '../../llm';
import { moveLabel, savePrompt } from '../../prompts';
import {
  cancelJob,
  saveJobProgress,
  createJob,
  claimJob,
  claimSlowWork,
  getJob,
} from '../../queue';
import type { Runtime } from '../../runtime';
import { verifyClaimed, putMissionSettings, updateSettings } from '../../verdicts';
import { getTrial, listTrials } from './get-trial';
import { planTrial } from './plan-trial';
import { startTrial } from './start-trial';
import { trialKind } from './trial-job';
import { createTrialStep } from './trial-step';

/** A judge that passes everything, and fails vague work once a prompt requires strictness. */

const slug = 'task-binary';
let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  llm.answerWith(judge);
});

beforeEach(async () => {
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
  if (asked.includes('Be strict') && asked.includes('unreadable'))
    return { text: 'I would rather not say.', usage };
  const met = !(asked.includes('Be strict') && asked.includes('vague'));
  const criteria = [{ criterion: 1, reasoning: 'Seen.', quotes: [], met, confidence: 0.9 }];
  return { text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }), usage };
}

async function call(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** A task as judged in production, with its caller's final outcome. */
async function judgedTask(
  output: string,
  good: boolean | null,
  extra: object = {},
): Promise<string> {
  const sent = {
    success_criteria: ['Is clear'],
    scoring_mode: 'binary',
    task_output: output,
    wait_ms: 0,
    ...extra,
  };
  const id = String((await call('POST', '/v1/verify/task', sent)).body.id);
  const work = await claimSlowWork(runtime.ctx, {
    owner: 'slow',
    projectId: project.projectId,
    id,
  });
  if (work !== null) {
    await verifyClaimed(runtime.ctx, runtime.subjects, {
      owner: 'slow',
      claimed: [work],
      signal: new AbortController().signal,
      asks: true,
    });
  }
  if (good !== null)
    await call('POST', '/v1/outcomes', { outcomes: [{ verification_id: id, success: good }] });
  return id;
}

async function strictVersion(): Promise<number> {
  const release = runtime.prompts.get(slug)?.body ?? '';
  return (
    await savePrompt(project, runtime.prompts, {
      slug,
      body: `${release}\nBe strict.\n`,
      message: 'strict',
    })
  ).version;
}

const input = { slug, subjects: 50, order: 'newest', seed: 1, heldOut: false } as const;

/** All data that a trial must not change. */
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
  ];
  const { sql } = runtime.ctx;
  const rows = await Promise.all(
    tables.map(
      (
        table,
      ) => sql`select ${table} as name, coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') as rows from ${sql(table)} t
        where project_id = ${project.projectId}`,
    ),
  );
  return Object.fromEntries(rows.map(([row]) => [String(row?.name), row?.rows]));
}

describe('with a judge', () => {
  beforeEach(provide);

  test('X-3 a version is tried on labelled tasks next to the production one, and no current setting changes', async () => {
    for (const [output, good] of [
      ['The disk is full.', true],
      ['A vague word.', false],
      ['Another vague word.', false],
      ['The fan stands still.', true],
      ['A vague and unreadable word.', false],
    ] as const)
      await judgedTask(output, good);
    await judgedTask('Nobody says whether this is right.', null);
    await judgedTask('Scored by a rubric.', true, { scoring_mode: 'rubric' });
    const version = await strictVersion();
    const before = await untouched();
    const asked = llm.calls.length;

    const { plan } = await planTrial(project, runtime.subjects, { ...input, version });
    expect(plan).toMatchObject({
      production: 0,
      subjects: 5,
      good: 2,
      bad: 3,
      looked: 6,
      productionRuns: 0,
      whyNone: null,
    });
    expect(plan.costUsd).toBeGreaterThan(0);
    expect(llm.calls.length).toBe(asked);

    const job = await startTrial(project, runtime.subjects, { ...input, version });
    expect(job).toMatchObject({ kind: trialKind, state: 'waiting', done: 0, total: 5 });
    await drainJobs(runtime);
    const trial = await getTrial(project, { slug, id: job.id });
    // One of five without a result exceeds the 5% that a trial may omit.
    expect(trial).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('could not run: 1 of 5 subjects'),
      done: 5,
      total: 5,
      version,
      productionVersion: 0,
      reused: 5,
      unpriced: 0,
    });
    expect(trial.tried).toMatchObject({
      matrix: { caught: 2, missed: 0, rejected: 0, passed: 2 },
      undecided: 1,
      inconclusive: 1,
    });
    expect(trial.findings).toMatchObject({ verdict: 'could_not_run', items: 4, inconclusive: 1 });
    expect(trial.tried.rates.agreement).toMatchObject({
      numerator: 4,
      denominator: 4,
      state: 'insufficient',
    });
    expect(trial.production).toMatchObject({
      matrix: { caught: 0, missed: 3, rejected: 0, passed: 2 },
      undecided: 0,
    });
    expect(trial.production?.rates.agreement).toMatchObject({ numerator: 2, denominator: 5 });
    expect(trial.paired).toMatchObject({ both: 4, better: 2, worse: 0, midP: 0.25 });
    const flips = trial.rows.filter(({ isFlip }) => isFlip);
    const words = flips.map(
      ({ outcome, production }) => `${production?.outcome ?? ''} to ${outcome}`,
    );
    expect(words.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'passed to failed',
      'passed to failed',
    ]);
    expect(
      flips.every(
        ({ verdictId, excerpt }) =>
          verdictId?.startsWith('ver_') === true && excerpt.includes('vague'),
      ),
    ).toBe(true);
    // An unreadable reply was requested once more, and reported.
    expect(trial.rows.find(({ outcome }) => outcome === 'inconclusive')?.reason).toBeTruthy();

    expect(await untouched()).toEqual(before);
    const { sql } = runtime.ctx;
    const calls = await sql<
      { prompt_version: string; verdict_id: string | null; n: number; usd: number }[]
    >`
      select prompt_version, verdict_id, count(*)::int as n, sum(cost_usd) as usd from llm_calls
      where project_id = ${project.projectId} and purpose like ${`trial ${job.id}: %`} group by 1, 2`;
    expect(calls).toEqual([
      {
        prompt_version: `${slug}@${version}`,
        verdict_id: null,
        n: trial.calls,
        usd: expect.closeTo(trial.costUsd, 9),
      },
    ]);
    expect(llm.calls.length).toBe(asked + trial.calls);
    expect(await getJob(project, job.id)).toMatchObject({
      result: { calls: trial.calls, tokens: trial.tokens },
    });
    expect(await listTrials(project, { slug })).toMatchObject([
      { id: job.id, version, state: 'failed' },
    ]);
    expect(await listTrials(project, { slug: 'task-rubric' })).toEqual([]);
  });

  test('a person’s ruling has precedence over the outcome, and a version without verdicts is run too', async () => {
    const id = await judgedTask('A vague word.', true);
    await call('POST', `/v1/verifications/${id}/overrides`, {
      verdict: 'fail',
      reason: 'It says nothing.',
    });
    const version = await strictVersion();
    await moveLabel(project, runtime.prompts, { slug, label: 'production', version });
    const { plan } = await planTrial(project, runtime.subjects, { ...input, version: 0 });
    expect(plan).toMatchObject({ production: version, subjects: 1, bad: 1, productionRuns: 1 });
    const job = await startTrial(project, runtime.subjects, { ...input, version: 0 });
    await drainJobs(runtime);
    const trial = await getTrial(project, { slug, id: job.id });
    expect(trial.rows).toMatchObject([
      {
        good: false,
        truthOf: 'override',
        outcome: 'passed',
        isFlip: true,
        production: { source: 'run', outcome: 'failed' },
      },
    ]);
    expect(trial).toMatchObject({
      calls: 2,
      reused: 0,
      paired: { better: 0, worse: 1, midP: 0.5 },
    });

    const own = await startTrial(project, runtime.subjects, { ...input, version });
    await drainJobs(runtime);
    const alone = await getTrial(project, { slug, id: own.id });
    expect(alone).toMatchObject({
      productionVersion: null,
      production: null,
      paired: null,
      calls: 1,
      rows: [{ production: null, isFlip: false }],
    });
  });

  test('R-59 another judge’s verdict is not compared with the tried version: the subject is judged with both', async () => {
    await judgedTask('A vague word.', false);
    const other = {
      kind: 'openai' as const,
      base_url: llm.baseUrl,
      api_key: 'sk-test',
      models: ['o3-mini'],
      enabled: true,
    };
    await putProvider(project, 'other', other);
    await updateSettings(project, { defaultJudge: 'other:o3-mini' });
    const version = await strictVersion();
    const { plan } = await planTrial(project, runtime.subjects, { ...input, version });
    expect(plan).toMatchObject({ subjects: 1, productionRuns: 1, judges: ['other:o3-mini'] });
    const job = await startTrial(project, runtime.subjects, { ...input, version });
    await drainJobs(runtime);
    const trial = await getTrial(project, { slug, id: job.id });
    expect(trial.rows).toMatchObject([
      {
        judge: 'other/o3-mini',
        outcome: 'failed',
        production: { source: 'run', outcome: 'passed' },
      },
    ]);
    expect(trial.costUsd).toBeLessThanOrEqual(plan.costUsd ?? 0);
  });

  test('VS-33 a mission with a judge of its own: not in a trial of the project’s judges, and left out once its judge has changed', async () => {
    const models = {
      kind: 'openai' as const,
      base_url: llm.baseUrl,
      api_key: 'sk-test',
      models: ['gpt-4o'],
      enabled: true,
    };
    await putProvider(project, 'other', models);
    await putMissionSettings(project, 'm-own', { judge: 'other:gpt-4o' });
    await judgedTask('A vague word.', false, { mission_id: 'm-own' });
    await judgedTask('Another vague word.', false, { mission_id: 'm-none' });
    const plan = async (more: object) =>
      (await planTrial(project, runtime.subjects, { ...input, version: 0, ...more })).plan;
    // The mission's verdicts are its judge's, regardless of the project's judge.
    expect(await plan({ judge: 'other:gpt-4o' })).toMatchObject({
      subjects: 1,
      judges: ['other:gpt-4o', 'house:gpt-4o-mini'],
    });
    const version = await strictVersion();
    expect(await plan({ version })).toMatchObject({ subjects: 2 });
    const job = await startTrial(project, runtime.subjects, { ...input, version });
    await drainJobs(runtime);
    const read = () => getTrial(project, { slug, id: job.id });
    const judges = (await read()).rows.map(({ judge }) => judge);
    expect(judges.toSorted((a, b) => (a ?? '').localeCompare(b ?? ''))).toEqual([
      'house/gpt-4o-mini',
      'other/gpt-4o',
    ]);
    expect((await read()).findings).toMatchObject({ items: 2 });
    await putMissionSettings(project, 'm-own', { judge: null });
    expect((await read()).findings).toMatchObject({ items: 1 });
    expect((await read()).tried.matrix.caught).toBe(2);
  });

  test('a disabled provider makes no prompt worse: the trial could not run, and its gate reports that', async () => {
    for (let n = 0; n < 8; n++) await judgedTask(`Word ${n}.`, n % 2 === 0);
    const job = await startTrial(project, runtime.subjects, {
      ...input,
      version: await strictVersion(),
    });
    llm.answerWith(() => ({ status: 500, text: 'out of order' }));
    try {
      await drainJobs(runtime);
    } finally {
      llm.answerWith(judge);
    }
    const trial = await getTrial(project, { slug, id: job.id });
    expect(trial.state).not.toBe('done');
    expect(trial.reason).toMatch(/could not run|cannot be asked/);
    expect(trial.findings?.verdict).toBe('could_not_run');
    expect(trial.rows.filter(({ isFlip }) => isFlip)).toEqual([]);
  });

  test('a waiting import does not block a trial, and another trial does', async () => {
    await judgedTask('Word.', true);
    await createJob(project, { kind: 'none', input: {} });
    const first = await startTrial(project, runtime.subjects, { ...input, version: 0 });
    const second = await startTrial(project, runtime.subjects, {
      ...input,
      version: await strictVersion(),
    });
    const claim = () => claimJob(runtime.ctx, { owner: 'w', kinds: [trialKind] });
    expect((await claim())?.id).toBe(first.id);
    expect(await claim()).toBeNull();
    await cancelJob(project, first.id);
    expect((await claim())?.id).toBe(second.id);
    await cancelJob(project, second.id);
  });

  test('VS-39 work that production would not judge is judged in a trial, and work that checks decided needs no judge', async () => {
    await judgedTask('A vague and cheap word.', false, { cost_usd: 0.001 });
    const failed = {
      success_criteria: [{ check: 'keywords', value: ['disk'], must_pass: true }, 'Is clear'],
    };
    await judgedTask('No word of it.', false, failed);
    const version = await strictVersion();
    const job = await startTrial(project, runtime.subjects, { ...input, version });
    await drainJobs(runtime);
    const trial = await getTrial(project, { slug, id: job.id });
    expect(trial.rows.map(({ outcome, production }) => [outcome, production?.source])).toEqual([
      ['failed', 'same'],
      ['failed', 'run'],
    ]);
    expect(trial.calls).toBe(2);
  });

  test('a trial is cancelled between steps: results are kept, and no further judge is called', async () => {
    for (let n = 0; n < 6; n++) await judgedTask(`Word ${n}.`, true);
    const job = await startTrial(project, runtime.subjects, {
      ...input,
      version: await strictVersion(),
    });
    await expect(
      startTrial(project, runtime.subjects, { ...input, version: 1 }),
    ).rejects.toMatchObject({ code: 'conflict' });
    const claimed = await claimJob(runtime.ctx, { owner: 'w', kinds: [trialKind] });
    if (claimed === null) throw new Error('no job');
    const progress = await createTrialStep(runtime.ctx, runtime.subjects)(
      claimed,
      new AbortController().signal,
    );
    expect(progress).toMatchObject({ done: 4, total: 6, cursor: { done: 4 } });
    await cancelJob(project, job.id);
    expect(await saveJobProgress(runtime.ctx, { owner: 'w', job: claimed }, progress)).toBe(false);
    const asked = llm.calls.length;
    await drainJobs(runtime);
    expect(llm.calls.length).toBe(asked);
    expect(await getTrial(project, { slug, id: job.id })).toMatchObject({
      state: 'cancelled',
      done: 4,
      total: 6,
    });
  });

  test('R-58 while the judge is unavailable nothing is stored and the step fails; interrupted, nothing is stored either', async () => {
    await judgedTask('Word.', true);
    const job = await startTrial(project, runtime.subjects, {
      ...input,
      version: await strictVersion(),
    });
    const claimed = await claimJob(runtime.ctx, { owner: 'w', kinds: [trialKind] });
    if (claimed === null) throw new Error('no job');
    const usage = {
      provider: null,
      model: 'm',
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      latencyMs: 0,
      calls: 0,
    };
    const down: Ask = () =>
      Promise.resolve({
        state: 'failed',
        errorClass: 'breaker_open',
        message: 'the judge is down',
        retryAfterMs: 60_000,
        usage,
      });
    const step = createTrialStep(runtime.ctx, { ...runtime.subjects, askFor: () => down });
    await expect(step(claimed, new AbortController().signal)).rejects.toThrow('cannot be asked');
    const stopping = new AbortController();
    const aborting: Ask = () => {
      stopping.abort();
      return Promise.resolve({
        state: 'failed',
        errorClass: 'aborted',
        message: 'stopped',
        retryAfterMs: null,
        usage,
      });
    };
    const stopped = createTrialStep(runtime.ctx, { ...runtime.subjects, askFor: () => aborting });
    expect(await stopped(claimed, stopping.signal)).toMatchObject({ done: 0, cursor: { done: 0 } });
    expect(await getTrial(project, { slug, id: job.id })).toMatchObject({ done: 0, calls: 0 });
  });

  test('a sample is drawn by its seed, and the newest are the newest', async () => {
    for (let n = 0; n < 8; n++) await judgedTask(`Word ${n}.`, n % 2 === 0);
    const excerpts = async (order: 'newest' | 'sample', seed: number): Promise<string[]> =>
      (
        await planTrial(project, runtime.subjects, {
          slug,
          version: 0,
          subjects: 4,
          order,
          seed,
          heldOut: false,
        })
      ).chosen.map(({ excerpt }) => excerpt);
    expect(await excerpts('newest', 1)).toEqual(['Word 7.', 'Word 6.', 'Word 5.', 'Word 4.']);
    const one = await excerpts('sample', 7);
    expect(await excerpts('sample', 7)).toEqual(one);
    const others = await Promise.all([8, 9, 10].map((seed) => excerpts('sample', seed)));
    expect(others.some((other) => other.join() !== one.join())).toBe(true);
  });

  test('X-10 over HTTP: the estimate, a job, the same job under the same key, and its results', async () => {
    await judgedTask('A vague word.', false);
    const version = await strictVersion();
    const path = `/v1/prompts/${slug}/versions/${version}/trials`;
    expect(await call('POST', path, { subjects: 10, dry_run: true })).toMatchObject({
      status: 200,
      body: {
        subjects: 1,
        bad: 1,
        production_version: 0,
        production_runs: 0,
        judges: ['house:gpt-4o-mini'],
      },
    });
    const started = await call('POST', path, { subjects: 10 }, { 'idempotency-key': 'once' });
    expect(started).toMatchObject({ status: 202, body: { kind: trialKind, total: 1 } });
    expect(
      (await call('POST', path, { subjects: 10 }, { 'idempotency-key': 'once' })).body.id,
    ).toBe(started.body.id);
    await drainJobs(runtime);
    expect(
      await call('GET', `/v1/prompts/${slug}/trials/${String(started.body.id)}`),
    ).toMatchObject({
      status: 200,
      body: {
        state: 'done',
        tried: { catch_rate: { numerator: 1, denominator: 1 }, undecided: 0 },
        production: { catch_rate: { numerator: 0, denominator: 1 } },
        paired: { better: 1, worse: 0 },
        subjects: [
          {
            outcome: 'failed',
            good: false,
            flip: true,
            production: { source: 'stored', outcome: 'passed' },
          },
        ],
      },
    });
    expect(
      (await call('GET', `/v1/prompts/task-rubric/trials/${String(started.body.id)}`)).status,
    ).toBe(404);
    for (const body of [
      { subjects: 0 },
      { subjects: 201 },
      { order: 'best' },
      { seed: -1 },
      { n: 3 },
    ])
      expect((await call('POST', path, body)).status).toBe(400);
    expect((await call('POST', `/v1/prompts/${slug}/versions/99/trials`, {})).status).toBe(404);
    expect((await call('POST', `/v1/prompts/${slug}/versions/last/trials`, {})).status).toBe(404);
  });
});

test('without labelled subjects, and without a judge, there is no trial, with the reason', async () => {
  const start = () => startTrial(project, runtime.subjects, { ...input, version: 0 });
  await expect(start()).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('no labelled task'),
  });
  await judgedTask('Word.', true);
  await expect(start()).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('no judge is available'),
  });
  const { plan } = await planTrial(project, runtime.subjects, { ...input, version: 0 });
  expect(plan).toMatchObject({ subjects: 1, judges: [] });
  expect(plan.whyNone).not.toBeNull();
  await expect(
    planTrial(project, runtime.subjects, { ...input, slug: 'nobodys', version: 0 }),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a prompt for turns has no trial, with the reason', async () => {
  const start = startTrial(project, runtime.subjects, {
    ...input,
    slug: 'integrity-opinion',
    version: 0,
  });
  await expect(start).rejects.toMatchObject({ code: 'refused', details: [{ path: 'slug' }] });
});
