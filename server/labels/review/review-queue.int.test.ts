import { beforeEach, expect } from 'vitest';
import {
  createTestMember,
  createTestProject,
  drainWork,
  type TestPerson,
} from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { SOME_CONTEXT } from '../../../testing/some-context';
import { listAudit, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { ingestTurns } from '../../ingest';
import { createCallContext, createCaller } from '../../api/trpc';
import { fillReviewQueues } from './fill-review-queues';
import { overrideVerdict } from '../override';
import { takeOutcomes } from '../take-outcomes';
import { undoLabel } from '../undo';
import type { ReviewSettingsBody } from './review-input';

let runtime: Runtime;
let project: ProjectCtx;
let ann: Person;
let ben: Person;

type Caller = ReturnType<typeof createCaller>;
interface Person extends TestPerson {
  readonly call: Caller;
}

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  [ann, ben] = [await person('admin'), await person('reviewer')];
});

async function person(role: 'admin' | 'reviewer' | 'viewer'): Promise<Person> {
  const member = await createTestMember(runtime, project, role);
  return {
    ...member,
    call: createCaller(createCallContext(runtime, new Headers({ cookie: member.cookie }))),
  };
}

const at = () => ({ project: project.projectSlug });
const sql = () => runtime.ctx.sql;

/** Turns whose one figure has no source fail; those without a figure pass. */
async function send(turns: readonly Record<string, unknown>[]): Promise<void> {
  const body = Buffer.from(JSON.stringify({ turns }));
  await ingestTurns(project, runtime.writer, {
    body,
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
  await drainWork(runtime);
}

const failing = (id: string, output = `It is 42 % of ${id}.`) => ({
  id,
  context: SOME_CONTEXT,
  output,
});
const passing = (id: string) => ({ id, context: SOME_CONTEXT, output: `All is well with ${id}.` });

async function fill(): Promise<void> {
  while ((await fillReviewQueues(runtime.ctx)) > 0);
}

const settings = (body: Partial<ReviewSettingsBody> = {}) =>
  ann.call.review.putSettings({
    ...at(),
    verifier: null,
    settings: { auditRate: 0, uncertainBand: 0.05, raters: 1, blind: false, ...body },
  });

const next = (who: Person, limit = 20) => who.call.review.next({ ...at(), limit });

async function verdictOf(turn: string): Promise<string> {
  const [row] = await sql()<{ id: string }[]>`
    select id from verdicts where project_id = ${project.projectId} and turn_id = ${turn} order by revision desc limit 1`;
  return row?.id ?? '';
}

const labelsOf = async (verdict: string) =>
  (
    await sql()`select kind, verdict, success, rater, source, selection, probability, policy, blind, reuses, review_item_id is not null as desk
      from labels where project_id = ${project.projectId} and verdict_id = ${verdict} order by created_at, id`
  ).map((row) => ({ ...row }));

test('a verdict with a grave issue is enqueued for review once, and removed after a ruling', async () => {
  await settings();
  await send([failing('t-1'), passing('t-2')]);
  await fill();
  await fill();
  const desk = await ben.call.review.counts(at());
  expect(desk).toMatchObject({
    open: 1,
    byQueue: { must_see: 1, audit: 0 },
    byVerifier: [{ verifier: 'integrity', open: 1 }],
    full: [],
  });
  expect(desk.drawnTo).not.toBeNull();
  expect(await ben.call.review.waiting(at())).toBe(1);
  const [item] = await next(ben);
  expect(item).toMatchObject({
    subjectId: 't-1',
    queues: ['must_see'],
    state: 'open',
    ruled: 0,
    raters: 1,
    mine: null,
  });
  const id = item?.id ?? '';
  const content = await ben.call.review.content({ ...at(), item: id });
  expect(content).toMatchObject({
    output: [{ name: null, text: 'It is 42 % of t-1.' }],
    cut: false,
    policy: null,
    seen: { machine: { verdict: 'unsourced', outcome: 'failed' }, others: [] },
  });
  const ruled = await ben.call.review.rule({ ...at(), item: id, answer: 'fail' });
  expect(ruled).toMatchObject({
    item: { state: 'done', ruled: 1, mine: { answer: 'fail' } },
    agreement: {
      machine: { numerator: 1, denominator: 1, state: 'insufficient' },
      others: { state: 'no_data' },
    },
  });
  expect(await ben.call.review.counts(at())).toMatchObject({ open: 0, mineToday: 1, doneToday: 1 });
  expect(await ben.call.review.waiting(at())).toBe(0);
  expect(await next(ben)).toEqual([]);
  expect(await next(ann)).toEqual([]);
  expect(await labelsOf(await verdictOf('t-1'))).toMatchObject([
    {
      kind: 'override',
      verdict: 'unsourced',
      success: false,
      rater: ben.email,
      selection: 'queue',
      probability: null,
      blind: false,
      desk: true,
    },
  ]);
});

test('the same answer again changes nothing; another replaces it; undo returns the item to the same person', async () => {
  await settings();
  await send([failing('t-1')]);
  await fill();
  const [item] = await next(ben);
  const id = item?.id ?? '';
  const rule = (answer: 'pass' | 'fail' | 'unsure', reason?: string) =>
    ben.call.review.rule({ ...at(), item: id, answer, reason });
  await expect(rule('pass')).rejects.toMatchObject({
    message: expect.stringContaining('reason') as string,
  });
  await rule('pass', 'It is in the ticket.');
  await Promise.all([rule('pass', 'It is in the ticket.'), rule('pass', 'It is in the ticket.')]);
  const verdict = await verdictOf('t-1');
  expect(await labelsOf(verdict)).toHaveLength(1);
  await rule('fail');
  expect(new Set((await labelsOf(verdict)).map(({ kind }) => String(kind)))).toEqual(
    new Set(['override', 'undo']),
  );
  expect(await labelsOf(verdict)).toHaveLength(3);
  expect((await ben.call.labels.ofVerdict({ ...at(), id: verdict })).ruled).toMatchObject({
    verdict: 'unsourced',
  });
  const back = await ben.call.review.undo({ ...at(), item: id });
  expect(back).toMatchObject({ state: 'open', mine: null, ruled: 0 });
  expect(back.reservedUntil).not.toBeNull();
  expect(await next(ann)).toEqual([]);
  expect(await next(ben)).toMatchObject([{ id }]);
  expect((await ben.call.labels.ofVerdict({ ...at(), id: verdict })).ruled).toBeNull();
  const actions = (await listAudit(project, {})).items
    .map(({ action }) => action)
    .filter((action) => action.startsWith('labels.'));
  expect(actions).toEqual(['labels.undo', 'labels.override', 'labels.undo', 'labels.override']);
});

test('an abstention decides nothing: the item waits for another person, and not for this one', async () => {
  await settings();
  await send([failing('t-1')]);
  await fill();
  const id = (await next(ben))[0]?.id ?? '';
  expect(await ben.call.review.rule({ ...at(), item: id, answer: 'unsure' })).toMatchObject({
    item: { state: 'open', ruled: 0, mine: { answer: 'unsure' } },
  });
  expect(await next(ben)).toEqual([]);
  expect(await ben.call.review.counts(at())).toMatchObject({ open: 0 });
  expect(await next(ann)).toMatchObject([{ id, ruled: 0 }]);
  expect(await labelsOf(await verdictOf('t-1'))).toMatchObject([
    { kind: 'abstention', verdict: null, success: null },
  ]);
  await ann.call.review.rule({ ...at(), item: id, answer: 'fail' });
  expect(await labelsOf(await verdictOf('t-1'))).toMatchObject([
    { kind: 'abstention' },
    { kind: 'override', rater: ann.email },
  ]);
});

test("a reservation is one person's for 15 minutes, survives a reload, can be released, and ends", async () => {
  await settings();
  await send([failing('t-1'), failing('t-2'), failing('t-3')]);
  await fill();
  const first = await next(ben, 2);
  expect(first).toHaveLength(2);
  expect((await next(ben, 2)).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  const [other] = await next(ann);
  expect(first.map(({ id }) => id)).not.toContain(other?.id);
  const held = first[0]?.id ?? '';
  await expect(ann.call.review.rule({ ...at(), item: held, answer: 'fail' })).rejects.toMatchObject(
    { code: 'CONFLICT' },
  );
  await ben.call.review.release({ ...at(), item: held });
  expect((await next(ann)).map(({ id }) => id)).toContain(held);
  await sql()`update review_items set reserved_until = now() - interval '1 second' where project_id = ${project.projectId}`;
  const taken = await next(ann);
  expect(taken).toHaveLength(3);
  // Ben's page still shows the item, but his answer is too late.
  await expect(
    ben.call.review.rule({ ...at(), item: first[1]?.id ?? '', answer: 'fail' }),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await next(ben)).toEqual([]);
});

test('a blind item shows nothing by the verifier or others until this person has ruled', async () => {
  await settings({ blind: true, raters: 2 });
  await send([failing('t-1')]);
  await fill();
  const [item] = await next(ben);
  const id = item?.id ?? '';
  const content = await ben.call.review.content({ ...at(), item: id });
  // A filter does not reveal the reason either.
  expect(await ben.call.review.counts(at())).toMatchObject({ open: 1, byQueue: { must_see: 0 } });
  expect(await ann.call.review.next({ ...at(), limit: 5, queue: 'must_see' })).toEqual([]);
  expect(item).toMatchObject({ blind: true, queues: [], reason: null });
  expect(content.seen).toBeNull();
  for (const word of ['unsourced', 'failed', 'must_see', 'figure', 'no valid source'])
    expect(JSON.stringify([item, content])).not.toContain(word);
  // No reason is required: a blind rater does not know that it overrules.
  const ruled = await ben.call.review.rule({ ...at(), item: id, answer: 'pass' });
  expect(ruled).toMatchObject({
    item: { state: 'open', ruled: 1 },
    seen: { machine: { verdict: 'unsourced' }, others: [] },
  });
  expect((await ann.call.review.content({ ...at(), item: id })).seen).toBeNull();
  await next(ann);
  const agreed = await ann.call.review.rule({ ...at(), item: id, answer: 'pass' });
  expect(agreed).toMatchObject({
    item: { state: 'done', ruled: 2 },
    seen: { others: [{ rater: ben.email, answer: 'pass' }] },
    agreement: {
      machine: { numerator: 0, denominator: 1 },
      others: { numerator: 1, denominator: 1 },
    },
  });
});

test('contested votes: no ruling counts until a third person decides with the verdict visible', async () => {
  await settings({ blind: true, raters: 2 });
  await send([failing('t-1')]);
  await fill();
  const cid = await person('reviewer');
  const id = (await next(ann))[0]?.id ?? '';
  await ann.call.review.rule({ ...at(), item: id, answer: 'fail' });
  await next(ben);
  expect(await ben.call.review.rule({ ...at(), item: id, answer: 'pass' })).toMatchObject({
    item: { state: 'open', queues: ['contested', 'must_see'] },
  });
  const verdict = await verdictOf('t-1');
  expect((await ben.call.labels.ofVerdict({ ...at(), id: verdict })).ruled).toBeNull();
  expect(await next(ann)).toEqual([]);
  expect(await next(cid)).toMatchObject([
    {
      id,
      blind: false,
      reason: expect.stringContaining('Blind votes disagree') as string,
    },
  ]);
  const content = await cid.call.review.content({ ...at(), item: id });
  expect(content.seen?.others.map(({ answer }) => answer).sort()).toEqual(['fail', 'pass']);
  await cid.call.review.rule({ ...at(), item: id, answer: 'pass', reason: 'It is in the ticket.' });
  expect((await ben.call.labels.ofVerdict({ ...at(), id: verdict })).ruled).toMatchObject({
    verdict: 'sourced',
    rater: cid.email,
  });
  expect(await cid.call.review.undo({ ...at(), item: id })).toMatchObject({
    state: 'open',
    queues: ['contested', 'must_see'],
  });
  expect((await ben.call.labels.ofVerdict({ ...at(), id: verdict })).ruled).toBeNull();
  // With one vote undone, it is blind again and no longer contested.
  expect(await ben.call.review.undo({ ...at(), item: id })).toMatchObject({
    blind: true,
    state: 'open',
  });
  const [row] = await sql()`select to_jsonb(queues) as queues from review_items where id = ${id}`;
  expect(row?.queues).toEqual(['must_see']);
});

test('each item is ruled on by the required number of people, in any race', async () => {
  await settings({ blind: true, raters: 2 });
  const people = [ann, ben, await person('reviewer'), await person('reviewer')];
  const turns = Array.from({ length: 12 }, (_, n) => failing(`t-${n}`));
  await send(turns);
  await fill();
  const work = async (who: Person): Promise<void> => {
    for (;;) {
      const items = await next(who, 3);
      if (items.length === 0) {
        const open = await sql()`
          select 1 from review_items where project_id = ${project.projectId} and state = 'open' and not ${who.email}::text = any(ruled_by) limit 1`;
        if (open.length === 0) return;
        continue;
      }
      for (const { id } of items) {
        await Promise.all([
          who.call.review.rule({ ...at(), item: id, answer: 'fail' }),
          who.call.review.rule({ ...at(), item: id, answer: 'fail' }),
        ]);
      }
    }
  };
  await Promise.all(people.map(work));
  const rows = await sql()<{ verdict_id: string; raters: number; rulings: number }[]>`
    select verdict_id, count(*)::int as rulings, count(distinct created_by)::int as raters from labels
    where project_id = ${project.projectId} and kind = 'override' group by verdict_id`;
  expect(rows).toHaveLength(12);
  for (const row of rows) expect(row).toMatchObject({ rulings: 2, raters: 2 });
  expect(
    await sql()`select 1 from review_items where project_id = ${project.projectId} and state <> 'done'`,
  ).toEqual([]);
});

test('the audit draws randomly, with its probability stored, in addition to an item’s other queues', async () => {
  await settings({ auditRate: 1 });
  await send([failing('t-1'), passing('t-2')]);
  await fill();
  const rows = await sql()`
    select to_jsonb(queues) as queues, probability from review_items where project_id = ${project.projectId} order by subject_id`;
  expect(rows).toMatchObject([
    { queues: ['must_see', 'audit'], probability: 1 },
    { queues: ['audit'], probability: 1 },
  ]);
  const [item] = (await next(ben)).filter(({ subjectId }) => subjectId === 't-2');
  await ben.call.review.rule({ ...at(), item: item?.id ?? '', answer: 'pass' });
  expect(await labelsOf(await verdictOf('t-2'))).toMatchObject([
    { selection: 'sample', probability: 1 },
  ]);
  const drawn =
    await sql()`select probability from judgements where project_id = ${project.projectId} and subject_id = 't-2'`;
  expect(drawn).toMatchObject([{ probability: 1 }]);
});

test('a report that contradicts a verdict enqueues it for review, and draws nothing', async () => {
  await settings();
  await send([passing('t-1'), passing('t-2')]);
  await fill();
  expect(await ben.call.review.counts(at())).toMatchObject({ open: 0 });
  await settings({ auditRate: 1 });
  const outcomes = [
    { subject_id: 't-1', success: false },
    { subject_id: 't-2', success: true },
  ];
  await takeOutcomes(project, {
    body: Buffer.from(JSON.stringify({ outcomes })),
    idempotencyKey: null,
  });
  await fill();
  expect(await next(ben)).toMatchObject([
    { subjectId: 't-1', queues: ['disagreement'], reason: 'Reported as not good.' },
  ]);
});

test('a subject that is sent again removes its item from the queue', async () => {
  await settings();
  await send([failing('t-1'), failing('t-2')]);
  await fill();
  const items = await next(ben);
  await send([failing('t-1', 'It is 43 % now.')]);
  const old = items.find(({ subjectId }) => subjectId === 't-1')?.id ?? '';
  await expect(ben.call.review.content({ ...at(), item: old })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  await fill();
  expect(await sql()`select state from review_items where id = ${old}`).toMatchObject([
    { state: 'withdrawn' },
  ]);
  await expect(ben.call.review.rule({ ...at(), item: old, answer: 'fail' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  await sql()`delete from turns where project_id = ${project.projectId} and id = 't-2'`;
  expect((await next(ben)).map(({ subjectId }) => subjectId)).toEqual(['t-1']);
});

test('a ruling on the verdict page closes the item, and undoing it opens it again', async () => {
  await settings();
  await send([failing('t-1')]);
  await fill();
  const { id } = await overrideVerdict(project, {
    verdictId: await verdictOf('t-1'),
    verdict: 'fail',
  });
  expect(await next(ben)).toEqual([]);
  await undoLabel(project, id);
  expect(await next(ben)).toHaveLength(1);
});

test('equal content is ruled on once: the ruling is repeated, and removed with the original', async () => {
  await settings();
  await ann.call.review.putPolicy({
    ...at(),
    verifier: 'integrity',
    body: 'A figure needs a source.',
    message: 'first',
  });
  const same = 'It is 42 % of all.';
  await send([failing('t-1', same)]);
  await fill();
  const { id } = await overrideVerdict(project, {
    verdictId: await verdictOf('t-1'),
    verdict: 'pass',
    reason: 'In the ticket.',
    rater: 'Ada',
  });
  await send([
    failing('t-2', same),
    failing('t-3', 'It is 42 % of some.'),
    { ...failing('t-4', same), tools: [{ name: 'a', result: { x: 1 } }] },
  ]);
  await fill();
  await fill();
  const second = await verdictOf('t-2');
  expect(await labelsOf(second)).toMatchObject([
    {
      kind: 'override',
      verdict: 'sourced',
      success: true,
      rater: 'Ada',
      source: 'reuse',
      selection: 'reused',
      policy: 1,
      reuses: id,
      desk: false,
    },
  ]);
  expect(await labelsOf(await verdictOf('t-3'))).toEqual([]);
  expect(await labelsOf(await verdictOf('t-4'))).toEqual([]);
  expect((await next(ben)).map(({ subjectId }) => subjectId).sort()).toEqual(['t-3', 't-4']);
  expect((await ben.call.labels.ofVerdict({ ...at(), id: second })).ruled).toMatchObject({
    verdict: 'sourced',
    rater: 'Ada',
  });
  await undoLabel(project, id);
  expect((await ben.call.labels.ofVerdict({ ...at(), id: second })).ruled).toBeNull();
});

test('a repeat is undone alone and stays undone; a ruling under an older policy is not repeated', async () => {
  await settings();
  const same = 'It is 42 % of all.';
  const policy = (body: string) =>
    ann.call.review.putPolicy({ ...at(), verifier: 'integrity', body, message: '' });
  await policy('One.');
  await send([failing('t-1', same)]);
  const original = await overrideVerdict(project, {
    verdictId: await verdictOf('t-1'),
    verdict: 'pass',
    reason: 'r',
  });
  await send([failing('t-2', same)]);
  await fill();
  const [repeat] = await sql()<
    { id: string }[]
  >`select id from labels where project_id = ${project.projectId} and reuses = ${original.id}`;
  await undoLabel(project, repeat?.id ?? '');
  await sql()`update review_cursors set drawn_to = drawn_to - interval '1 hour', settled_to = settled_to - interval '1 hour'`;
  await fill();
  expect((await labelsOf(await verdictOf('t-2'))).map(({ kind }) => kind)).toEqual([
    'override',
    'undo',
  ]);
  expect(
    (await ben.call.labels.ofVerdict({ ...at(), id: await verdictOf('t-1') })).ruled,
  ).not.toBeNull();
  await policy('Two.');
  await send([failing('t-5', same)]);
  await fill();
  expect(await labelsOf(await verdictOf('t-5'))).toEqual([]);
});

test('a policy has versions; the same text again is the current version; labels name theirs', async () => {
  const put = (body: string) =>
    ann.call.review.putPolicy({ ...at(), verifier: 'integrity', body, message: 'm' });
  expect(await put('One.')).toMatchObject({ version: 1, labels: 0 });
  expect(await put('One.')).toMatchObject({ version: 1 });
  await send([failing('t-1')]);
  expect(
    await overrideVerdict(project, { verdictId: await verdictOf('t-1'), verdict: 'fail' }),
  ).toMatchObject({ policy: 1, blind: false });
  const versions = await Promise.all([put('Two.'), put('Three.')]);
  expect(new Set(versions.map(({ version }) => version))).toEqual(new Set([2, 3]));
  expect(await ben.call.review.policies({ ...at(), verifier: 'integrity' })).toMatchObject([
    { version: 3, labels: 0 },
    { version: 2 },
    { version: 1, body: 'One.', labels: 1, createdBy: ann.email },
  ]);
  await expect(
    ann.call.review.putPolicy({ ...at(), verifier: 'nobodys', body: 'x', message: '' }),
  ).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
  });
  await expect(
    ben.call.review.putPolicy({ ...at(), verifier: 'integrity', body: 'x', message: '' }),
  ).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('settings apply to one verifier or to all, and are written once', async () => {
  expect(await ben.call.review.settings(at())).toMatchObject([
    { verifier: null, source: 'default', auditRate: 0.05, raters: 1, blind: false },
  ]);
  await settings({ raters: 3 });
  await settings({ raters: 3 });
  const body = { auditRate: 0.5, uncertainBand: 0, raters: 2, blind: true };
  await ann.call.review.putSettings({ ...at(), verifier: 'integrity', settings: body });
  expect(await ben.call.review.settings(at())).toMatchObject([
    { verifier: null, source: 'project', raters: 3, updatedBy: ann.email },
    { verifier: 'integrity', source: 'verifier', ...body },
  ]);
  const actions = (await listAudit(project, {})).items.filter(
    ({ action }) => action === 'review.settings',
  );
  expect(actions).toHaveLength(2);
  await expect(
    ben.call.review.putSettings({ ...at(), verifier: null, settings: body }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a verdict that commits late, with a time before the last check, is still read', async () => {
  await settings();
  await send([failing('t-1')]);
  await fill();
  await send([failing('t-2')]);
  await sql()`update verdicts set settled_at = settled_at - interval '10 minutes' where project_id = ${project.projectId}`;
  // Both are before the first position now; the second follows when every statement has finished.
  await sql()`update review_cursors set settled_to = now() - interval '20 minutes' where project_id = ${project.projectId}`;
  await fill();
  expect((await next(ben)).map(({ subjectId }) => subjectId).sort()).toEqual(['t-1', 't-2']);
});

test('a full queue accepts only more urgent items, drops the least urgent, and reports it; the sample has no bound', async () => {
  await settings();
  await sql()`
    insert into review_items (project_id, id, verdict_id, kind, verifier_slug, verifier_version, subject_id, queues, priority, raters, blind, verdict_at)
    select ${project.projectId}, 'rev_' || lpad(n::text, 4, '0'), 'ver_gone' || n, 'integrity', 'integrity', 1, 's' || n, '{uncertain}', 1, 1, false, now()
    from generate_series(1, 1000) n`;
  await send([failing('t-1')]);
  await fill();
  const stateOf = async (id: string) =>
    (
      await sql()`select state from review_items where project_id = ${project.projectId} and id = ${id}`
    )[0]?.state as string;
  expect(await stateOf('rev_0001')).toBe('withdrawn');
  expect(await stateOf('rev_0002')).toBe('open');
  const desk = await ben.call.review.counts(at());
  expect(desk).toMatchObject({
    open: 1000,
    byQueue: { must_see: 1, uncertain: 999 },
    full: ['integrity'],
  });
  await sql()`update review_items set priority = 5 where project_id = ${project.projectId}`;
  await send([failing('t-2')]);
  await fill();
  expect(await ben.call.review.counts(at())).toMatchObject({
    open: 1000,
    byQueue: { must_see: 1 },
  });
  await settings({ auditRate: 1 });
  await send([passing('t-3')]);
  await fill();
  expect(await ben.call.review.counts(at())).toMatchObject({ open: 1001, byQueue: { audit: 1 } });
});

test('two workers fill one queue: each verdict is in it once', async () => {
  await settings({ auditRate: 1 });
  await send(Array.from({ length: 30 }, (_, n) => failing(`t-${n}`)));
  await Promise.all([fill(), fill(), fill()]);
  const [row] = await sql()`
    select count(*)::int as items, count(distinct verdict_id)::int as verdicts from review_items where project_id = ${project.projectId}`;
  expect(row).toMatchObject({ items: 30, verdicts: 30 });
});
