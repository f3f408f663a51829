import { beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { SOME_CONTEXT } from '../../../testing/some-context';
import { createKey, type ProjectCtx, type KeyScope } from '../../access';
import type { Runtime } from '../../runtime';

let runtime: Runtime;
let project: ProjectCtx;
let verdict = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  const call = await enter('sender', ['ingest']);
  await call('POST', '/v1/turns', {
    turns: [{ id: 't-1', context: SOME_CONTEXT, output: 'It is 42 %.' }],
  });
  await drainWork(runtime);
  const [row] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${project.projectId}`;
  verdict = row?.id ?? '';
});

interface Reply {
  readonly status: number;
  readonly body: { readonly error?: { readonly code: string; readonly message: string } } & Record<
    string,
    unknown
  >;
}
type Call = (method: string, path: string, sent: unknown) => Promise<Reply>;

async function enter(name: string, scopes: readonly KeyScope[]): Promise<Call> {
  const { key } = await createKey(project, { name, scopes: [...scopes] });
  return async (method, path, sent) => {
    const response = await appOf(runtime).request(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    return { status: response.status, body: (await response.json()) as Reply['body'] };
  };
}

const stored = async () =>
  (
    await runtime.ctx
      .sql`select kind, coalesce(rater, created_by) as rater, created_by from labels where project_id = ${project.projectId} order by id`
  ).map((row) => ({ ...row }));

const ruling = { verdict: 'fail', reason: 'Checked by hand.' };
const others = [
  'Ada',
  'owner@example.org',
  'key "other"',
  'imported:Ada',
  'KEY "judge"',
  'Judge',
  'system',
  'команда',
];
const rulings: readonly (readonly [what: string, body: Record<string, unknown>])[] = [
  ['a ruling', ruling],
  ['a blind vote', { verdict: 'fail', blind: true }],
  ['a grade', { grade: 3 }],
  ['a step', { action: 'escalate' }],
];

describe('S-123 the rater of a label', () => {
  it.each(rulings)(
    'S-123 %s of a key is recorded as the key; another rater is 403 and stores nothing',
    async (_what, body) => {
      const call = await enter('judge', [
        'write',
        'ingest',
        'read',
        'verify',
        'gateway',
        'promote',
      ]);
      for (const rater of others) {
        const { status, body: answer } = await call(
          'POST',
          `/v1/verifications/${verdict}/overrides`,
          { ...body, rater },
        );
        expect({ rater, status, code: answer.error?.code }).toEqual({
          rater,
          status: 403,
          code: 'forbidden',
        });
        expect(answer.error?.message).toContain('impersonate');
      }
      expect(await stored()).toEqual([]);
      for (const rater of [undefined, null, 'judge', 'key "judge"']) {
        const { status, body: made } = await call(
          'POST',
          `/v1/verifications/${verdict}/overrides`,
          { ...body, rater },
        );
        expect({ status, rater: made.rater }).toEqual({ status: 201, rater: 'key "judge"' });
      }
    },
  );

  it('S-123 a key with the scope `impersonate` names the rater, and stays its account', async () => {
    const call = await enter('desk', ['write', 'impersonate', 'ingest']);
    expect(
      await call('POST', `/v1/verifications/${verdict}/overrides`, { ...ruling, rater: 'Ada' }),
    ).toMatchObject({
      status: 201,
      body: { rater: 'Ada' },
    });
    const outcomes = [{ id: 'o', subject_id: 't-1', success: true, rater: 'Ben' }];
    expect(await call('POST', '/v1/outcomes', { outcomes })).toMatchObject({
      status: 202,
      body: { accepted: 1 },
    });
    expect(await call('POST', '/v1/outcomes', { outcomes })).toMatchObject({
      status: 202,
      body: { duplicates: 1 },
    });
    expect(
      (await stored()).toSorted((a, b) => String(a.rater).localeCompare(String(b.rater))),
    ).toEqual([
      { kind: 'override', rater: 'Ada', created_by: 'key "desk"' },
      { kind: 'outcome', rater: 'Ben', created_by: 'key "desk"' },
    ]);
  });

  it('S-123 one foreign rater among outcomes refuses the request; a source is not a rater', async () => {
    const call = await enter('ci', ['ingest', 'write']);
    const own = { subject_id: 't-1', success: true };
    for (const rater of others) {
      const outcomes = [own, { ...own, rater }, { ...own, rater: 'ci' }];
      expect(await call('POST', '/v1/outcomes', { outcomes })).toMatchObject({
        status: 403,
        body: { error: { code: 'forbidden' } },
      });
    }
    expect(await stored()).toEqual([]);
    expect(
      (
        await call('POST', '/v1/outcomes', {
          outcomes: [
            { ...own, source: 'Ada' },
            { ...own, rater: 'ci' },
          ],
        })
      ).status,
    ).toBe(202);
    expect(await stored()).toEqual([
      { kind: 'outcome', rater: 'key "ci"', created_by: 'key "ci"' },
      { kind: 'outcome', rater: 'key "ci"', created_by: 'key "ci"' },
    ]);
  });

  it('S-123 a rater with control or text-direction characters is refused, with the scope too', async () => {
    const call = await enter('desk', ['write', 'impersonate']);
    for (const rater of ['Ada\u202e', 'A\u200bda', 'Ada\n', '\u0000', '\ufeffAda', '']) {
      expect(
        (await call('POST', `/v1/verifications/${verdict}/overrides`, { ...ruling, rater })).status,
      ).toBe(400);
    }
  });
});

describe('S-123 a forced promotion needs the scope `promote`', () => {
  const slug = () => [...runtime.prompts.keys()][0] ?? '';
  const routes: readonly (readonly [
    what: string,
    path: () => string,
    body: Record<string, unknown>,
  ])[] = [
    ['a prompt', () => `/v1/prompts/${slug()}/labels/production`, { version: 0 }],
    ['the default judge', () => '/v1/settings', { default_judge: 'openai:gpt-4.1' }],
    ['other settings', () => '/v1/settings', { retries: 1 }],
  ];

  it.each(routes)(
    'S-123 of %s: 403 without it, whatever else the key may do',
    async (_what, path, body) => {
      const without = await enter('all but one', [
        'ingest',
        'verify',
        'read',
        'write',
        'gateway',
        'impersonate',
      ]);
      const forced = { ...body, force: true, reason: 'Needed today.' };
      expect(await without('PUT', path(), forced)).toMatchObject({
        status: 403,
        body: { error: { code: 'forbidden' } },
      });
      expect((await without('PUT', path(), { ...body, force: false })).status).toBe(200);
      const withIt = await enter('promoter', ['write', 'promote']);
      expect((await withIt('PUT', path(), forced)).status).toBe(200);
    },
  );

  it('S-123 each of the new scopes opens no route by itself', async () => {
    const call = await enter('bare', ['impersonate', 'promote']);
    expect(
      (await call('POST', `/v1/verifications/${verdict}/overrides`, { ...ruling, rater: 'Ada' }))
        .status,
    ).toBe(403);
    expect((await call('POST', '/v1/outcomes', { outcomes: [] })).status).toBe(403);
    expect(
      (
        await call('PUT', `/v1/prompts/${slug()}/labels/production`, {
          version: 0,
          force: true,
          reason: 'x',
        })
      ).status,
    ).toBe(403);
  });
});
