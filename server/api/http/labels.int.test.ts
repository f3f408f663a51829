// POST /v1/labels (online.md 5): a person's label on a turn, another subject or a verification,
// before or after the verifier's verdict.
import { beforeEach, describe, expect } from 'vitest';
import fc from 'fast-check';
import { appOf } from '../../../testing/app';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import { fillReviewQueues } from '../../labels';
import type { Runtime } from '../../runtime';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  key = await keyOf(project);
});

const keyOf = async (of: ProjectCtx) =>
  (await createKey(of, { name: 'k', scopes: ['ingest', 'verify', 'read', 'write'] })).key;

type Reply = { readonly status: number; readonly body: Record<string, unknown> };

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const label = (body: unknown, headers?: Record<string, string>) =>
  call('POST', '/v1/labels', body, headers);
const tools = [{ id: 'c1', name: 'disk', arguments: {}, result: { pct: 91.4 } }];
const sendTurn = (id: string, output = 'web-1 is at 95%.') =>
  call('POST', '/v1/turns', { turns: [{ id, tools, output }] });

async function settle(): Promise<void> {
  await drainWork(runtime);
  await fillReviewQueues(runtime.ctx);
}

async function verdictOf(turn: string): Promise<Record<string, unknown>> {
  const { body } = await call('GET', `/v1/turns/${turn}`);
  const [first] = body.verdicts as { id: string }[];
  return (await call('GET', `/v1/verifications/${first?.id ?? ''}`)).body;
}

describe('a subject with a verdict', () => {
  test.each(['turn_id', 'subject_id', 'verification_id'] as const)(
    'a label by %s is a ruling on the verdict',
    async (member) => {
      await sendTurn('t-1');
      await settle();
      const verdict = await verdictOf('t-1');
      const about =
        member === 'verification_id'
          ? { verification_id: verdict.id }
          : { [member]: 't-1', verifier: 'integrity' };
      const { status, body } = await label({ ...about, verdict: 'pass', reason: 'In the ticket.' });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        kind: 'override',
        subject_id: 't-1',
        verification_id: verdict.id,
        verifier: 'integrity',
        verdict: 'sourced',
        success: true,
        reason: 'In the ticket.',
        rater: 'key "k"',
        blind: false,
        undone_at: null,
      });
      expect(await verdictOf('t-1')).toMatchObject({
        verdict: 'unsourced',
        effective_verdict: 'sourced',
        overrides: [expect.objectContaining({ id: body.id })],
      });
      const list = await call('GET', '/v1/labels?subject_id=t-1');
      expect(list.body.data).toEqual([body]);
    },
  );

  test('a score and a grade are stored as they were sent, and are no ruling', async () => {
    await sendTurn('t-1');
    await settle();
    const { id } = await verdictOf('t-1');
    for (const [sent, stored] of [
      [{ score: 0.25 }, { kind: 'grade', score: 0.25, grade: null }],
      [{ grade: 4 }, { kind: 'grade', score: null, grade: 4 }],
      [
        { score: 1, grade: 1 },
        { kind: 'grade', score: 1, grade: 1 },
      ],
      [
        { verdict: 'fail', score: 0, grade: 2 },
        { kind: 'override', score: 0, grade: 2, verdict: 'unsourced' },
      ],
    ] as const) {
      const { status, body } = await label({ verification_id: id, ...sent });
      expect(status).toBe(201);
      expect(body).toMatchObject(stored);
    }
    expect(await verdictOf('t-1')).toMatchObject({ effective_verdict: 'unsourced' });
  });

  test('a label undone by its id no longer counts', async () => {
    await sendTurn('t-1');
    await settle();
    const about = { turn_id: 't-1', verifier: 'integrity' };
    const { body } = await label({ ...about, verdict: 'pass', reason: 'In the ticket.' });
    const undone = await call('DELETE', `/v1/labels/${String(body.id)}`);
    expect(undone).toMatchObject({ status: 200, body: { id: body.id } });
    expect(undone.body.undone_at).not.toBeNull();
    expect(await verdictOf('t-1')).toMatchObject({ effective_verdict: 'unsourced' });
    expect((await call('DELETE', '/v1/labels/lbl_none')).status).toBe(404);
  });
});

describe('a turn without a verdict', () => {
  test('its label is kept, and rules on the verdict that comes later', async () => {
    await sendTurn('t-1');
    const { status, body } = await label({
      turn_id: 't-1',
      verifier: 'integrity',
      verdict: 'pass',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ verification_id: null, verdict: 'sourced', blind: true });
    await settle();
    const verdict = await verdictOf('t-1');
    expect(verdict).toMatchObject({ verdict: 'unsourced', effective_verdict: 'sourced' });
    const [kept] = (await call('GET', '/v1/labels?subject_id=t-1')).body.data as object[];
    expect(kept).toEqual({ ...body, verification_id: verdict.id });
    const { body: metrics } = await call('GET', '/v1/metrics/verifiers?verifier=integrity');
    expect(metrics.data).toMatchObject([
      { matrix: { caught: 0, missed: 0, false_rejections: 1, right_passes: 0 } },
    ]);
  });

  test('labels of several raters before and after the verdict, in any order: the majority counts', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('pass', 'fail'), { minLength: 1, maxLength: 5 }),
        fc.nat(5),
        async (votes, before) => {
          const turn = `t-${run++}`;
          // Rulings are reused on equal content.
          await sendTurn(turn, `web-1 is at 95%, check ${turn}.`);
          for (const [place, verdict] of votes.entries()) {
            if (place === before) await settle();
            const rater = (await createKey(project, { name: `rater-${place}`, scopes: ['write'] }))
              .key;
            const { status } = await label(
              { turn_id: turn, verifier: 'integrity', verdict, blind: true },
              { authorization: `Bearer ${rater}` },
            );
            expect(status).toBe(201);
          }
          await settle();
          const passes = votes.filter((vote) => vote === 'pass').length;
          const fails = votes.length - passes;
          const { effective_verdict } = await verdictOf(turn);
          // With a tie, the verifier's own verdict remains.
          expect(effective_verdict).toBe(passes > fails ? 'sourced' : 'unsourced');
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a label of another verifier, or one that was undone, does not rule', async () => {
    await sendTurn('t-1');
    await label({ turn_id: 't-1', verifier: 'task', verdict: 'pass' });
    const { body } = await label({ turn_id: 't-1', verifier: 'integrity', verdict: 'pass' });
    await call('DELETE', `/v1/labels/${String(body.id)}`);
    await settle();
    expect(await verdictOf('t-1')).toMatchObject({ effective_verdict: 'unsourced' });
  });

  test('a grade before the verdict is the grade of the verdict', async () => {
    await sendTurn('t-1');
    await label({ turn_id: 't-1', verifier: 'integrity', grade: 5 });
    await settle();
    const { id } = await verdictOf('t-1');
    const { body } = await call('GET', `/v1/labels?verification_id=${String(id)}`);
    expect(body.data).toMatchObject([{ kind: 'grade', grade: 5 }]);
  });
});

describe('refusals', () => {
  test.each([
    ['no subject', { verifier: 'integrity', verdict: 'pass' }, 400, /`turn_id` is required/],
    [
      'two subjects',
      { turn_id: 't-1', subject_id: 't-1', verifier: 'integrity', verdict: 'pass' },
      400,
      /only one of/,
    ],
    ['no verifier', { turn_id: 't-1', verdict: 'pass' }, 400, /`verifier` is required/],
    ['no label', { turn_id: 't-1', verifier: 'integrity' }, 400, /`verdict` is required/],
    [
      'a score above 1',
      { turn_id: 't-1', verifier: 'integrity', score: 1.5 },
      400,
      /`score` must be from 0 to 1/,
    ],
    ['half a star', { turn_id: 't-1', verifier: 'integrity', grade: 1.5 }, 400, /grade/],
    [
      'an unknown member',
      { turn_id: 't-1', verifier: 'integrity', verdcit: 'pass' },
      400,
      /verdict/,
    ],
    [
      'a verdict of another kind',
      { turn_id: 't-1', verifier: 'integrity', verdict: 'RETRY' },
      422,
      /`verdict` must be sourced or unsourced/,
    ],
    [
      'an unknown verifier',
      { turn_id: 't-1', verifier: 'unknown-verifier', verdict: 'pass' },
      422,
      /`verifier` names no verifier/,
    ],
    [
      'an unknown turn',
      { turn_id: 'unknown-turn', verifier: 'integrity', verdict: 'pass' },
      404,
      /turn/,
    ],
    ['an unknown verification', { verification_id: 'ver_none', verdict: 'pass' }, 404, /verif/],
    [
      "another's name",
      { turn_id: 't-1', verifier: 'integrity', verdict: 'pass', rater: 'somebody' },
      403,
      /impersonate/,
    ],
  ] as const)('%s', async (_what, body, status, message) => {
    await sendTurn('t-1');
    const answer = await label(body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toMatch(message);
    expect((await call('GET', '/v1/labels')).body.data).toEqual([]);
  });

  test('the verifier of another verification is refused, with the name of its own', async () => {
    await sendTurn('t-1');
    await settle();
    const { id } = await verdictOf('t-1');
    const { status, body } = await label({
      verification_id: id,
      verifier: 'task',
      verdict: 'pass',
    });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('\\"integrity\\"');
  });

  test('a turn or verification of another project is not found', async () => {
    await sendTurn('t-1');
    await settle();
    const { id } = await verdictOf('t-1');
    key = await keyOf(await createTestProject(runtime));
    for (const about of [{ turn_id: 't-1', verifier: 'integrity' }, { verification_id: id }])
      expect((await label({ ...about, verdict: 'pass' })).status).toBe(404);
  });
});

test('a repeated request stores one label; other content under its id is a conflict', async () => {
  await sendTurn('t-1');
  const about = { turn_id: 't-1', verifier: 'integrity' };
  const headers = { 'idempotency-key': 'once' };
  const first = await label({ ...about, verdict: 'pass' }, headers);
  expect(await label({ ...about, verdict: 'pass' }, headers)).toEqual(first);
  const named = await label({ ...about, id: 'own-1', grade: 2 });
  expect(await label({ ...about, id: 'own-1', grade: 2 })).toEqual(named);
  expect((await label({ ...about, id: 'own-1', grade: 3 })).status).toBe(409);
  expect((await call('GET', '/v1/labels')).body.data).toHaveLength(2);
});

test.each([
  ['before the verdict', true],
  ['after the verdict', false],
])('a request with its own id that is repeated later, first sent %s', async (_when, isEarly) => {
  await sendTurn('t-1');
  if (!isEarly) await settle();
  const sent = { id: 'own-1', turn_id: 't-1', verifier: 'integrity', verdict: 'fail' };
  const first = await label(sent);
  expect(first.status).toBe(201);
  await settle();
  // A new revision of the turn has its own verdict, and copies of rulings on equal content.
  await sendTurn('t-1', 'web-1 is at 91.4%.');
  await settle();
  const again = await label(sent);
  expect(again.status).toBe(201);
  expect(again.body).toEqual({ ...first.body, verification_id: again.body.verification_id });
  expect((await label({ ...sent, verdict: 'pass', reason: 'r' })).status).toBe(409);
  const { data } = (await call('GET', '/v1/labels')).body as { data: { source: string }[] };
  expect(data.filter(({ source }) => source === 'api')).toHaveLength(1);
});
