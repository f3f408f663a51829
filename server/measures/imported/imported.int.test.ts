import { beforeEach, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainJobs, drainRefreshQueue } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import { wilson } from '../../domain';
import type { Runtime } from '../../runtime';
import { measureImportedJudges } from './measure-imported';
import { measureVerifiers } from '../measure';
import type { CategoricalJudge, NumericJudge } from './imported';

/** Rows are sent by POST /v1/import, as clients do. */

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest', 'read'] }));
});

const request = (path: string, init: RequestInit = {}) =>
  appOf(runtime).request(path, { ...init, headers: { authorization: `Bearer ${key}` } });

interface Taken {
  readonly errors: readonly { readonly line: number; readonly message: string }[];
  readonly result: Readonly<
    Record<'labels' | 'scores' | 'turns', Readonly<Record<string, number>>>
  >;
}

async function take(rows: readonly object[], mapping: object): Promise<Taken> {
  const form = new FormData();
  form.set('file', new Blob([rows.map((row) => JSON.stringify(row)).join('\n')]), 'rows.jsonl');
  form.set('mapping', JSON.stringify({ id: 'id', output: 'text', ...mapping }));
  const response = await request('/v1/import', { method: 'POST', body: form });
  expect(response.status, await response.clone().text()).toBe(202);
  const { id } = (await response.json()) as { id: string };
  await drainJobs(runtime);
  await drainRefreshQueue(runtime);
  return (await (await request(`/v1/jobs/${id}`)).json()) as Taken;
}

const words = async (wanted = {}): Promise<CategoricalJudge[]> =>
  (await measureImportedJudges(project, wanted)).judges.flatMap((each) =>
    each.form === 'grade' ? [] : [each],
  );
const grades = async (wanted = {}): Promise<NumericJudge[]> =>
  (await measureImportedJudges(project, wanted)).judges.flatMap((each) =>
    each.form === 'grade' ? [each] : [],
  );

/** One judge on pairs, in two orders. */
const pairs = {
  labels: [{ value: 'gold', as: 'category' }],
  judgements: [
    {
      each: 'said',
      judge: ['@@.by', '@@.how'],
      value: '@@.win',
      as: 'category',
      categories: ['1', '2', 'tie'],
      presentation: '@@.order',
      when_empty: 'no_verdict',
    },
  ],
};
const said = (asIs: unknown, swapped: unknown) => [
  { by: 'gpt', how: 'cot', order: 'as-is', win: asIs },
  { by: 'gpt', how: 'cot', order: 'swapped', win: swapped },
];

test('X-3: of verdicts in two orders accuracy uses all, agreement the pairs, with two missing ones being equal', async () => {
  const taken = await take(
    [
      { id: 'a', text: 'A', gold: 1, said: said(1, 1) },
      { id: 'b', text: 'B', gold: 1, said: said(1, 2) },
      { id: 'c', text: 'C', gold: 2, said: said(null, null) },
      { id: 'd', text: 'D', gold: 2, said: said('tie', 2) },
      { id: 'e', text: 'E', gold: 2, said: said(null, 2) },
      { id: 'f', text: 'F', said: said(1, 1) },
    ],
    pairs,
  );
  expect(taken.result).toMatchObject({
    labels: { accepted: 5 },
    scores: { accepted: 12, unparseable: 3 },
  });
  const [judge, ...others] = await words();
  expect(others).toEqual([]);
  expect(judge).toMatchObject({
    judge: 'gpt/cot',
    dimension: null,
    form: 'category',
    measured: 6,
    items: 6,
    labelled: 5,
    noVerdict: 3,
  });
  expect(judge?.presentations).toEqual(['as-is', 'swapped']);
  expect(judge?.accuracy).toMatchObject({ value: 5 / 10, n: 5 });
  // a, d (a tie counts for no side) and e: the truth has more votes than any other word.
  expect(judge?.together).toMatchObject({ numerator: 3, denominator: 5 });
  // a, c and f.
  expect(judge?.orderAgreement).toMatchObject({ numerator: 3, denominator: 6 });
  expect(
    judge?.classes.map(({ word, isTrue, said: times, right }) => [word, isTrue, times, right]),
  ).toEqual([
    ['1', 4, 3, 3],
    ['2', 6, 3, 2],
    ['tie', 0, 1, 0],
  ]);
});

test('X-3: truth is the consensus; else the word with most votes, and none if two tie; a rater counts by the latest label', async () => {
  const said = { value: 'said', as: 'category' };
  const votes = {
    labels: [
      { each: 'votes', value: '@@.word', rater: '@@.by', as: 'category' },
      { value: 'gold', as: 'category' },
    ],
    judgements: [{ ...said, judge: { const: 'j' } }],
  };
  const by = (...names: string[]) => names.map((word, at) => ({ by: `r${at}`, word }));
  await take(
    [
      { id: 'majority', text: 'T', said: 'x', votes: by('x', 'y', 'x') },
      { id: 'tie', text: 'T', said: 'x', votes: by('x', 'y') },
      { id: 'gold', text: 'T', said: 'y', votes: by('x', 'x'), gold: 'y' },
      { id: 'changed', text: 'T', said: 'y', votes: by('x') },
    ],
    votes,
  );
  await take([{ id: 'changed', text: 'T', said: 'y', votes: by('y') }], votes);
  const { judges, people } = await measureImportedJudges(project, {});
  expect(judges).toMatchObject([
    { judge: 'j', measured: 4, labelled: 3, accuracy: { value: 1, n: 3 } },
  ]);
  expect(people).toMatchObject([{ form: 'category', items: 3, raters: 3, labels: 8 }]);
  expect(people[0]?.pairs.map(({ one, other, kappa }) => [one, other, kappa.n])).toEqual([
    ['imported:r0', 'imported:r1', 3],
    ['imported:r0', 'imported:r2', 1],
    ['imported:r1', 'imported:r2', 1],
  ]);
  expect(people[0]?.truths).toEqual([
    { word: 'y', items: 2 },
    { word: 'x', items: 1 },
  ]);
  // For one judge: people on its own subjects, not on those of others.
  await take([{ id: 'elsewhere', text: 'T', said: 'x', votes: by('x', 'x') }], {
    ...votes,
    judgements: [{ ...said, judge: { const: 'k' } }],
  });
  expect((await measureImportedJudges(project, { judge: 'k' })).people).toMatchObject([
    { items: 1, raters: 2, labels: 2 },
  ]);
  expect((await measureImportedJudges(project, { judge: 'j' })).people).toMatchObject([
    { items: 3, raters: 3, labels: 8 },
  ]);
});

test('X-3, SOAR-33: grades are compared with the agreed grade, else the mean of the raters, each dimension separately', async () => {
  await take(
    [
      {
        id: 'a',
        text: 'A',
        people: { tone: { ann: 1, bob: 3 }, fact: { ann: 0 } },
        judged: { tone: 'grade: 2', fact: 'no idea' },
      },
      {
        id: 'b',
        text: 'B',
        people: { tone: { ann: 4, bob: 4 } },
        agreed: 3,
        judged: { tone: 'grade: 3' },
      },
      { id: 'c', text: 'C', people: { tone: { ann: 0, bob: 1 } }, judged: { tone: '9' } },
    ],
    {
      labels: [
        {
          each: 'people.tone',
          value: '@@',
          rater: { key: true },
          dimension: { const: 'tone' },
          as: 'grade',
        },
        {
          each: 'people.fact',
          value: '@@',
          rater: { key: true },
          dimension: { const: 'fact' },
          as: 'grade',
        },
        { value: 'agreed', dimension: { const: 'tone' }, as: 'grade' },
      ],
      judgements: [
        {
          each: 'judged',
          judge: { const: 'j' },
          value: '@@',
          dimension: { key: true },
          as: 'grade',
          number: [{ after: ['grade'] }, 'last'],
          range: [0, 5],
        },
      ],
    },
  );
  const found = await grades();
  expect(
    found.map(({ dimension, items, noVerdict, pairs: n }) => [dimension, items, noVerdict, n]),
  ).toEqual([
    ['fact', 1, 1, 0],
    ['tone', 3, 1, 2],
  ]);
  const [fact, tone] = found;
  expect([fact?.pearson.value, fact?.meanJudge, fact?.exact.state]).toEqual([
    null,
    null,
    'no_data',
  ]);
  expect(tone).toMatchObject({
    meanJudge: 2.5,
    meanTruth: 2.5,
    exact: { numerator: 2, denominator: 2 },
    kendall: { value: 1, n: 2 },
  });
  expect(await grades({ dimension: 'tone' })).toEqual([tone]);
});

test('SOAR-33: labels of pass and fail are compared with grades; if people graded too, only the grades are the truth', async () => {
  const mapping = {
    labels: [
      { each: 'people', value: '@@', rater: { key: true } },
      { value: 'graded', as: 'grade' },
    ],
    judgements: [{ judge: { const: 'j' }, value: 'said', as: 'grade', range: [0, 5] }],
  };
  const row = (id: string, people: object, said: number) => ({ id, text: id, people, said });
  const taken = await take(
    [
      row('a', { ann: true, bob: true }, 5),
      row('b', { ann: true, bob: false, cy: true }, 4),
      row('c', { ann: false }, 1),
      row('d', { ann: false, bob: false }, 2),
      // No majority: no truth.
      row('e', { ann: false, bob: true }, 5),
    ],
    mapping,
  );
  expect(taken.errors.filter(({ line }) => line > 0)).toEqual([]);
  const [alone] = await grades();
  // Pearson of 5, 4, 1, 2 with 1, 1, 0, 0, by hand: 3 / √10.
  expect(alone).toMatchObject({
    measured: 5,
    labelled: 4,
    pairs: 4,
    meanTruth: 0.5,
    meanJudge: 3,
    exact: { state: 'no_data' },
  });
  expect(alone?.pearson.value).toBeCloseTo(3 / Math.sqrt(10), 9);
  expect(alone?.kendall.value).toBeCloseTo(4 / Math.sqrt(24), 9);
  await take(
    [
      { ...row('f', {}, 3), graded: 3 },
      { ...row('g', {}, 2), graded: 1 },
    ],
    mapping,
  );
  expect(await grades()).toMatchObject([
    { pairs: 2, meanTruth: 2, exact: { numerator: 1, denominator: 2 } },
  ]);
});

test('R-53: an unreadable verdict is stored as such, with its text, and counts as the mapping defines', async () => {
  await take(
    [
      { id: 'a', text: 'A', gold: '0', j: { v: 'garbage', why: 'both are fine' } },
      { id: 'b', text: 'B', gold: '0', j: { v: 'Tie', why: 'equal' } },
      { id: 'c', text: 'C', gold: '1', j: { v: null } },
      { id: 'd', text: 'D', gold: '1' },
    ],
    {
      labels: [{ value: 'gold', as: 'category', words: { 0: 'tie' } }],
      judgements: [
        {
          judge: { const: 'j' },
          value: 'j.v',
          reason: 'j.why',
          as: 'category',
          words: { Tie: 'tie' },
          categories: ['1', '2', 'tie'],
          unparseable_as: 'tie',
          presentation: { const: 'once' },
        },
      ],
    },
  );
  const [judge] = await words();
  expect(judge).toMatchObject({
    measured: 2,
    noVerdict: 1,
    accuracy: { value: 1 },
    presentations: ['once'],
    orderAgreement: { state: 'no_data' },
  });
  const rows = await runtime.ctx.sql`
    select subject_id, category, unread, explanation from foreign_scores where project_id = ${project.projectId} order by subject_id`;
  expect(rows.map((row) => ({ ...row }))).toEqual([
    {
      subject_id: 'a',
      category: 'tie',
      unread: true,
      explanation: 'not read: verdict "garbage"\nboth are fine',
    },
    { subject_id: 'b', category: 'tie', unread: false, explanation: 'equal' },
  ]);
});

test('X-1: verdicts in words and on dimensions are in no matrix; pass and fail of the whole are, and an import leaves no other trace', async () => {
  const mapping = {
    human_label: 'ok',
    rater: { const: 'ann' },
    labels: [{ value: 'tone', dimension: { const: 'tone' } }],
    judgements: [
      { judge: { const: 'whole' }, value: 'j' },
      { judge: { const: 'whole' }, value: 't', dimension: { const: 'tone' } },
      { judge: { const: 'pair' }, value: 'p', as: 'category' },
    ],
  };
  const rows = [
    { id: 'a', text: 'A', ok: false, tone: true, j: 'fail', t: 'fail', p: '1' },
    { id: 'b', text: 'B', ok: true, tone: true, j: 'pass', t: 'pass', p: '2' },
  ];
  await take(rows, mapping);
  const imported = async () =>
    (await measureVerifiers(project, {})).filter(({ origin }) => origin === 'imported');
  expect(
    (await imported()).map(({ verifier, counts }) => [
      verifier,
      counts.caught,
      counts.missed,
      counts.rejected,
      counts.passed,
    ]),
  ).toEqual([['whole', 1, 0, 0, 1]]);
  expect(
    (await words()).map(({ judge, dimension, form, accuracy }) => [
      judge,
      dimension,
      form,
      accuracy.value,
    ]),
  ).toEqual([
    ['pair', null, 'category', null],
    ['whole', null, 'pass_fail', 1],
    ['whole', 'tone', 'pass_fail', 0.5],
  ]);
  const before = [await measureImportedJudges(project, {}), await imported()];
  const again = await take(rows, mapping);
  expect(again.result).toMatchObject({
    labels: { accepted: 0, duplicates: 4 },
    scores: { accepted: 0, duplicates: 6 },
  });
  expect([await measureImportedJudges(project, {}), await imported()]).toEqual(before);
});

test('X-12: one judge, one source or one model alone; unknown ones give no data', async () => {
  const row = (id: string, source: string, model: string, win: string) => ({
    id,
    text: 'T',
    source,
    model,
    gold: '1',
    said: said(win, win),
  });
  await take(
    [row('a', 'easy', 'm1', '1'), row('b', 'hard', 'm2', '2'), row('c', 'hard', 'm1', '1')],
    {
      ...pairs,
      source: 'source',
      model: 'model',
    },
  );
  const accuracy = async (wanted: object): Promise<(number | null | undefined)[]> =>
    (await words(wanted)).map((judge) => judge.accuracy.value);
  expect((await measureImportedJudges(project, {})).sources).toEqual(['easy', 'hard']);
  expect(await accuracy({})).toEqual([2 / 3]);
  expect(await accuracy({ source: 'hard' })).toEqual([0.5]);
  expect(await accuracy({ source: 'hard', model: 'm1' })).toEqual([1]);
  expect(await accuracy({ judge: 'nobody' })).toEqual([]);
  const reply = await request('/v1/metrics/judges?source=hard');
  expect(await reply.json()).toMatchObject({
    data: [
      {
        judge: 'gpt/cot',
        items: 2,
        accuracy: { value: 0.5, n: 2 },
        order_agreement: { value: 1, denominator: 2 },
      },
    ],
    people: [],
    sources: ['easy', 'hard'],
  });
  expect((await request(`/v1/metrics/judges?judge=${'x'.repeat(501)}`)).status).toBe(400);
});

test('R-83: an error in one label is reported, and does not affect the others', async () => {
  const taken = await take(
    [{ id: 'a', text: 'A', votes: { ann: 3, bob: 'good', 'c c': null, dan: 4 } }],
    {
      labels: [{ each: 'votes', value: '@@', rater: { key: true }, as: 'grade' }],
    },
  );
  expect(taken.errors).toEqual([
    { line: 1, message: 'labels[0] at "bob": "good" is not a number.' },
  ]);
  expect(taken.result).toMatchObject({ turns: { accepted: 1 }, labels: { accepted: 2 } });
});

test.each([
  [{ labels: [{ value: '@@' }] }, '`labels[0].value` must not begin with "@@" without the `each`'],
  [{ labels: [{ value: '@.x' }] }, '`labels[0].value` must not begin with "@" without `each`'],
  [
    { labels: [{ value: 'x', rater: { key: true } }] },
    '`labels[0].each` is required where a name is {"key": true}',
  ],
  [{ judgements: [{ value: 'x' }] }, '`judgements[0].judge` is required'],
  [
    { judgements: [{ judge: 'j', value: 'x', range: [0, 1] }] },
    '`judgements[0].range` must be left out unless `as` is grade',
  ],
  [
    { judgements: [{ judge: 'j', value: 'x', as: 'grade', range: [1, 0] }] },
    '`judgements[0].range` must begin at or below its end',
  ],
  [
    { judgements: [{ judge: 'j', value: 'x', unparseable_as: 'tie' }] },
    '`judgements[0].unparseable_as` must be pass or fail',
  ],
  [
    {
      judgements: [
        { judge: 'j', value: 'x', as: 'category', categories: ['1'], unparseable_as: 'tie' },
      ],
    },
    '`judgements[0].unparseable_as` must be one of `categories`',
  ],
  [
    { format: 'csv', labels: [{ each: 'votes', value: '@@' }] },
    '`labels[0].each` must be left out with the format `csv`',
  ],
])('X-10: the mapping %j is refused, with the path', async (mapping, where) => {
  const form = new FormData();
  form.set('file', new Blob(['{}']), 'rows');
  form.set('mapping', JSON.stringify({ output: 'text', ...mapping }));
  const response = await request('/v1/import', { method: 'POST', body: form });
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as {
    error: { message: string; details: { path: string; message: string }[] };
  };
  expect(error.details.map(({ message }) => message).join('\n')).toContain(where);
});

test('X-10: a table with a column for each rater', async () => {
  const form = new FormData();
  form.set('file', new Blob(['id,text,ann,bob,j\na,A,1,2,2\nb,B,1,,x\n']), 'votes.csv');
  form.set(
    'mapping',
    JSON.stringify({
      id: 'id',
      output: 'text',
      labels: ['ann', 'bob'].map((name) => ({
        value: name,
        rater: { const: name },
        as: 'category',
      })),
      judgements: [{ judge: { const: 'j' }, value: 'j', as: 'category', categories: ['1', '2'] }],
    }),
  );
  await request('/v1/import', { method: 'POST', body: form });
  await drainJobs(runtime);
  const { judges, people } = await measureImportedJudges(project, {});
  expect(judges).toMatchObject([
    { judge: 'j', measured: 2, labelled: 1, noVerdict: 1, accuracy: { value: 0 } },
  ]);
  expect(people).toMatchObject([{ items: 1, raters: 2, labels: 3 }]);
});

test('S-19: names of built-in object members, NUL and lone surrogates are words like others', async () => {
  const odd = ['__proto__', 'constructor', 'a\u0000b', '\ud800'];
  await take(
    odd.map((word, at) => ({
      id: `${at}`,
      text: 'T',
      gold: word,
      said: JSON.parse(`{"${at === 0 ? '__proto__' : 'constructor'}":"x"}`) as object,
    })),
    {
      labels: [{ value: 'gold', as: 'category' }],
      judgements: [{ each: 'said', judge: { key: true }, value: '@@', as: 'category' }],
    },
  );
  expect(
    (await words()).map(({ judge, measured, labelled }) => [judge, measured, labelled]),
  ).toEqual([
    ['__proto__', 1, 1],
    ['constructor', 3, 3],
  ]);
});

test('calibration.md 5.1 answers of one source document that all agree widen the intervals of a judge', async () => {
  // 20 documents of three answers each; the judge is right about whole documents.
  const rows = Array.from({ length: 60 }, (_, n) => {
    const document = Math.floor(n / 3);
    const good = document % 2 === 0;
    const isRight = document % 4 < 3;
    return {
      id: `a${n}`,
      text: `Answer ${n}`,
      doc: `doc ${document}`,
      ok: good,
      judged: good === isRight,
      grade: good ? 5 : 1,
      graded: isRight ? (good ? 5 : 1) : 3,
    };
  });
  const mapping = (session: object) => ({
    ...session,
    labels: [{ value: 'ok' }, { value: 'grade', as: 'grade', dimension: { const: 'style' } }],
    judgements: [
      { judge: { const: 'j' }, value: 'judged' },
      {
        judge: { const: 'j' },
        value: 'graded',
        as: 'grade',
        range: [1, 5],
        dimension: { const: 'style' },
      },
    ],
  });
  await take(rows, mapping({ session: 'doc' }));
  const weight = 19 / 20 / 3;
  const boundsOf = (k: number, n: number) => {
    const { low, high } = wilson(k * weight, n * weight);
    return { low: expect.closeTo(low, 9) as number, high: expect.closeTo(high, 9) as number };
  };
  const [judge] = await words();
  expect(judge?.accuracy).toMatchObject({ value: 0.75, n: 60, ...boundsOf(45, 60) });
  expect(judge?.together).toMatchObject({ numerator: 45, denominator: 60, ...boundsOf(45, 60) });
  const [graded] = await grades();
  expect(graded?.exact).toMatchObject({ numerator: 45, denominator: 60, ...boundsOf(45, 60) });
  await drainRefreshQueue(runtime);
  const [measured] = (await measureVerifiers(project, {})).filter(
    ({ origin }) => origin === 'imported',
  );
  expect(measured?.rates.agreement).toMatchObject({ numerator: 45, ...boundsOf(45, 60) });
  // Without a document each answer is its own group.
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest', 'read'] }));
  await take(rows, mapping({}));
  const { low, high } = wilson(45, 60);
  const [single] = await words();
  expect(single?.accuracy).toMatchObject({
    low: expect.closeTo(low, 9) as number,
    high: expect.closeTo(high, 9) as number,
  });
});
