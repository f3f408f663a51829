import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import {
  createTestProject,
  drainJobs,
  drainRefreshQueue,
  drainWork,
} from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import { storeImportedLabels } from '../../labels';
import { measureVerifiers } from '../../measures';
import { saveJobProgress, claimJob } from '../../queue';
import type { Runtime } from '../../runtime';
import { createImportStep, getTurn, importKind } from '../../ingest';

const data = process.env.ASSAY_DATA ?? '../shared/data';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest'] }));
});

interface Job {
  readonly id: string;
  readonly state: string;
  readonly done: number;
  readonly total: number | null;
  readonly errors: readonly { readonly line: number; readonly message: string }[];
  readonly error_count: number;
  readonly result: {
    readonly turns: {
      readonly accepted: number;
      readonly duplicates: number;
      readonly conflicts: number;
    };
    readonly labels: { readonly accepted: number; readonly duplicates: number };
    readonly scores: {
      readonly accepted: number;
      readonly duplicates: number;
      readonly unparseable: number;
    };
    readonly pipelines?: { readonly accepted: number; readonly duplicates: number };
    readonly rejected: number;
  };
  readonly reason: string | null;
}

const request = (path: string, init: RequestInit = {}) =>
  appOf(runtime).request(path, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
  });

function post(
  file: string | Buffer,
  mapping: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(Buffer.from(file))]), 'rows');
  form.set('mapping', JSON.stringify(mapping));
  return Promise.resolve(request('/v1/import', { method: 'POST', body: form, headers }));
}

const jobOf = async (response: Response): Promise<Job> => (await response.json()) as Job;
const getJob = async (id: string) => jobOf(await request(`/v1/jobs/${id}`));

/** Runs the import to its end. */
async function run(file: string | Buffer, mapping: unknown): Promise<Job> {
  const response = await post(file, mapping);
  const job = await jobOf(response);
  expect([response.status, job]).toMatchObject([202, { state: 'waiting' }]);
  await drainJobs(runtime);
  return getJob(job.id);
}

const lines = (...rows: unknown[]) =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');
const turnsOf = async () =>
  (
    await runtime.ctx.sql<
      { id: string }[]
    >`select id from turns where project_id = ${project.projectId} order by id`
  ).map((row) => row.id);
const labelsOf = () =>
  runtime.ctx
    .sql`select subject_id, success, score, value, rater, kind, selection from labels where project_id = ${project.projectId} order by subject_id`;
const scoresOf = () =>
  runtime.ctx
    .sql`select subject_id, turn_id, value, label, explanation, model, source from foreign_scores
    where project_id = ${project.projectId} order by subject_id`;
const plain = (rows: readonly object[]) => rows.map((row) => ({ ...row }));

const simple = { format: 'jsonl', id: 'id', output: 'text' };

describe('rows', () => {
  test('R-83 a bad row is reported with its line, the rest continues, and digits stay as sent', async () => {
    const file = `\ufeff${lines({ id: 'a', text: 'A 1', src: 0 }, 'not json', '', { id: 'c' }, '{"id":"d","text":"D","src":9007199254740993.10}', { id: 5, text: 7 })}`;
    const job = await run(file, { ...simple, context: [{ id: 'src', path: 'src' }] });
    expect(job).toMatchObject({
      state: 'done',
      done: 5,
      total: 5,
      error_count: 3,
      errors: [
        {
          line: 2,
          message: expect.stringMatching(/^The row is not valid JSON: column \d/) as unknown,
        },
        { line: 4, message: '`output` is missing at "text".' },
        { line: 6, message: expect.stringMatching(/^`output` must be/) as unknown },
      ],
      result: { turns: { accepted: 2, duplicates: 0, conflicts: 0 }, rejected: 3 },
    });
    expect(await turnsOf()).toEqual(['a', 'd']);
    expect((await getTurn(project, 'd')).content.context).toEqual([
      { id: 'src', content: '9007199254740993.10', format: 'json' },
    ]);
    const [row] = await runtime.ctx
      .sql`select origin from turns where project_id = ${project.projectId} and id = 'a'`;
    expect(row?.origin).toBe('import');
  });

  test('X-10 a second import changes nothing, with or without ids', async () => {
    const file = lines(
      { id: 'a', text: 'A 1', ok: true, j: 'fail' },
      { id: 'b', text: 'B 2', ok: false, j: '?' },
    );
    for (const id of [undefined, 'id']) {
      const mapping = {
        ...simple,
        id,
        human_label: 'ok',
        rater: { const: 'me' },
        judge: { const: 'gpt' },
        judge_verdict: 'j',
      };
      expect((await run(file, mapping)).result).toMatchObject({
        turns: { accepted: 2 },
        labels: { accepted: 2 },
        scores: { accepted: 2 },
      });
      const before = [await turnsOf(), plain(await labelsOf()), plain(await scoresOf())];
      expect((await run(file, mapping)).result).toEqual({
        turns: { accepted: 0, duplicates: 2, conflicts: 0 },
        labels: { accepted: 0, duplicates: 2 },
        scores: { accepted: 0, duplicates: 2, unparseable: 1 },
        rejected: 0,
      });
      expect([await turnsOf(), plain(await labelsOf()), plain(await scoresOf())]).toEqual(before);
    }
  });

  test('R-53 an unreadable verdict is no score, or a pass where the mapping says so', async () => {
    const file = lines(
      { id: 'a', text: 'A', j: 'E' },
      { id: 'b', text: 'B', j: 'N' },
      { id: 'c', text: 'C', j: '-' },
      { id: 'd', text: 'D' },
    );
    const mapping = {
      ...simple,
      judge: { const: 'gpt' },
      judge_verdict: 'j',
      pass_values: ['N'],
      fail_values: ['E'],
    };
    await run(file, mapping);
    const row = { source: 'import', model: 'gpt', value: null, explanation: null };
    const unread = 'not read: verdict "-"';
    const readScores = [
      { ...row, subject_id: 'a', turn_id: 'a', label: 'fail' },
      { ...row, subject_id: 'b', turn_id: 'b', label: 'pass' },
    ];
    expect(plain(await scoresOf())).toEqual([
      ...readScores,
      { ...row, subject_id: 'c', turn_id: 'c', label: null, explanation: unread },
    ]);
    await runtime.ctx.sql`delete from foreign_scores`;
    await run(file, { ...mapping, unparseable_as: 'pass' });
    expect(plain(await scoresOf())).toEqual([
      ...readScores,
      { ...row, subject_id: 'c', turn_id: 'c', label: 'pass', explanation: unread },
    ]);
  });

  test('X-3 labels are yes or no, a rate, or a word', async () => {
    const file = lines(
      ...[true, 'no', 0.25, 4, 'meh', null].map((l, n) => ({
        id: `${n}`,
        text: 'T',
        l,
        by: 'ann',
      })),
    );
    await run(file, { ...simple, human_label: 'l', rater: 'by' });
    const row = {
      rater: 'imported:ann',
      kind: 'import',
      selection: 'imported',
      success: null,
      score: null,
      value: null,
    };
    expect(plain(await labelsOf())).toEqual([
      { ...row, subject_id: '0', success: true },
      { ...row, subject_id: '1', success: false },
      { ...row, subject_id: '2', score: 0.25 },
      { ...row, subject_id: '3', value: '4' },
      { ...row, subject_id: '4', value: 'meh' },
    ]);
  });

  test('R-83 a path that no row has is reported', async () => {
    const job = await run(lines({ id: 'a', text: 'A' }), {
      ...simple,
      model: 'modell',
      metadata: { team: 'meta.team' },
    });
    expect(job.errors).toEqual([
      { line: 0, message: '`model` names "modell", which no row has.' },
      { line: 0, message: '`metadata.team` names "meta.team", which no row has.' },
    ]);
    expect(job.result).toMatchObject({ turns: { accepted: 1 }, rejected: 0 });
  });

  test('R-83 a path that no row was searched for, since all were refused before, is not reported as missing', async () => {
    const rows = lines({ id: 'a', text: { deep: 1 }, passed: true }, { id: 'b', passed: false });
    const job = await run(rows, { ...simple, human_label: 'passed' });
    expect(job.errors.map(({ line }) => line)).toEqual([1, 2]);
    expect(job.errors.map(({ message }) => message).join('\n')).not.toContain('passed');
  });

  test('R-83 a path that only the items of a row have is reported with the path that finds it', async () => {
    const row = { k: 'r', o: [{ m: 'x', t: 'X 1', passed: true }] };
    const job = await run(lines(row), {
      format: 'jsonl',
      each: 'o',
      id: ['k', '@.m'],
      output: '@.t',
      human_label: 'passed',
    });
    expect(job.errors).toEqual([
      {
        line: 0,
        message:
          '`human_label` names "passed", which no row has, but the items of "o" have it; write "@.passed".',
      },
    ]);
  });

  test('R-83 only the row of bad UTF-8 is refused', async () => {
    const file = Buffer.concat([
      Buffer.from('{"id":"a","text":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n{"id":"b","text":"B"}'),
    ]);
    expect(await run(file, simple)).toMatchObject({
      errors: [{ line: 1, message: 'The row is not UTF-8.' }],
      result: { turns: { accepted: 1 } },
    });
  });

  test('R-83 items of a row become turns, and one bad item does not affect the others', async () => {
    const row = {
      k: 'r',
      src: { a: 1 },
      o: [{ m: 'x', t: 'X 1' }, { m: 'y' }, { m: 'z', t: 'Z 1', 'a.b': 'deep' }],
    };
    const mapping = {
      format: 'jsonl',
      each: 'o',
      id: ['k', '@.m'],
      output: '@.t',
      model: '@.m',
      context: 'src',
      metadata: { d: '@["a.b"]' },
    };
    expect(await run(lines(row), mapping)).toMatchObject({
      errors: [{ line: 1, message: '`o[1]`: output: is missing at "@.t".' }],
    });
    expect(await turnsOf()).toEqual(['r/x', 'r/z']);
    expect((await getTurn(project, 'r/z')).content).toMatchObject({
      context: [{ id: 'context[0]', content: '{"a":1}' }],
      metadata: '{"d":"deep"}',
    });
    await run(lines(row), { ...mapping, id: 'k' });
    expect(await turnsOf()).toEqual(['r/0', 'r/2', 'r/x', 'r/z']);
  });
});

describe('pipelines', () => {
  const mapping = {
    ...simple,
    each: 'steps',
    output: '@.did',
    pipeline: { query: 'ask', complexity: 'size' },
    human_label: 'ok',
  };
  const row = {
    id: 'r1',
    ask: 'Why?',
    size: 'complex',
    ok: false,
    steps: [{ did: 'A 1' }, { did: 'B 2' }],
    at: '2026-03-01T10:00:00Z',
  };
  const pipelinesOf = async () =>
    plain(
      await runtime.ctx.sql`
        select id, query, complexity, session_id, origin, last_at = '2026-03-01T10:00:00Z' as dated from pipelines
        where project_id = ${project.projectId} order by id`,
    );
  const stored = {
    id: 'r1',
    query: 'Why?',
    complexity: 'COMPLEX',
    session_id: 'r1',
    origin: 'import',
    dated: true,
  };

  test('a row is one request: its turns are one session, which its label is about; a repeat changes nothing', async () => {
    const file = lines(row, { ...row, id: 'r2', ask: null, size: null, at: null });
    const dated = { ...mapping, started_at: 'at' };
    expect((await run(file, dated)).result).toMatchObject({
      turns: { accepted: 4 },
      pipelines: { accepted: 2, duplicates: 0 },
    });
    expect(await pipelinesOf()).toEqual([
      stored,
      { ...stored, id: 'r2', query: null, complexity: null, session_id: 'r2', dated: false },
    ]);
    expect((await labelsOf()).map((label) => [label.subject_id, label.success])).toEqual([
      ['r1', false],
      ['r1/1', false],
      ['r2', false],
      ['r2/1', false],
    ]);
    const sessions = await runtime.ctx
      .sql`select distinct session_id from turns where project_id = ${project.projectId} order by 1`;
    expect(sessions.map((session) => session.session_id)).toEqual(['r1', 'r2']);
    expect((await run(file, dated)).result).toMatchObject({
      pipelines: { accepted: 0, duplicates: 2 },
      labels: { duplicates: 4 },
    });
    expect(await pipelinesOf()).toHaveLength(2);
  });

  test('SOAR-26 the label of a request measures the verdict on its answer', async () => {
    const steps = [
      { did: 'It is 42.', res: { used: 42 } },
      { did: 'It is 73 %.', res: { used: 42 } },
    ];
    await run(lines({ ...row, steps }, { ...row, id: 'r2', ok: true, steps: steps.slice(0, 1) }), {
      ...mapping,
      tools: '@.res',
    });
    await drainWork(runtime);
    await drainRefreshQueue(runtime);
    const integrity = (await measureVerifiers(project, {})).find(
      ({ verifier }) => verifier === 'integrity',
    );
    expect(integrity?.rates.catchRate).toMatchObject({ numerator: 1, denominator: 1 });
    expect(integrity?.rates.falseRejectionRate).toMatchObject({ numerator: 0, denominator: 1 });
  });

  test('known labels of a request are kept, new ones are added', async () => {
    await runtime.ctx.sql`
      insert into pipelines (project_id, id, query, origin, last_at) values (${project.projectId}, 'r1', 'First', 'checkpoints', '2026-03-01T10:00:00Z')`;
    expect((await run(lines(row), mapping)).result).toMatchObject({
      pipelines: { accepted: 0, duplicates: 1 },
    });
    expect(await pipelinesOf()).toEqual([
      { ...stored, query: 'First', session_id: null, origin: 'checkpoints' },
    ]);
  });

  test('SOAR-2 an invalid complexity refuses its row, and no other', async () => {
    const job = await run(lines({ ...row, size: 'huge' }, { ...row, id: 'r2' }), mapping);
    expect(job.errors).toEqual([
      { line: 1, message: '`complexity` must be one of SIMPLE, MEDIUM, COMPLEX, CRITICAL.' },
    ]);
    expect(await pipelinesOf()).toMatchObject([{ id: 'r2' }]);
    expect(await turnsOf()).toEqual(['r2/0', 'r2/1']);
  });

  test.each(['human_label', 'judge_verdict', 'session'])(
    '%s of an item is refused where the row is a pipeline',
    async (name) => {
      const response = await post(lines(row), {
        ...mapping,
        judge: { const: 'gpt' },
        [name]: '@.did',
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(
        'must not begin with \\"@\\" in a mapping with `pipeline`',
      );
    },
  );
});

describe('conversations', () => {
  test('INT-1 each text answer is a turn, with the tool results since the last question as its sources', async () => {
    const messages = [
      { role: 'user', content: 'How full?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'disk', arguments: '{"h":"w"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"pct":91.40}' },
      { role: 'assistant', content: 'It is 91.4 %.' },
      { role: 'user', content: 'Thanks' },
      { role: 'assistant', content: [{ type: 'text', text: 'Welcome.' }] },
    ];
    const job = await run(lines({ id: 'c', messages, ok: 1 }), {
      format: 'jsonl',
      id: 'id',
      messages: 'messages',
      system: { const: 'Be brief.' },
      human_label: 'ok',
    });
    expect(job.result).toMatchObject({ turns: { accepted: 2 }, labels: { accepted: 1 } });
    const first = await getTurn(project, 'c/3');
    expect(first).toMatchObject({ sessionId: 'c', content: { output: 'It is 91.4 %.' } });
    expect(first.content.tools).toEqual([
      {
        id: 'c1',
        name: 'disk',
        arguments: '"{\\"h\\":\\"w\\"}"',
        result: '{"pct":91.40}',
        format: 'json',
      },
    ]);
    expect(first.content.input.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
    expect((await getTurn(project, 'c/5')).content).toMatchObject({
      output: 'Welcome.',
      tools: [],
    });
    expect(plain(await labelsOf())).toMatchObject([{ subject_id: 'c', success: true }]);
  });
});

describe('CSV', () => {
  test('R-83 columns of any name, quotes, line breaks in cells, a byte order mark and semicolons', async () => {
    const file = [
      '\ufeffNummer;Antwort;Beleg;"Urteil ""Mensch"""',
      '1;"Er sagte ""42"";',
      'dann nichts";"{""a"": 42.0}";ja',
      '2;kurz;x',
      '3;zu "viel;y;nein',
      '',
      '4;gut;;nein',
    ].join('\r\n');
    const mapping = {
      format: 'csv',
      delimiter: ';',
      id: 'Nummer',
      output: 'Antwort',
      context: 'Beleg',
      human_label: 'Urteil "Mensch"',
      pass_values: ['ja'],
      fail_values: ['nein'],
    };
    const job = await run(file, mapping);
    expect(job).toMatchObject({
      done: 4,
      total: 4,
      errors: [
        { line: 4, message: 'The row has 3 cells, but the header has 4.' },
        { line: 5, message: expect.stringMatching(/^The row is not valid CSV: /) as unknown },
      ],
      result: { turns: { accepted: 2 }, labels: { accepted: 2 } },
    });
    const { content } = await getTurn(project, '1');
    expect(content.output).toBe('Er sagte "42";\r\ndann nichts');
    expect(content.context).toEqual([{ id: 'context[0]', content: '{"a": 42.0}', format: 'json' }]);
    expect(plain(await labelsOf())).toMatchObject([
      { subject_id: '1', success: true },
      { subject_id: '4', success: false },
    ]);
    const part = ['Nummer;Antwort;Beleg;"Urteil ""Mensch"""', '9;zu wenig'].join('\n');
    expect((await run(part, { ...mapping, first_line: 501 })).errors[0]).toMatchObject({
      line: 501,
    });
  });

  test('R-83 a header with a column twice ends the import', async () => {
    expect(await run('a,a\n1,2', { format: 'csv', output: 'a' })).toMatchObject({
      state: 'failed',
      reason: 'The header has the column "a" twice.',
    });
  });
});

describe('the handler', () => {
  test.each<[string, unknown, string]>([
    ['no output', { format: 'jsonl' }, 'output'],
    ['an unknown field', { ...simple, outptu: 'x' }, 'outptu'],
    ['a path that is none', { ...simple, model: 'a[x]' }, 'model'],
    ['an item without each', { ...simple, model: '@.a' }, 'model'],
    ['each of a CSV', { format: 'csv', output: 'o', each: 'x' }, 'each'],
    ['a judge without a name', { ...simple, judge_verdict: 'v' }, 'judge'],
    ['a format', { ...simple, format: 'xlsx' }, 'format'],
    [
      '__proto__',
      JSON.parse('{"format":"jsonl","output":"o","metadata":{"__proto__":"x"}}'),
      'metadata',
    ],
  ])('R-100 a mapping with %s is refused by name', async (_what, mapping, name) => {
    const response = await post(lines({}), mapping);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain(name);
  });

  test('R-100 the file itself as the body, compressed or not, with the mapping in the query', async () => {
    const path = `/v1/import?mapping=${encodeURIComponent(JSON.stringify(simple))}`;
    const body = lines({ id: 'a', text: 'A' });
    const sent = (extra: RequestInit) =>
      request(path, {
        method: 'POST',
        ...extra,
        headers: { 'content-type': 'application/x-ndjson', ...(extra.headers as object) },
      });
    expect((await sent({ body })).status).toBe(202);
    expect(
      (
        await sent({
          body: new Uint8Array(gzipSync(body)),
          headers: { 'content-encoding': 'gzip' },
        })
      ).status,
    ).toBe(202);
    expect((await sent({ body: '' })).status).toBe(400);
    expect((await sent({ body, headers: { 'content-type': 'application/pdf' } })).status).toBe(415);
    expect(
      (
        await request('/v1/import', {
          method: 'POST',
          body,
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await request(path, {
          method: 'POST',
          body,
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
        })
      ).status,
    ).toBe(400);
    expect((await sent({ body: new Uint8Array(21 * 1024 * 1024) })).status).toBe(413);
    await drainJobs(runtime);
    expect(await turnsOf()).toEqual(['a']);
  });

  test('R-78 the same Idempotency-Key and content is the same job, other content a conflict', async () => {
    const send = (text: string) =>
      post(lines({ id: 'a', text }), simple, { 'idempotency-key': 'k-1' });
    const first = await jobOf(await send('A'));
    expect((await jobOf(await send('A'))).id).toBe(first.id);
    expect((await send('B')).status).toBe(409);
  });

  test('S-1 a key may see and cancel the import that it sent, and no other job', async () => {
    const { id } = await jobOf(await post(lines({ id: 'a', text: 'A' }), simple));
    const mine = key;
    ({ key } = await createKey(project, { name: 'other', scopes: ['ingest'] }));
    expect((await request(`/v1/jobs/${id}`)).status).toBe(403);
    expect((await request(`/v1/jobs/${id}`, { method: 'DELETE' })).status).toBe(403);
    ({ key } = await createKey(project, { name: 'reader', scopes: ['read'] }));
    expect((await request(`/v1/jobs/${id}`)).status).toBe(200);
    expect((await request(`/v1/jobs/${id}`, { method: 'DELETE' })).status).toBe(403);
    key = mine;
    expect(await jobOf(await request(`/v1/jobs/${id}`, { method: 'DELETE' }))).toMatchObject({
      state: 'cancelled',
    });
    await drainJobs(runtime);
    expect(await turnsOf()).toEqual([]);
  });
});

test('R-17 a worker killed between steps, or before it recorded one: the next continues, and nothing is stored twice', async () => {
  const file = lines(
    ...Array.from({ length: 1200 }, (_, n) => ({
      id: `t-${n}`,
      text: `Answer ${n}`,
      ok: n % 2 === 0,
    })),
  );
  const { id } = await jobOf(await post(file, { ...simple, human_label: 'ok' }));
  const { ctx, writer, rules } = runtime;
  const step = createImportStep(ctx, {
    writer,
    planTurns: rules.planTurns,
    storeLabels: storeImportedLabels,
  });
  const job = await claimJob(ctx, { owner: 'dead', kinds: [importKind] });
  if (job === null) throw new Error('nothing claimed');
  const one = await step(job, new AbortController().signal);
  expect(one).toMatchObject({ done: 500, total: 1200 });
  expect(await saveJobProgress(ctx, { owner: 'dead', job }, one)).toBe(true);
  await step({ ...job, ...one }, new AbortController().signal);
  await ctx.sql`update jobs set due_at = now() where id = ${id}`;
  await drainJobs(runtime);
  expect(await getJob(id)).toMatchObject({
    state: 'done',
    done: 1200,
    total: 1200,
    errors: [],
    result: {
      turns: { accepted: 700, duplicates: 500 },
      labels: { accepted: 700, duplicates: 500 },
      rejected: 0,
    },
  });
  expect(await turnsOf()).toHaveLength(1200);
  expect(await labelsOf()).toHaveLength(1200);
});

const quintd = {
  format: 'jsonl',
  each: 'outputs',
  id: ['id', '@.model'],
  output: '@.text',
  model: '@.model',
  context: [{ id: 'source', path: 'source' }],
};
const quintdLabels = {
  human_label: '@.human.fully_correct',
  judge: { const: 'gpt-4' },
  judge_verdict: '@.judges.gpt-4',
};
const summedits = {
  format: 'jsonl',
  each: 'candidates',
  id: '@.id',
  output: '@.summary',
  context: [{ id: 'document', path: 'document' }],
  source: 'domain',
  human_label: '@.consistent',
  metadata: { changed: '@.number_changed' },
};
const tau = {
  format: 'jsonl',
  id: 'id',
  messages: 'messages',
  model: 'agent',
  human_label: 'success',
  metadata: { trial: 'trial' },
};

test.each([
  ['integrity-quintd-openweather', { ...quintd, ...quintdLabels }, 192, 192],
  ['integrity-quintd-owid', { ...quintd, ...quintdLabels }, 192, 192],
  ['integrity-quintd-wikidata', { ...quintd, ...quintdLabels }, 204, 204],
  ['integrity-summedits', summedits, 642, 642],
  ['agent-tau-airline', tau, null, 104],
] as const)(
  'INT-21 %s is imported whole, verified, and a second import changes nothing',
  async (name, mapping, turns, labels) => {
    const file = join(data, `${name}.jsonl`);
    if (!existsSync(file)) {
      process.stderr.write(`skipped: shared data not present (${name})\n`);
      return;
    }
    const body = readFileSync(file);
    const first = await run(body, mapping);
    expect([first.state, first.errors]).toEqual(['done', []]);
    const stored = await turnsOf();
    expect(stored.length).toBe(turns ?? stored.length);
    expect(stored.length).toBeGreaterThan(100);
    expect(first.result).toMatchObject({
      turns: { accepted: stored.length, duplicates: 0 },
      labels: { accepted: labels },
      rejected: 0,
    });
    // A turn without any source is counted, and has no verdict.
    const verified = await drainWork(runtime);
    const [without] = await runtime.ctx.sql<{ count: number }[]>`
      select count(*)::int as count from decisions
      where project_id = ${project.projectId} and state = 'no_subject' and reason = 'no_sources'`;
    expect(verified + (without?.count ?? 0)).toBe(stored.length);
    const second = await run(body, mapping);
    expect(second.result).toMatchObject({
      turns: { accepted: 0, duplicates: stored.length, conflicts: 0 },
      labels: { accepted: 0 },
    });
    expect(await drainWork(runtime)).toBe(0);
  },
);

test.each([
  ['a part named .csv', 'rows.csv', '', 'csv'],
  ['a part named .CSV', 'ROWS.CSV', 'application/octet-stream', 'csv'],
  ['a part that is text/csv', 'rows', 'text/csv; charset=utf-8', 'csv'],
  ['another part', 'rows.jsonl', '', 'jsonl'],
  ['a body that is text/csv', null, 'text/csv', 'csv'],
  ['another body', null, 'application/x-ndjson', 'jsonl'],
])('X-10 without a format %s is read as %s %s %s', async (_name, name, type, format) => {
  const file =
    format === 'csv' ? 'id,output\nt-1,It is 42.\n' : '{"id":"t-1","output":"It is 42."}\n';
  const mapping = JSON.stringify({ id: 'id', output: 'output' });
  const form = new FormData();
  form.set('file', new Blob([file], { type }), name ?? 'rows');
  form.set('mapping', mapping);
  const reply = await (name === null
    ? request(`/v1/import?mapping=${encodeURIComponent(mapping)}`, {
        method: 'POST',
        body: file,
        headers: { 'content-type': type },
      })
    : request('/v1/import', { method: 'POST', body: form }));
  expect(reply.status).toBe(202);
  await drainJobs(runtime);
  const rows = await runtime.ctx
    .sql`select payload from turns where project_id = ${project.projectId}`;
  expect(rows).toMatchObject([{ payload: expect.stringContaining('It is 42.') }]);
});
