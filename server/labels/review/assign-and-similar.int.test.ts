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
import { createCallContext, createCaller } from '../../api/trpc';
import { ingestTurns } from '../../ingest';
import type { Runtime } from '../../runtime';
import { fillReviewQueues } from './fill-review-queues';
import type { ReviewSettingsBody } from './review-input';

interface Person extends TestPerson {
  readonly call: ReturnType<typeof createCaller>;
}

let runtime: Runtime;
let project: ProjectCtx;
let ann: Person;
let ben: Person;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  [ann, ben] = [await person('admin'), await person('reviewer')];
});

async function person(role: 'admin' | 'reviewer' | 'viewer'): Promise<Person> {
  const member = await createTestMember(runtime, project, role);
  const headers = new Headers({ cookie: member.cookie });
  return { ...member, call: createCaller(createCallContext(runtime, headers)) };
}

const at = () => ({ project: project.projectSlug });
const next = (who: Person, more: object = {}) =>
  who.call.review.next({ ...at(), limit: 20, ...more });
const subjects = (items: readonly { readonly subjectId: string }[]) =>
  items.map(({ subjectId }) => subjectId);

/** Enqueues a verdict for each answer; a figure without a source fails. */
async function enqueue(
  answers: Readonly<Record<string, string>>,
  settings: Partial<ReviewSettingsBody> = {},
): Promise<void> {
  await ann.call.review.putSettings({
    ...at(),
    verifier: null,
    settings: { auditRate: 0, uncertainBand: 0.05, raters: 1, blind: false, ...settings },
  });
  const turns = Object.entries(answers).map(([id, output]) => ({
    id,
    context: SOME_CONTEXT,
    output,
  }));
  await ingestTurns(project, runtime.writer, {
    body: Buffer.from(JSON.stringify({ turns })),
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
  await drainWork(runtime);
  while ((await fillReviewQueues(runtime.ctx)) > 0);
}

const failing = (...ids: readonly string[]) =>
  Object.fromEntries(ids.map((id) => [id, `It is 42 % of ${id}.`]));

test('an item is titled by the first line of its text', async () => {
  await enqueue(failing('t-1'));
  const [item] = await next(ben);
  expect(item).toMatchObject({ title: 'It is 42 % of t-1.', assignedTo: null });
});

test('an assigned item goes first to its person and last to others, who may still rule on it', async () => {
  await enqueue(failing('t-1', 't-2', 't-3'));
  const held = await next(ann);
  const third = held.find(({ subjectId }) => subjectId === 't-3')?.id ?? '';
  const first = held.find(({ subjectId }) => subjectId === 't-1')?.id ?? '';
  expect(await ann.call.review.assign({ ...at(), item: third, to: ben.email })).toMatchObject({
    assignedTo: ben.email,
    reservedUntil: null,
  });
  await ann.call.review.assign({ ...at(), item: first, to: ann.email });
  for (const { id } of held) await ann.call.review.release({ ...at(), item: id });

  expect(subjects(await next(ben))).toEqual(['t-3', 't-2', 't-1']);
  expect(subjects(await next(ben, { assigned: 'mine' }))).toEqual(['t-3']);
  expect(subjects(await next(ben, { assigned: 'none' }))).toEqual(['t-2']);
  for (const { id } of held) await ben.call.review.release({ ...at(), item: id });

  expect(subjects(await next(ann))).toEqual(['t-1', 't-2', 't-3']);
  const ruling = { answer: 'fail', reason: 'the figure is invented' } as const;
  await ann.call.review.rule({ ...at(), item: third, ...ruling });
  await expect(ann.call.review.assign({ ...at(), item: third, to: null })).rejects.toThrow(
    /no longer open/,
  );
});

test('counts filter by assignment, and each omits its own filter', async () => {
  await enqueue(failing('t-1', 't-2', 't-3'));
  const [item] = await next(ann, { limit: 1 });
  await ann.call.review.assign({ ...at(), item: item?.id ?? '', to: ben.email });
  const counts = (who: Person, more: object = {}) => who.call.review.counts({ ...at(), ...more });
  expect(await counts(ben)).toMatchObject({ open: 3, byAssignment: { mine: 1, none: 2 } });
  expect(await counts(ben, { assigned: 'mine' })).toMatchObject({
    open: 1,
    byQueue: { must_see: 1 },
    byVerifier: [{ verifier: 'integrity', open: 1 }],
    byAssignment: { mine: 1, none: 2 },
  });
  expect(await counts(ann, { assigned: 'mine' })).toMatchObject({ open: 0, byVerifier: [] });
  expect(await counts(ann, { assigned: 'none' })).toMatchObject({ open: 2 });
});

test('an assignment needs a member who may rule, and is audited once', async () => {
  await enqueue(failing('t-1'));
  const viewer = await person('viewer');
  const [item] = await next(ann);
  const assign = (to: string | null) =>
    ann.call.review.assign({ ...at(), item: item?.id ?? '', to });
  await expect(assign(viewer.email)).rejects.toThrow(/member who may rule/);
  await expect(assign('stranger@example.org')).rejects.toThrow(/member who may rule/);
  await assign(ben.email);
  await assign(ben.email);
  await assign(null);
  const changes = (await listAudit(project, {})).items.filter(
    ({ action }) => action === 'review.assign',
  );
  expect(changes.map(({ detail }) => JSON.parse(detail ?? ''))).toEqual([
    { item: item?.id, from: ben.email, to: null },
    { item: item?.id, from: null, to: ben.email },
  ]);
});

test('similar items share the finding; those of others and of other findings are omitted', async () => {
  await enqueue(
    { ...failing('t-1', 't-2', 't-3', 't-4'), 't-5': 'All is well.' },
    { auditRate: 1 },
  );
  const held = await next(ann);
  const idOf = (subject: string) => held.find(({ subjectId }) => subjectId === subject)?.id ?? '';
  const similar = async (subject: string) =>
    (await ann.call.review.similar({ ...at(), item: idOf(subject) })).items;
  expect(subjects((await similar('t-1')).map(({ item }) => item)).toSorted()).toEqual([
    't-2',
    't-3',
    't-4',
  ]);
  expect((await similar('t-1'))[0]?.finding).toMatch(/42/);
  expect(await similar('t-5')).toEqual([]);

  await ann.call.review.assign({ ...at(), item: idOf('t-2'), to: ben.email });
  await ann.call.review.release({ ...at(), item: idOf('t-3') });
  await next(ben, { limit: 1, assigned: 'none' });
  expect(subjects((await similar('t-1')).map(({ item }) => item))).toEqual(['t-4']);
});

test('rulings made at once are one label per item, and the audit log names their number', async () => {
  await enqueue(failing('t-1', 't-2'));
  const held = await next(ann);
  for (const { id } of held)
    await ann.call.review.rule({ ...at(), item: id, answer: 'fail', bulk: 2 });
  const labels = await runtime.ctx.sql`
    select subject_id, kind, success from labels where project_id = ${project.projectId} order by subject_id`;
  expect(labels.map((row) => ({ ...row }))).toEqual([
    { subject_id: 't-1', kind: 'override', success: false },
    { subject_id: 't-2', kind: 'override', success: false },
  ]);
  const rulings = (await listAudit(project, {})).items.filter(
    ({ action }) => action === 'labels.override',
  );
  expect(rulings.map(({ detail }) => JSON.parse(detail ?? ''))).toMatchObject([
    { bulk: 2 },
    { bulk: 2 },
  ]);
});

test('blind items are similar by text only, and reveal no finding', async () => {
  await enqueue(
    { ...failing('t-1', 't-2'), 't-3': 'It is 42 % of t-1.', 't-4': 'All is well.' },
    { auditRate: 1, blind: true },
  );
  const held = await next(ann);
  const first = held.find(({ subjectId }) => subjectId === 't-1')?.id ?? '';
  const { items } = await ann.call.review.similar({ ...at(), item: first });
  expect(items).toMatchObject([
    { item: { subjectId: 't-3', queues: [], reason: null }, finding: null },
  ]);
});

test('the pace is the mean time between rulings, without breaks', async () => {
  await enqueue(failing('t-1', 't-2', 't-3', 't-4', 't-5', 't-6', 't-7'));
  const held = await next(ann);
  for (const { id } of held) await ann.call.review.rule({ ...at(), item: id, answer: 'fail' });
  const began = new Date();
  began.setUTCHours(0, 0, 0, 0);
  // 10 seconds apart, and a break of an hour before the last.
  await runtime.ctx.sql`
    update labels l set created_at = ${began.toISOString()}::timestamptz + k.place * interval '10 seconds'
      + case when k.place = 7 then interval '1 hour' else interval '0' end
    from (select id, row_number() over (order by id) as place from labels where project_id = ${project.projectId}) as k
    where l.project_id = ${project.projectId} and l.id = k.id`;
  expect(await ann.call.review.counts(at())).toMatchObject({ mineToday: 7, paceSeconds: 10 });
  expect(await ben.call.review.counts(at())).toMatchObject({ mineToday: 0, paceSeconds: null });
});
