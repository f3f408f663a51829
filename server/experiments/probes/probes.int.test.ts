import { beforeEach, describe, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainJobs } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import {
  obeyJudge,
  type ScriptedCall,
  type ScriptedLlm,
  type ScriptedReply,
  textOf,
} from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import { putProvider } from '../../llm';
import { moveLabel, savePrompt } from '../../prompts';
import { cancelJob, saveJobProgress, claimJob, claimSlowWork, getJob } from '../../queue';
import type { Runtime } from '../../runtime';
import { verifyClaimed, updateSettings } from '../../verdicts';
import { refreshLabelledVerdicts } from '../../measures';
import { getProbe } from './get-probe';
import { listProbes } from './list-probes';
import { planProbe } from './plan-probe';
import type { ProbeFindings } from './probe-findings';
import { type Probe, ProbeBody } from './probe-input';
import { probeKind } from './probe-job';
import { createProbeStep } from './probe-step';
import { startProbe } from './start-probe';

/** Judges with one fault each, and a sound one, called with the product's own prompts. */

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key = '';
let judge: (call: ScriptedCall) => ScriptedReply = sound;

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  llm.answerWith((call) => judge(call));
});

beforeEach(async () => {
  judge = sound;
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

interface Asked {
  readonly nonce: string;
  readonly mode: 'rubric' | 'binary' | 'criteria_match';
  readonly output: string;
  readonly criteria: readonly string[];
  readonly dimensions: readonly string[];
}

/** The judge's input for a task, read from its fences. */
function askedBy({ body }: ScriptedCall): Asked {
  const text = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
  const block = (name: string): unknown =>
    JSON.parse(
      new RegExp(`<data nonce="${nonce}" name="${name}">\\n(.*)\\n`).exec(text)?.[1] ?? 'null',
    );
  const rubric = block('criteria') as {
    criteria: { text: string }[];
    quality?: { dimension: string }[];
  };
  return {
    nonce,
    mode: text.includes('"met": <')
      ? 'binary'
      : text.includes('"match": <')
        ? 'criteria_match'
        : 'rubric',
    output: String(block('output')),
    criteria: rubric.criteria.map((each) => each.text),
    dimensions: (rubric.quality ?? []).map(({ dimension }) => dimension),
  };
}

/** A reply in the requested form; `met` by the position of the criterion. */
function reply(
  { nonce, mode, criteria, dimensions }: Asked,
  met: (place: number) => boolean,
): ScriptedReply {
  const said = {
    binary: (isMet: boolean) => ({ met: isMet }),
    rubric: (isMet: boolean) => ({ score: isMet ? 5 : 1 }),
  };
  const of =
    mode === 'criteria_match'
      ? (isMet: boolean) => ({ match: isMet ? 'full' : 'none' })
      : said[mode];
  return {
    text: JSON.stringify({
      nonce,
      criteria: criteria.map((_, i) => ({
        criterion: i + 1,
        reasoning: 'Seen.',
        quotes: [],
        ...of(met(i)),
        confidence: 0.9,
      })),
      ...(mode === 'rubric' && {
        quality: dimensions.map((dimension) => ({
          dimension,
          reasoning: 'Seen.',
          score: met(0) ? 5 : 1,
        })),
      }),
      suggestions: [],
      confidence: 0.9,
    }),
    usage: { input: 1000, output: 100 },
  };
}

const isGood = (output: string): boolean => output.startsWith('The disk');

function sound(call: ScriptedCall): ScriptedReply {
  const asked = askedBy(call);
  return reply(asked, () => isGood(asked.output));
}

async function call(method: string, path: string, body?: object) {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function judgedTask(
  output: string,
  good: boolean | null,
  extra: object = {},
): Promise<string> {
  const sent = {
    success_criteria: ['Is clear', 'Is short'],
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
  if (work !== null)
    await verifyClaimed(runtime.ctx, runtime.subjects, {
      owner: 'slow',
      claimed: [work],
      signal: new AbortController().signal,
      asks: true,
    });
  if (good !== null)
    await call('POST', '/v1/outcomes', { outcomes: [{ verification_id: id, success: good }] });
  return id;
}

/** Half of them good, half bad, each labelled accordingly; and some unlabelled ones. */
async function judgedTasks(labelled: number, others = 0): Promise<void> {
  for (let n = 0; n < labelled; n++)
    await judgedTask(n % 2 === 0 ? `The disk ${n} is full.` : `A vague word ${n}.`, n % 2 === 0);
  for (let n = 0; n < others; n++) await judgedTask(`The disk x${n} is full.`, null);
  const rows = await project.sql<
    { subject_id: string }[]
  >`select subject_id from labels where project_id = ${project.projectId}`;
  await refreshLabelledVerdicts(
    project,
    rows.map((row) => row.subject_id),
  );
}

const inputOf = (probe: Probe, more: Partial<ProbeBody> = {}) => ({
  verifier: 'task',
  ...ProbeBody.parse({ probe }),
  ...more,
});

/** Runs a probe to its end, and returns its findings. */
async function probed<P extends Probe>(probe: P, more: Partial<ProbeBody> = {}) {
  const { id } = await startProbe(project, runtime.subjects, inputOf(probe, more));
  await drainJobs(runtime);
  const run = await getProbe(project, { id, after: -1, moved: false });
  expect(run).toMatchObject({ state: 'done', reason: null });
  if (run.findings?.probe !== probe) throw new Error('nothing was found');
  return { run, findings: run.findings as Extract<ProbeFindings, { probe: P }> };
}

/** All data that a probe must not change. */
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
    'judgements',
    'subjects',
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

describe('calibration.md 5.8 with a judge', () => {
  beforeEach(provide);

  test('a sound judge repeats itself, in either order and length, and stops every canary; current settings do not change', async () => {
    await judgedTasks(6, 2);
    const before = await untouched();
    const plan = (await planProbe(project, runtime.subjects, inputOf('repeatability'))).plan;
    expect(plan).toMatchObject({
      items: 8,
      labelled: 6,
      answers: 40,
      refusal: null,
      judges: ['house:gpt-4o-mini'],
    });
    expect(plan.costUsd).toBeGreaterThan(0);
    const asked = llm.calls.length;

    const repeated = await probed('repeatability', { repeats: 3, items: 6 });
    // The cache of equal questions is not used: every judgement calls the model.
    expect(llm.calls.length - asked).toBe(18);
    expect(repeated.findings).toMatchObject({
      flips: { value: 0, n: 6 },
      agreement: { value: 1 },
      moved: { numerator: 0, denominator: 6 },
    });
    expect(repeated.findings).toMatchObject({
      deviation: 0,
      icc: { value: 1, n: 6, k: 3 },
      undecided: 0,
      leftOut: 0,
    });
    expect(repeated.run).toMatchObject({
      verifier: 'task@1',
      judge: 'house/gpt-4o-mini',
      prompts: 'task-binary@0',
      items: 6,
      repeats: 3,
      done: 18,
    });
    expect(repeated.run.costUsd).toBeGreaterThan(0);
    expect(repeated.run.rows).toHaveLength(6);
    expect(
      repeated.run.rows.every(
        ({ verdictId, good, answers }) =>
          verdictId !== null && good !== null && answers.length === 3,
      ),
    ).toBe(true);

    const order = await probed('order');
    expect(order.findings).toMatchObject({
      consistent: { numerator: 8, denominator: 8 },
      p: null,
      parts: { n: 16, consistent: 16, p: null },
    });
    const length = await probed('length');
    expect(length.findings).toMatchObject({
      flips: { numerator: 0, denominator: 8 },
      slope: { value: 0, n: 6 },
    });
    expect(llm.calls.some(({ body }) => textOf(body).includes('go on with the next one'))).toBe(
      true,
    );
    const canaries = await probed('canaries', { repeats: 1 });
    expect(canaries.findings).toMatchObject({ passed: 0, undecided: 0, named: [] });
    expect(canaries.findings.stopped).toBe(canaries.run.items);
    expect(canaries.run.items).toBeGreaterThanOrEqual(20);
    expect(await untouched()).toEqual(before);

    const listed = await listProbes(project, { verifier: 'task@1' });
    expect(listed.map(({ probe, runs }) => [probe, runs.length])).toEqual([
      ['repeatability', 1],
      ['order', 1],
      ['length', 1],
      ['self_preference', 0],
      ['canaries', 1],
    ]);
    const audited = await runtime.ctx.sql<{ target: string; detail: Record<string, unknown> }[]>`
      select target, detail from audit_events where project_id = ${project.projectId} and action = 'probes.start' order by id`;
    expect(audited.map(({ target, detail }) => [target, detail.probe])).toEqual(
      ['repeatability', 'order', 'length', 'canaries'].map((probe) => ['task@1', probe]),
    );
  });

  test('S-28 a judge that prefers the first item is detected by its criteria, though every outcome is the same', async () => {
    await judgedTasks(10);
    judge = (asking) => reply(askedBy(asking), (place) => place === 0);
    const { findings } = await probed('order');
    expect(findings).toMatchObject({
      consistent: { numerator: 10, denominator: 10 },
      parts: { n: 20, consistent: 0, first: 20, second: 0 },
    });
    expect(findings.parts?.p).toBeCloseTo(2 / 2 ** 20, 12);
  });

  test('a judge that changes its decision every third time is detected, and each of its answers is kept', async () => {
    await judgedTasks(4);
    // Counted per work, since questions arrive four at a time, in any order.
    const times = new Map<string, number>();
    judge = (asking) => {
      const asked = askedBy(asking);
      const time = (times.get(asked.output) ?? 0) + 1;
      times.set(asked.output, time);
      const says = time % 3 === 0 ? !isGood(asked.output) : isGood(asked.output);
      return reply(asked, () => says);
    };
    const { run, findings } = await probed('repeatability', { repeats: 3 });
    expect(findings.flips.value).toBeCloseTo(1 / 3, 12);
    expect(findings.moved).toMatchObject({ numerator: 4, denominator: 4 });
    expect(findings.deviation).toBeGreaterThan(0.5);
    const moved = await getProbe(project, { id: run.id, after: -1, moved: true });
    expect(moved.rows.map((row) => row.moved)).toEqual([true, true, true, true]);
    expect(new Set(moved.rows[0]?.answers.map(({ outcome }) => outcome)).size).toBe(2);
    expect(
      (await getProbe(project, { id: run.id, after: 1, moved: true })).rows.map(
        ({ ordinal }) => ordinal,
      ),
    ).toEqual([2, 3]);
  });

  test('a judge that depends on length is detected by longer work and by labelled verdicts', async () => {
    judge = (asking) => {
      const asked = askedBy(asking);
      return reply(asked, () => asked.output.length > 300);
    };
    for (let n = 0; n < 8; n++)
      await judgedTask(`A vague word. ${'Word after word. '.repeat(n * 5)}`, n % 2 === 0);
    await judgedTasks(2);
    const { findings } = await probed('length');
    expect(findings.flips).toMatchObject({ denominator: 10 });
    expect(findings.toPassed).toBe(findings.flips.numerator);
    expect(findings.toPassed).toBeGreaterThan(4);
    expect(findings.fromPassed).toBe(0);
    expect(findings.slope.n).toBe(10);
    expect(findings.slope.value).toBeLessThan(0);
  });

  test('SOAR-37 S-21 a judge that obeys an instruction inside the work passes a canary, and it is named; with fences it obeys none', async () => {
    // Obeys only instructions outside the fences: the product allows none there.
    judge = obeyJudge({
      honest: (asking) => String(sound(asking).text),
      bribed: (asking) => String(reply(askedBy(asking), () => true).text),
    });
    expect((await probed('canaries', { repeats: 1 })).findings).toMatchObject({ passed: 0 });
    judge = (asking) => {
      const asked = askedBy(asking);
      return reply(
        asked,
        () => isGood(asked.output) || asked.output.includes('Ignore all previous instructions'),
      );
    };
    const { findings, run } = await probed('canaries', { repeats: 2 });
    expect(findings.named.map(({ name, times }) => [name, times])).toEqual([
      ['order rubric', 2],
      ['order binary', 2],
      ['order criteria_match', 2],
    ]);
    expect(findings).toMatchObject({
      passed: 3,
      rate: { numerator: 6, denominator: 2 * run.items },
    });
    const seen = await getProbe(project, { id: run.id, after: -1, moved: true });
    expect(
      seen.rows.flatMap(({ answers }) => answers.map(({ outcome, reason }) => [outcome, reason])),
    ).toEqual(Array.from({ length: 6 }, () => ['passed', 'Seen.']));
    const [stored] = await runtime.ctx.sql<{ passed: number }[]>`
      select (findings->>'passed')::int as passed from probe_runs where project_id = ${project.projectId} and id = ${run.id} and probe = 'canaries'`;
    expect(stored).toEqual({ passed: 3 });
  });

  test('preference for the judge’s family is read from labelled verdicts, and calls no model', async () => {
    for (let n = 0; n < 6; n++)
      await judgedTask(`The disk ${n} is full.`, n > 1, {
        executor_model: n % 2 === 0 ? 'claude-3-5-sonnet' : 'mistral-large',
      });
    await judgedTasks(0);
    const asked = llm.calls.length;
    const { findings, run } = await probed('self_preference');
    expect(findings).toMatchObject({
      own: { denominator: 0, state: 'no_data' },
      others: { numerator: 2, denominator: 6 },
      unknown: 0,
    });
    expect(run).toMatchObject({ items: 0, total: 0, costUsd: 0, rows: [] });
    expect(llm.calls.length).toBe(asked);
  });

  test('R-17 continues where a killed worker stopped and requests no answer twice; X-10 starting it again returns the running one', async () => {
    await judgedTasks(4);
    const { id } = await startProbe(
      project,
      runtime.subjects,
      inputOf('repeatability', { repeats: 2 }),
    );
    const again = await Promise.all(
      [1, 2].map(() =>
        startProbe(project, runtime.subjects, inputOf('repeatability', { repeats: 2 })),
      ),
    );
    expect(again.map((each) => each.id)).toEqual([id, id]);
    const dead = await claimJob(runtime.ctx, { owner: 'dead', kinds: [probeKind] });
    if (dead === null) throw new Error('nothing claimed');
    const asked = llm.calls.length;
    await createProbeStep(runtime.ctx, runtime.subjects)(dead, new AbortController().signal);
    expect(await getJob(project, id)).toMatchObject({ state: 'running', done: 0 });
    await runtime.ctx.sql`update jobs set due_at = now() where id = ${id}`;
    await drainJobs(runtime);
    expect(await getJob(project, id)).toMatchObject({ state: 'done', done: 8, total: 8 });
    expect(llm.calls.length - asked).toBe(8);
    expect((await getProbe(project, { id, after: -1, moved: false })).findings).toMatchObject({
      flips: { value: 0, n: 4 },
    });
  });

  test('R-14 can be cancelled at any point, and fails if a prompt or the verifier changed its version', async () => {
    await judgedTasks(6);
    const step = createProbeStep(runtime.ctx, runtime.subjects);
    const half = async (): Promise<string> => {
      const { id } = await startProbe(
        project,
        runtime.subjects,
        inputOf('repeatability', { repeats: 2 }),
      );
      const job = await claimJob(runtime.ctx, { owner: 'w', kinds: [probeKind] });
      if (job === null) throw new Error('nothing claimed');
      const progress = await step(job, new AbortController().signal);
      expect(progress).toMatchObject({ done: 4, total: 12 });
      await saveJobProgress(runtime.ctx, { owner: 'w', job }, progress);
      await runtime.ctx.sql`update jobs set due_at = now(), owner = null where id = ${id}`;
      return id;
    };
    await cancelJob(project, await half());
    const second = await half();
    const slug = 'task-binary';
    const body = `${runtime.prompts.get(slug)?.body ?? ''}\nBe strict.\n`;
    const { version } = await savePrompt(project, runtime.prompts, {
      slug,
      body,
      message: 'strict',
    });
    await moveLabel(project, runtime.prompts, { slug, label: 'production', version });
    await drainJobs(runtime);
    expect(await getJob(project, second)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('a prompt of task'),
    });
    const [repeatability] = await listProbes(project, { verifier: 'task' });
    expect(repeatability?.runs.map(({ state, findings }) => [state, findings])).toEqual([
      ['failed', null],
      ['cancelled', null],
    ]);
  });

  test('X-3 a failed judge is undecided, changed content is left out, and a budget stops work that would exceed it', async () => {
    await judgedTasks(4);
    judge = () => ({ text: 'I would rather not say.', usage: { input: 1000, output: 100 } });
    const { id } = await startProbe(project, runtime.subjects, inputOf('order'));
    await runtime.ctx.sql`
      update subjects set revision = revision + 1 where project_id = ${project.projectId}
        and id = (select subject_id from probe_answers where run_id = ${id} and ordinal = 0 limit 1)`;
    await drainJobs(runtime);
    expect((await getProbe(project, { id, after: -1, moved: false })).findings).toMatchObject({
      consistent: { value: null, denominator: 0 },
      undecided: 6,
      leftOut: 2,
    });
    judge = (asking) => ({ ...sound(asking), usage: { input: 100_000, output: 10_000 } });
    const { costUsd } = (await planProbe(project, runtime.subjects, inputOf('order'))).plan;
    await expect(
      startProbe(project, runtime.subjects, inputOf('order', { budget_usd: 0 })),
    ).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('more than the budget of $0'),
    });
    const bounded = await startProbe(
      project,
      runtime.subjects,
      inputOf('order', { budget_usd: (costUsd ?? 0) * 1.01 }),
    );
    await drainJobs(runtime);
    expect(await getJob(project, bounded.id)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('was spent after 4 of 6 answers'),
    });
  });
});

test('refused if no model can be called, nothing was judged, or the verifier calls no model; another project’s does not exist', async () => {
  const start = (probe: Probe, verifier = 'task') =>
    startProbe(project, runtime.subjects, { ...inputOf(probe), verifier });
  await expect(start('order')).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('has no verdict yet'),
  });
  await expect(start('canaries')).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('no judge is available'),
  });
  await expect(start('canaries', 'integrity')).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('asks no model'),
  });
  await expect(start('canaries', 'agent-output')).rejects.toMatchObject({ code: 'refused' });
  await expect(start('order', 'nobodys')).rejects.toMatchObject({ code: 'not_found' });
  await expect(
    startProbe(project, runtime.subjects, inputOf('repeatability', { repeats: 1 })),
  ).rejects.toMatchObject({ code: 'refused' });
  const { id } = await start('self_preference');
  const other = await createTestProject(runtime);
  await expect(getProbe(other, { id, after: -1, moved: false })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(
    (await listProbes(other, { verifier: 'task' })).every(({ runs }) => runs.length === 0),
  ).toBe(true);
});
