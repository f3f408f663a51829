import { beforeEach, describe, expect } from 'vitest';
import { createCaller, type Json } from '../../../testing/call';
import { drainJobs } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import { createJudgedProject, type JudgedProject } from '../../../testing/judged-project';
import { type ScriptedCall, type ScriptedLlm, textOf } from '../../../testing/scripted-llm';
import { until } from '../../../testing/until';
import { verifyAll } from '../../../testing/verify-all';
import { createKey } from '../../access';
import { putProvider } from '../../llm';
import { claimJob } from '../../queue';
import type { Runtime } from '../../runtime';
import { experimentKind } from './run-job';
import { createExperimentStep } from './run-step';

/** Experiments from the HTTP API to their verdicts, with a scripted provider. */

let runtime: Runtime;
let llm: ScriptedLlm;
let judged: JudgedProject;
/** The questions sent to the target, in order. */
let asked: string[] = [];

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
});

const usage = { input: 100, output: 10 };

/** The target answers with the figure that its question names. */
function answer({ body }: ScriptedCall) {
  const text = textOf(body);
  asked.push(text);
  const [figure = 'nothing'] = /\d+\.\d+/.exec(text) ?? [];
  return { text: `It is at ${figure} %.`, usage };
}

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  await runtime.ctx.sql`delete from jobs`;
  asked = [];
  judged = await createJudgedProject(runtime, llm);
  await putProvider(judged.project, 'house', {
    kind: 'openai',
    base_url: llm.baseUrl,
    api_key: 'sk-test',
    models: ['gpt-4o-mini'],
    enabled: true,
    prices: [{ model: 'gpt-4o-mini', usd_per_million: { input: 100, output: 1000 } }],
  });
  llm.answerWith(answer);
});

const model = 'house:gpt-4o-mini';
const prompted = (text: string, front = '') =>
  `---\ntitle: Disks\ndescription: Answers about disks\n${front}output: message\n---\n${text}\n`;
const chat = { type: 'prompt', model, messages: [{ role: 'user', content: 'Say it: {{input}}' }] };

/** Item n requests the figure n.40; its tool found that figure, except for every third item. */
const itemOf = (n: number, split: string | null = null) => ({
  id: `item-${n}`,
  content: `{"input":"Disk ${n}.40?","tools":[{"id":"t","name":"disk","result":{"pct":${n % 3 === 0 ? 99 : n}.40}}],"reference":"${n}.40","metadata":{"host":"web-${n}"}}`,
  split,
});

async function storeDataset(
  items: readonly { id: string; content: string; split: string | null }[],
): Promise<void> {
  const { projectId } = judged.project;
  const { sql } = runtime.ctx;
  await sql`
    insert into datasets (project_id, id, slug, name, description, version, created_by)
    values (${projectId}, 'ds_1', 'disks', 'Disks', '', 1, 'test')`;
  for (const [n, { id, content, split }] of items.entries())
    await sql`
      insert into dataset_items (project_id, dataset_id, id, from_version, ordinal, content, content_hash, split, tags, created_by)
      values (${projectId}, 'ds_1', ${id}, 1, ${n}, ${content}, ${id}, ${split}, '{}', 'test')`;
}

const start = (more: object = {}): Promise<Json> =>
  judged.ok('/v1/experiments', {
    name: 'Disks',
    dataset: 'disks',
    target: chat,
    verifiers: ['integrity'],
    ...more,
  });

/** Runs the experiments as a worker does; the result runs their verifications. */
function runJobs(): () => Promise<void> {
  const ended = { is: false };
  const jobs = drainJobs(runtime).finally(() => {
    ended.is = true;
  });
  return async () => {
    do await verifyAll(runtime);
    while (!ended.is);
    await jobs;
  };
}

const runAll = (): Promise<void> => runJobs()();

interface Stored {
  readonly experiment: Json;
  readonly rows: readonly Json[];
}

async function stored(id: unknown): Promise<Stored> {
  const { sql } = runtime.ctx;
  const { projectId } = judged.project;
  const [experiment = {}] = await sql<Json[]>`
    select state, reason, spent_micros::int as spent, reserved_micros::int as reserved
    from experiments where project_id = ${projectId} and id = ${String(id)}`;
  const rows = await sql<Json[]>`
    select r.ordinal, r.item_id, r.repetition, r.state, r.turn_id, r.cost_usd, r.error,
      (select jsonb_agg(v.verifier_slug || ' ' || v.outcome order by v.verifier_slug)
        from verdicts v where v.project_id = r.project_id and v.experiment_id = r.experiment_id
          and v.turn_id = r.turn_id) as verdicts
    from experiment_rows r where r.project_id = ${projectId} and r.experiment_id = ${String(id)}
    order by r.ordinal`;
  return { experiment, rows };
}

const statesOf = ({ rows }: Stored): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { state } of rows) counts[String(state)] = (counts[String(state)] ?? 0) + 1;
  return counts;
};

describe('online.md 4: experiments', () => {
  test('each item and repetition is a turn with the item’s sources, verified by each verifier', async () => {
    await storeDataset([itemOf(1), itemOf(2), itemOf(3)]);
    await judged.ok(
      '/v1/verifiers/short',
      { kind: 'checks', checks: [{ check: 'max_length', value: 20 }] },
      'PUT',
    );
    const { id, job_id: jobId } = await start({
      verifiers: ['integrity', 'short'],
      repetitions: 2,
      concurrency: 2,
    });
    await runAll();
    const found = await stored(id);
    expect(found.experiment).toMatchObject({ state: 'done', reason: null });
    expect(found.rows.map((row) => [row.item_id, row.repetition, row.verdicts])).toEqual(
      [1, 2].flatMap((repetition) => [
        ['item-1', repetition, ['integrity passed', 'short passed']],
        ['item-2', repetition, ['integrity passed', 'short passed']],
        ['item-3', repetition, ['integrity failed', 'short passed']],
      ]),
    );
    expect(found.rows.every(({ cost_usd: cost }) => cost === 0.02)).toBe(true);
    expect(asked.toSorted()[0]).toBe('Say it: Disk 1.40?');
    expect(asked).toHaveLength(6);
    expect(await judged.ok(`/v1/jobs/${String(jobId)}`)).toMatchObject({
      state: 'done',
      done: 18,
      total: 18,
    });
    const turn = await judged.ok(`/v1/turns/${String(found.rows[2]?.turn_id)}`);
    expect(turn).toMatchObject({
      origin: 'experiment',
      input: 'Disk 3.40?',
      output: 'It is at 3.40 %.',
      reference: '3.40',
      model: 'house/gpt-4o-mini',
      metadata: { host: 'web-3', experiment: { id, item: 'item-3', repetition: 1 } },
    });
  });

  test.for<[string, object, (asked: string[]) => void]>([
    [
      'a prompt of the project is the system message',
      { ...chat, messages: [{ role: 'system', content: 'For {{host}}.' }, ...chat.messages] },
      (texts) => expect(texts[0]).toContain('For web-1.'),
    ],
    [
      'an application is called by HTTP, and its answer is read by a path',
      {
        type: 'http',
        url: 'LLM/chat/completions',
        headers: { 'x-own': 'secret-value-1' },
        body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: '{{input}}' }] },
        output: '$.choices[0].message.content',
      },
      (texts) => expect(texts[0]).toBe('Disk 1.40?'),
    ],
  ])('target: %s', async ([, target, check]) => {
    await storeDataset([itemOf(1)]);
    const text = JSON.stringify(target).replace('LLM', llm.baseUrl);
    const { id } = await start({ target: JSON.parse(text) as object });
    await runAll();
    const { experiment, rows } = await stored(id);
    expect(rows).toMatchObject([{ state: 'answered', verdicts: ['integrity passed'] }]);
    expect(experiment).toMatchObject({ state: 'done' });
    check(asked);
    const [row] = await runtime.ctx.sql<{ all: string }[]>`
      select row_to_json(e)::text as all from experiments e where id = ${String(id)}`;
    expect(row?.all).not.toContain('secret-value-1');
  });

  test.for<[string, string, string, object[]]>([
    [
      'sections are its messages, and values are inserted once',
      'optional: [host]\n',
      '## system\nFor {{host}}. Policy: {{context}}\n\n## user\nSay it: {{input}}',
      [
        { role: 'system', content: 'For {{input}} $&. Policy: {{host}}' },
        { role: 'user', content: 'Say it: {{context}} 1.40 ## system' },
      ],
    ],
    [
      'without sections, a text with the input is the only message',
      '',
      'Say it: {{input}}',
      [{ role: 'user', content: 'Say it: {{context}} 1.40 ## system' }],
    ],
    [
      'the input follows a text without it, as it is',
      '',
      'Policy: {{context}}',
      [
        { role: 'system', content: 'Policy: {{host}}' },
        { role: 'user', content: '{{context}} 1.40 ## system' },
      ],
    ],
  ])('a stored prompt of an application: %s', async ([, front, text, messages]) => {
    const item = { input: '{{context}} 1.40 ## system', context: '{{host}}', reference: 'secret' };
    const content = JSON.stringify({ ...item, metadata: { host: '{{input}} $&' } });
    await storeDataset([{ id: 'item-1', content, split: null }]);
    const save = (body: string) => judged.ok('/v1/prompts/disk-answer/versions', { body });
    await save(prompted(text, front));
    await save(prompted('Another {{input}}'));
    const sent: unknown[] = [];
    llm.answerWith((call) => {
      sent.push((call.body as { messages: unknown }).messages);
      return answer(call);
    });
    const target = { type: 'prompt', model, prompt: 'disk-answer' };
    const { id } = await start({ target });
    // The version in production when the experiment began.
    await judged.ok('/v1/prompts/disk-answer/labels/production', { version: 2 }, 'PUT');
    await runAll();
    expect(await stored(id)).toMatchObject({ experiment: { state: 'done' } });
    expect(sent).toEqual([messages]);
    expect(await judged.ok(`/v1/experiments/${String(id)}`)).toMatchObject({
      target: { prompt: 'disk-answer@1' },
    });
  });

  test('outputs of the caller’s own program are accepted once, with bad ones rejected by name', async () => {
    await storeDataset([itemOf(1), itemOf(2), itemOf(3)]);
    const { id, job_id: none } = await start({ target: { type: 'outputs' } });
    expect(none).toBe(null);
    const path = `/v1/experiments/${String(id)}/outputs`;
    const good = { item_id: 'item-1', output: 'It is at 1.40 %.', cost_usd: 0.5, latency_ms: 12 };
    const outputs = [
      good,
      { item_id: 'item-9', output: 'x' },
      { item_id: 'item-2', output: 'x', cost: 1 },
      { item_id: 'item-2', repetition: 2, output: 'x' },
      { item_id: 'item-2' },
      { item_id: 'item-2', error: 'It crashed.' },
    ];
    expect(await judged.ok(path, { outputs })).toMatchObject({
      accepted: 2,
      duplicates: 0,
      rejected: [
        { index: 1, code: 'not_found', message: expect.stringContaining('item-9') },
        { index: 2, code: 'invalid', message: expect.stringContaining('cost') },
        { index: 3, code: 'not_found' },
        { index: 4, code: 'invalid', message: expect.stringContaining('output') },
      ],
    });
    const again = [good, { ...good, output: 'Another.' }, { item_id: 'item-2', error: 'It.' }];
    expect(await judged.ok(path, { outputs: again })).toMatchObject({
      accepted: 0,
      duplicates: 2,
      rejected: [{ index: 1, code: 'conflict' }],
    });
    const finished = await judged.ok(`/v1/experiments/${String(id)}/finish`, {});
    expect(await judged.ok(`/v1/experiments/${String(id)}/finish`, {})).toEqual(finished);
    await runAll();
    expect(await stored(id)).toMatchObject({
      experiment: { state: 'done' },
      rows: [
        { state: 'answered', cost_usd: 0.5, verdicts: ['integrity passed'] },
        { state: 'failed', error: 'It crashed.' },
        { state: 'failed', error: 'no output was sent' },
      ],
    });
    expect((await judged.call(path, { outputs: [good] })).status).toBe(422);
  });

  test('a cancelled experiment with sent outputs accepts the missing ones when it is resumed', async () => {
    await storeDataset([itemOf(1), itemOf(2)]);
    const { id } = await start({ target: { type: 'outputs' } });
    const path = `/v1/experiments/${String(id)}`;
    const send = (n: number) =>
      judged.ok(`${path}/outputs`, { outputs: [{ item_id: `item-${n}`, output: `${n}.40` }] });
    await send(1);
    await judged.ok(`${path}/cancel`, {});
    expect(await judged.ok(`${path}/resume`, {})).toMatchObject({ job_id: null });
    await send(2);
    await judged.ok(`${path}/finish`, {});
    await runAll();
    expect(await stored(id)).toMatchObject({
      experiment: { state: 'done' },
      rows: [{ verdicts: ['integrity passed'] }, { verdicts: ['integrity passed'] }],
    });
  });

  test('an experiment whose dataset was deleted is not resumed while rows are left', async () => {
    await storeDataset([itemOf(1)]);
    const { id } = await start({ target: { type: 'outputs' } });
    const path = `/v1/experiments/${String(id)}`;
    await judged.ok(`${path}/cancel`, {});
    await judged.ok('/v1/datasets/disks', undefined, 'DELETE');
    const reply = await judged.call(`${path}/resume`, {});
    expect(reply).toMatchObject({ status: 422, text: expect.stringContaining('was deleted') });
    expect(await stored(id)).toMatchObject({ experiment: { state: 'cancelled' } });
  });

  test.for([
    ['dataset', { dataset: 'none' }, 404],
    ['dataset', { dataset: 'disks@2' }, 422],
    ['split', { split: 'other' }, 422],
    ['verifiers.1', { verifiers: ['integrity', 'none'] }, 422],
    ['verifiers.0', { verifiers: ['consistency'] }, 422],
    ['baseline', { baseline: 'exp_none' }, 422],
    ['target.model', { target: { ...chat, model: 'nobody:x' } }, 422],
    ['target.model', { target: { ...chat, model: 'unlisted' } }, 422],
    ['target.model', { target: { ...chat, model: 'anthropic:unlisted' } }, 422],
    [
      'target.messages.1.content',
      {
        target: {
          ...chat,
          messages: [
            { role: 'system', content: 'On {{host}}.' },
            { role: 'user', content: '{{inptu}}' },
          ],
        },
      },
      422,
    ],
    [
      'target.body',
      { target: { type: 'http', url: 'LLM', body: { q: ['{{input}}', '{{hosts}}'] } } },
      422,
    ],
    ['target.prompt', { target: { type: 'prompt', model } }, 400],
    ['target.prompt', { target: { type: 'prompt', model, prompt: 'task-judge' } }, 422],
    ['target.prompt', { target: { type: 'prompt', model, prompt: 'task-rubric' } }, 422],
    ['target.prompt', { target: { type: 'prompt', model, prompt: 'task-rubric@' } }, 400],
    ['target.output', { target: { type: 'http', url: 'LLM', body: 1, output: '$[' } }, 422],
    ['repetitions', { repetitions: 0 }, 400],
    ['concurency', { concurency: 2 }, 400],
  ] as const)('an experiment that cannot run is refused: %s %j', async ([path, more, status]) => {
    await storeDataset([itemOf(1)]);
    const text = JSON.stringify(more).replace('LLM', llm.baseUrl);
    const reply = await judged.call('/v1/experiments', {
      name: 'x',
      dataset: 'disks',
      target: chat,
      verifiers: ['integrity'],
      ...(JSON.parse(text) as object),
    });
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(path)]);
    expect(await runtime.ctx.sql`select 1 from experiments where name = 'x'`).toHaveLength(0);
  });

  test('work that needs a model begins in the slow lane; outputs that were sent may have been judged before', async () => {
    await storeDataset([itemOf(1)]);
    const { sql } = runtime.ctx;
    const lanesOf = (id: unknown) =>
      until('its work is planned', async () => {
        const rows = await sql<{ verifier: string; lane: string }[]>`
          select verifier, lane from work where experiment_id = ${String(id)} order by 1`;
        return rows.length === 0 ? null : rows.map(({ verifier, lane }) => `${verifier} ${lane}`);
      });
    const verifiers = ['integrity', 'task'];
    const called = await start({ verifiers });
    const running = runJobs();
    expect(await lanesOf(called.id)).toEqual(['integrity fast', 'task slow']);
    await running();
    const sent = await start({ verifiers, target: { type: 'outputs' } });
    await judged.ok(`/v1/experiments/${String(sent.id)}/outputs`, {
      outputs: [{ item_id: 'item-1', output: 'It is at 1.40 %.' }],
    });
    expect(await lanesOf(sent.id)).toEqual(['integrity fast', 'task fast']);
  });

  test('items that are held out are used only when they are named', async () => {
    await storeDataset([itemOf(1, 'dev'), itemOf(2), itemOf(3, 'held_out')]);
    const ids = async (more: object) => {
      const { id } = await start({ target: { type: 'outputs' }, ...more });
      return (await stored(id)).rows.map((row) => row.item_id);
    };
    expect(await ids({})).toEqual(['item-1', 'item-2']);
    expect(await ids({ split: 'dev' })).toEqual(['item-1']);
    const body = { name: 'x', dataset: 'disks', verifiers: ['integrity'], split: 'held_out' };
    const target = { type: 'outputs' };
    const refusal = await judged.call('/v1/experiments', { ...body, target });
    expect([refusal.status, refusal.text]).toEqual([403, expect.stringContaining('held_out')]);
    const { key } = await createKey(judged.project, {
      name: 'all',
      scopes: ['verify', 'held_out'],
    });
    const allowed = await createCaller(runtime, key)('/v1/experiments', { ...body, target });
    expect((await stored(allowed.body.id)).rows.map((row) => row.item_id)).toEqual(['item-3']);
  });

  test('the budget is never exceeded, and an experiment continues with a higher one', async () => {
    const count = 12;
    await storeDataset(Array.from({ length: count }, (_, n) => itemOf(n + 1)));
    const limited = { ...chat, max_output_tokens: 10 };
    const { id } = await start({ target: limited, budget_usd: 0.5, concurrency: 4 });
    await runAll();
    const first = await stored(id);
    expect(first.experiment).toMatchObject({
      state: 'over_budget',
      reason: expect.stringContaining('$0.5'),
      reserved: 0,
    });
    expect(Number(first.experiment.spent)).toBeLessThanOrEqual(500_000);
    const answered = statesOf(first).answered ?? 0;
    expect(answered).toBeGreaterThan(0);
    expect(statesOf(first)).toEqual({ answered, waiting: count - answered });
    await judged.ok(`/v1/experiments/${String(id)}/resume`, { budget_usd: 5 });
    await runAll();
    const second = await stored(id);
    expect(second.experiment).toMatchObject({ state: 'done' });
    expect(statesOf(second)).toEqual({ answered: count });
    expect(asked).toHaveLength(count);
  });

  test('a cancelled experiment keeps its outputs, and resumes without repeating calls', async () => {
    await storeDataset(Array.from({ length: 9 }, (_, n) => itemOf(n + 1)));
    const { id } = await start({ concurrency: 1 });
    llm.answerWith(async (call) => {
      if (asked.length === 4) await judged.ok(`/v1/experiments/${String(id)}/cancel`, {});
      return answer(call);
    });
    await runAll();
    const first = await stored(id);
    expect(first.experiment).toMatchObject({ state: 'cancelled' });
    expect(statesOf(first)).toEqual({ answered: 5, waiting: 4 });
    llm.answerWith(answer);
    await judged.ok(`/v1/experiments/${String(id)}/resume`, {});
    await runAll();
    const second = await stored(id);
    expect(second.experiment).toMatchObject({ state: 'done' });
    expect(second.rows.every(({ verdicts }) => Array.isArray(verdicts))).toBe(true);
    expect(asked).toHaveLength(9);
    expect(new Set(asked).size).toBe(9);
    expect((await judged.call(`/v1/experiments/${String(id)}/resume`, {})).status).toBe(422);
  });

  test('failed calls are stored with their reason, and repeated only on request', async () => {
    await storeDataset([itemOf(1), itemOf(2)]);
    llm.answerWith((call) =>
      textOf(call.body).includes('2.40')
        ? { text: '', fault: { kind: 'status' as const, status: 400 } }
        : answer(call),
    );
    const { id } = await start();
    await runAll();
    expect(await stored(id)).toMatchObject({
      experiment: { state: 'done' },
      rows: [{ state: 'answered' }, { state: 'failed', error: expect.stringMatching(/./) }],
    });
    llm.answerWith(answer);
    await judged.ok(`/v1/experiments/${String(id)}/resume`, { retry_failed: true });
    await runAll();
    expect(statesOf(await stored(id))).toEqual({ answered: 2 });
  });

  test('an experiment whose job was cancelled as a job is cancelled, and resumes', async () => {
    await storeDataset([itemOf(1), itemOf(2)]);
    const { id, job_id: jobId } = await start();
    await judged.ok(`/v1/jobs/${String(jobId)}`, undefined, 'DELETE');
    expect((await judged.call(`/v1/experiments/${String(id)}/cancel`, {})).status).toBe(200);
    await judged.ok(`/v1/experiments/${String(id)}/resume`, {});
    await runAll();
    expect(statesOf(await stored(id))).toEqual({ answered: 2 });
  });

  // If a worker dies, its step never returns, and the next worker claims the job.
  test.for([1, 3, 5, 8])(
    'killed after %i calls, no call is repeated and no stored answer is lost',
    async (killedAt) => {
      const count = 10;
      await storeDataset(Array.from({ length: count }, (_, n) => itemOf(n + 1)));
      const { id } = await start({
        concurrency: 3,
        budget_usd: 20,
        target: { ...chat, max_output_tokens: 10 },
      });
      const { ctx, subjects, writer, masks } = runtime;
      const release: (() => void)[] = [];
      let kill = (): void => undefined;
      const killed = new Promise<void>((resolve) => {
        kill = resolve;
      });
      llm.answerWith(async (call) => {
        if (asked.length < killedAt) return answer(call);
        asked.push(textOf(call.body));
        kill();
        await new Promise<void>((resolve) => release.push(resolve));
        return { text: '', fault: { kind: 'status', status: 400 } };
      });
      const job = await claimJob(ctx, { owner: 'dying', kinds: [experimentKind] });
      if (job === null) throw new Error('there is no job');
      const step = createExperimentStep(ctx, { subjects, writer, masks });
      const dying = step(job, new AbortController().signal).catch(() => undefined);
      await killed;
      await ctx.sql`update jobs set due_at = now() where id = ${job.id}`;
      llm.answerWith(answer);
      await runAll();
      const found = await stored(id);
      const lost = statesOf(found).lost ?? 0;
      expect(found.experiment).toMatchObject({ state: 'done' });
      expect(lost).toBeGreaterThan(0);
      expect(lost).toBeLessThanOrEqual(3);
      expect(statesOf(found)).toEqual({ answered: count - lost, lost });
      // Each item was sent exactly once, regardless of its answer.
      expect(asked).toHaveLength(count);
      expect(new Set(asked).size).toBe(count);
      for (const each of release) each();
      await dying;
      // The maximum cost of a lost call counts as spent, once, and nothing stays reserved.
      const { experiment } = await stored(id);
      expect(experiment).toMatchObject({ state: 'done', reserved: 0 });
      expect(Number(experiment.spent)).toBeGreaterThan((count - lost) * 20_000);
    },
  );

  test('a store that fails while the target makes the next answer ends the step, and that answer is stored', async () => {
    const { ctx, subjects, writer, masks } = runtime;
    await storeDataset([itemOf(1), itemOf(2), itemOf(4)]);
    const { id } = await start({ concurrency: 1 });
    let broken = 0;
    let fail: () => void = () => undefined;
    const failed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const breaking: typeof writer = {
      ...writer,
      async write(turns) {
        if (broken++ > 0) return writer.write(turns);
        fail();
        throw new Error('the first answer cannot be stored');
      },
    };
    llm.answerWith(async (call) => {
      if (asked.length > 0) await failed;
      // Node sees the rejection before the answer arrives.
      await new Promise((resolve) => setImmediate(resolve));
      return answer(call);
    });
    const job = await claimJob(ctx, { owner: 'broken', kinds: [experimentKind] });
    if (job === null) throw new Error('there is no job');
    const step = createExperimentStep(ctx, { subjects, writer: breaking, masks });
    await expect(step(job, new AbortController().signal)).rejects.toThrow(
      'the first answer cannot be stored',
    );
    expect(statesOf(await stored(id))).toEqual({ asked: 1, answered: 1, waiting: 1 });
    await ctx.sql`update jobs set due_at = now() where id = ${job.id}`;
    await runAll();
    const found = await stored(id);
    expect(found.experiment.state).toBe('done');
    expect(statesOf(found)).toEqual({ answered: 2, lost: 1 });
    expect(asked).toHaveLength(3);
  });
});
