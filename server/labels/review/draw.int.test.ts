import { beforeEach, expect } from 'vitest';
import { createTestMember, createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { SOME_CONTEXT } from '../../../testing/some-context';
import type { ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { ingestTurns } from '../../ingest';
import { createCallContext, createCaller } from '../../api/trpc';
import { fillReviewQueues } from './fill-review-queues';
import { takeOutcomes } from '../take-outcomes';
import type { ReviewSettingsBody } from './review-input';

type Caller = ReturnType<typeof createCaller>;

let runtime: Runtime;
let project: ProjectCtx;
let call: Caller;
let email: string;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  const member = await createTestMember(runtime, project, 'admin');
  call = createCaller(createCallContext(runtime, new Headers({ cookie: member.cookie })));
  email = member.email;
});

const at = () => ({ project: project.projectSlug });
const sql = () => runtime.ctx.sql;

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

const settings = (body: Partial<ReviewSettingsBody> = {}, verifier: string | null = null) =>
  call.review.putSettings({
    ...at(),
    verifier,
    settings: { auditRate: 0, uncertainBand: 0.05, raters: 1, blind: false, ...body },
  });

const reportBad = async (turn: string): Promise<void> => {
  const body = Buffer.from(JSON.stringify({ outcomes: [{ subject_id: turn, success: false }] }));
  await takeOutcomes(project, { body, idempotencyKey: null });
};

const items = async () =>
  (
    await sql()`select subject_id, to_jsonb(queues) as queues, probability from review_items where project_id = ${project.projectId}
      order by subject_id`
  ).map((row) => ({ ...row }));

/** As if the last hour had not been checked. */
const rewindQueue = () =>
  sql()`update review_cursors set drawn_to = drawn_to - interval '1 hour', settled_to = settled_to - interval '1 hour'
    where project_id = ${project.projectId}`;

test('a verdict that a report made the queue read early is drawn like all others', async () => {
  await settings({ auditRate: 1 });
  await send([failing('t-0')]);
  await fill();
  await send([passing('t-1'), passing('t-2')]);
  // A backlog: the report is read before the verdicts.
  await sql()`update review_cursors set drawn_to = clock_timestamp() where project_id = ${project.projectId}`;
  await reportBad('t-1');
  await fill();
  expect(await items()).toMatchObject([
    { subject_id: 't-0' },
    { subject_id: 't-1', queues: ['disagreement', 'audit'], probability: 1 },
  ]);
  await rewindQueue();
  await fill();
  expect(await items()).toMatchObject([
    { subject_id: 't-0', probability: 1 },
    { subject_id: 't-1', queues: ['disagreement', 'audit'], probability: 1 },
    { subject_id: 't-2', queues: ['audit'], probability: 1 },
  ]);
});

test('a verdict is drawn by the share at the time it settled, however often it is read later', async () => {
  await settings();
  await send([passing('t-1')]);
  await fill();
  await settings({ auditRate: 1 }, 'integrity');
  await rewindQueue();
  await fill();
  expect(await items()).toEqual([]);
  await send([passing('t-2')]);
  // The share is lowered before the verdict is read, which settled under the earlier share.
  await settings({ auditRate: 0 }, 'integrity');
  await send([passing('t-3')]);
  await fill();
  expect(await items()).toEqual([{ subject_id: 't-2', queues: ['audit'], probability: 1 }]);
});

test('verdicts settled before the queue began are never drawn, although a report enqueues them', async () => {
  await settings({ auditRate: 1 });
  await send([passing('t-1')]);
  await sql()`update verdicts set settled_at = clock_timestamp() where project_id = ${project.projectId}`;
  await fill();
  await sql()`delete from review_items where project_id = ${project.projectId}`;
  await sql()`update review_cursors set began_at = clock_timestamp() where project_id = ${project.projectId}`;
  await reportBad('t-1');
  await fill();
  expect(await items()).toEqual([
    { subject_id: 't-1', queues: ['disagreement'], probability: null },
  ]);
});

test('draws use a key of the queue alone, which needs no environment variable', async () => {
  await send([passing('t-1')]);
  await fill();
  const keys = await sql()<
    { key: string }[]
  >`select lot_key as key from review_cursors where project_id = ${project.projectId}`;
  expect(keys).toEqual([{ key: expect.stringMatching(/^[\w-]{43}$/) as string }]);
  await fill();
  expect(
    await sql()`select lot_key as key from review_cursors where project_id = ${project.projectId}`,
  ).toEqual(keys);
});

test('withdrawing a drawn item recounts the measures of its subject', async () => {
  await settings({ auditRate: 1 });
  await send([failing('t-1'), failing('t-2')]);
  await fill();
  const queuedSubjects = async () =>
    (
      await sql()`select distinct subject_id from judgement_dues where project_id = ${project.projectId} order by 1`
    ).map((row) => String(row.subject_id));
  await sql()`delete from judgement_dues where project_id = ${project.projectId}`;
  await sql()`delete from turns where project_id = ${project.projectId} and id = 't-2'`;
  expect(
    (await call.review.next({ ...at(), limit: 20 })).map(({ subjectId }) => subjectId),
  ).toEqual(['t-1']);
  expect(await queuedSubjects()).toEqual(['t-2']);
  await settings();
  await send([failing('t-1', 'It is 43 % now.')]);
  await sql()`delete from judgement_dues where project_id = ${project.projectId}`;
  await fill();
  expect(await queuedSubjects()).toEqual(['t-1']);
});

test('a grade that is sent with "cannot tell" is measured, and undone with it', async () => {
  await settings();
  await send([failing('t-1')]);
  await fill();
  const item = (await call.review.next({ ...at(), limit: 1 }))[0]?.id ?? '';
  const grades = async () =>
    (
      await sql()`select grade from judgements where project_id = ${project.projectId} and subject_id = 't-1'`
    ).map((row) => row.grade as unknown);
  const unsure = () => call.review.rule({ ...at(), item, answer: 'unsure', grade: 3 });
  expect((await unsure()).item).toMatchObject({
    state: 'open',
    mine: { answer: 'unsure', grade: 3 },
  });
  await unsure();
  expect(await grades()).toEqual([3]);
  const kinds =
    await sql()`select kind from labels where project_id = ${project.projectId} order by kind`;
  expect(kinds.map(({ kind }) => String(kind))).toEqual(['abstention', 'grade']);
  await call.review.undo({ ...at(), item });
  expect(await grades()).toEqual([]);
});

test('a repeated ruling does not count as this person’s answer for the item', async () => {
  await settings();
  await call.review.putPolicy({
    ...at(),
    verifier: 'integrity',
    body: 'A figure needs a source.',
    message: '',
  });
  const same = 'It is 42 % of all.';
  await send([failing('t-1', same)]);
  const [verdict] = await sql()<
    { id: string }[]
  >`select id from verdicts where project_id = ${project.projectId}`;
  await call.labels.override({
    ...at(),
    id: verdict?.id ?? '',
    verdict: 'pass',
    reason: 'In the ticket.',
  });
  await settings({ auditRate: 1, raters: 2, blind: true });
  await send([failing('t-2', same)]);
  await fill();
  expect(
    await sql()`select 1 from labels where project_id = ${project.projectId} and reuses is not null and created_by = ${email}`,
  ).toHaveLength(1);
  const [item] = await sql()<{ id: string }[]>`
    select id from review_items where project_id = ${project.projectId} and subject_id = 't-2'`;
  expect(await call.review.content({ ...at(), item: item?.id ?? '' })).toMatchObject({
    item: { mine: null },
    seen: null,
  });
});

test('items that one person has ruled on no longer wait for that person, and still for others', async () => {
  const other = await createTestMember(runtime, project, 'reviewer');
  const others = createCaller(createCallContext(runtime, new Headers({ cookie: other.cookie })));
  await settings({ raters: 2 });
  await send([failing('t-1'), failing('t-2'), failing('t-3')]);
  await fill();
  const [item] = await call.review.next({ ...at(), limit: 1 });
  await call.review.rule({ ...at(), item: item?.id ?? '', answer: 'fail' });
  expect(await call.review.counts(at())).toMatchObject({
    open: 2,
    byQueue: { must_see: 2 },
    byVerifier: [{ verifier: 'integrity', open: 2 }],
  });
  expect(await others.review.counts(at())).toMatchObject({ open: 3, byQueue: { must_see: 3 } });
});
