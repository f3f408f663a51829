import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { testWithLlm as test } from '../../../testing/fixture';
import {
  type ScriptedCall,
  type ScriptedLlm,
  type ScriptedReply,
  textOf,
} from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import { createAsk, createEndpoints, putProvider } from '../../llm';
import { claimSlowWork } from '../../queue';
import type { Runtime } from '../../runtime';
import { verifyClaimed } from '../../verdicts';

/** Decompositions over HTTP, judged by a scripted provider. */

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key = '';

test.beforeAll(async ({ llm: ownLlm, runtime: ownRuntime, project: ownProject }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  project = ownProject;
  ({ key } = await createKey(project, { name: 'k', scopes: ['verify', 'read', 'write'] }));
  await offer('gpt-4o-mini', 'mistral-small');
});

/** Sets the available models. */
async function offer(...models: string[]): Promise<void> {
  await putProvider(project, 'house', {
    kind: 'openai',
    api_key: 'sk-test',
    enabled: true,
    base_url: llm.baseUrl,
    models,
  });
}

interface Reply {
  readonly id: string;
  readonly outcome: string;
  readonly judge: {
    readonly calls: number;
    readonly model: string | null;
    readonly cross_model: string | null;
  };
  readonly scores: readonly {
    readonly name: string;
    readonly state: string;
    readonly prompt_version: string | null;
  }[];
  readonly decomposition: { readonly retry_feedback: string | null };
}

async function call(
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Reply }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await appOf(runtime).request(path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Reply };
}

const subgoals = [{ id: 's1', description: 'List the tables', agent: 'coder' }];
const path = '/v1/verify/decomposition';
const plan = (more: object = {}) => ({
  query: 'Which tables are never read?',
  decomposition: { goal: 'A list', subgoals },
  ...more,
});
const named = { completeness: 0.7, consistency: 0.7, groundedness: 0.95, routability: 0.45 };

function judgeReply({ body }: ScriptedCall, more: object = {}): ScriptedReply {
  const question = textOf(body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(question)?.[1] ?? '';
  const lists = question.includes('"critical_issues"')
    ? { critical_issues: ['Views are forgotten'], minor_issues: [], edge_cases: [] }
    : { issues: ['Views are forgotten'] };
  const stated = { overall: 0.9, verdict: 'RETRY', ...lists, suggestions: ['Add the views'] };
  return { text: JSON.stringify({ nonce, reasoning: 'Read.', ...named, ...stated, ...more }) };
}

/** Requests without waiting, judges in the slow lane, and reads the verdict. */
async function judged(body: object): Promise<Reply> {
  const { body: pending } = await call('POST', path, { ...body, wait_ms: 0 });
  const work = await claimSlowWork(runtime.ctx, {
    owner: 'slow',
    projectId: project.projectId,
    id: pending.id,
  });
  if (work === null) throw new Error('nothing waits for the slow lane');
  const askFor = (target: Parameters<typeof createAsk>[2]) =>
    createAsk(runtime.ctx, { ...runtime.asking, endpoints: createEndpoints(runtime.ctx) }, target);
  await verifyClaimed(
    runtime.ctx,
    { ...runtime.subjects, askFor },
    { owner: 'slow', claimed: [work], signal: new AbortController().signal, asks: true },
  );
  return (await call('GET', `/v1/verifications/${pending.id}`)).body;
}

test('SOAR-1 SOAR-2 X-2 X-6 a MEDIUM one is judged by its own model, marked so, and the total is computed here', async () => {
  llm.answerWith((asked) => judgeReply(asked));
  expect(await judged(plan({ executor_model: 'openai/gpt-4o-mini' }))).toMatchObject({
    outcome: 'passed',
    verdict: 'PASS',
    action: 'accept',
    score: 0.7,
    judge: { calls: 1, model: 'house/gpt-4o-mini', cross_model: 'self' },
    retries: { used: 0, budget: 2 },
    decomposition: {
      option: 'self',
      self_verified: true,
      overall_score: 0.7,
      stated_overall: 0.9,
      stated_verdict: 'RETRY',
      scores: named,
    },
  });
});

test('SOAR-2 X-2 a CRITICAL one goes to another family, and without one to its own, marked', async () => {
  llm.answerWith((asked) => judgeReply(asked));
  const other = await judged(
    plan({ complexity: 'critical', executor_model: 'openai/gpt-4o-mini' }),
  );
  expect(other).toMatchObject({
    judge: { model: 'house/mistral-small', cross_model: 'enforced' },
    decomposition: { option: 'adversarial', self_verified: false },
  });
  expect(other.scores[1]).toMatchObject({
    name: 'completeness',
    prompt_version: 'decomposition-adversarial@0',
  });
  expect(textOf(llm.calls.at(-1)?.body)).toContain('Rotate the signing keys');
  await offer('gpt-4o-mini');
  expect(
    await judged(plan({ complexity: 'complex', executor_model: 'openai/gpt-4o-mini' })),
  ).toMatchObject({
    judge: { model: 'house/gpt-4o-mini', cross_model: 'self' },
    decomposition: { option: 'adversarial', self_verified: true },
  });
  await offer('gpt-4o-mini', 'mistral-small');
});

test('SOAR-11 X-3 a judge whose replies lack a score leaves no verdict, and no number', async () => {
  llm.answerWith((asked) => judgeReply(asked, { routability: undefined }));
  const broken = await judged(
    plan({ query: 'Which views are never read?', executor_model: 'openai/gpt-4o-mini' }),
  );
  expect(broken).toMatchObject({
    outcome: 'inconclusive',
    verdict: null,
    score: null,
    needs_human_review: true,
    judge: { calls: 2 },
    decomposition: { scores: null, overall_score: null, verdict: null },
  });
});

test('SOAR-12 SOAR-14 an inconsistent one is settled at once, and its feedback is for the next prompt', async () => {
  const before = llm.calls.length;
  const circle = {
    goal: 'A list',
    subgoals: [{ id: 's1', description: 'List', agent: 'coder', depends_on: ['s1'] }],
  };
  const { status, body } = await call(
    'POST',
    path,
    plan({ decomposition: circle, retries_used: 1 }),
  );
  expect([status, llm.calls.length - before]).toEqual([200, 0]);
  expect(body).toMatchObject({
    outcome: 'failed',
    verdict: 'RETRY',
    action: 'retry',
    score: null,
    retries: { used: 1, budget: 2 },
  });
  expect(body.decomposition.retry_feedback).toMatch(/^PREVIOUS ATTEMPT FEEDBACK:/);
  expect(body.decomposition.retry_feedback).toContain('Which of our cron jobs write');
});

test('SOAR-3 scores of another judge are accepted, and no model is asked; invalid ones are refused', async () => {
  const before = llm.calls.length;
  const { body } = await call(
    'POST',
    path,
    plan({ scores: { ...named, completeness: 0.2 }, retries_used: 2 }),
  );
  expect(body).toMatchObject({
    verdict: 'FAIL',
    action: 'reject',
    score: 0.5,
    judge: { calls: 0 },
  });
  expect(llm.calls.length).toBe(before);
  const wrong = await call('POST', path, plan({ scores: { ...named, completeness: 1.2 } }));
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'scores.completeness' }] } },
  });
});

test('X-2 self-assessments of models are measured and listed as a separate series', async () => {
  llm.answerWith((asked) => judgeReply(asked));
  const own = await judged(
    plan({ query: 'Which indexes are never read?', executor_model: 'openai/gpt-4o-mini' }),
  );
  const other = await judged(
    plan({
      query: 'Which roles are never used?',
      executor_model: 'openai/gpt-4o-mini',
      complexity: 'COMPLEX',
    }),
  );
  expect([own.judge.cross_model, other.judge.cross_model]).toEqual(['self', 'enforced']);
  for (const [{ id }, verdict] of [
    [own, 'fail'],
    [other, 'pass'],
  ] as const) {
    expect(
      (await call('POST', `/v1/verifications/${id}/overrides`, { verdict, reason: 'looked at it' }))
        .status,
    ).toBe(201);
  }
  const measured = async (query: string): Promise<unknown> =>
    (await call('GET', `/v1/metrics/verifiers?${query}`)).body;
  const agreement = (verifier: string, numerator: number) => ({
    verifier,
    kind: 'decomposition',
    agreement: { numerator, denominator: 1 },
  });
  expect(await measured('')).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ verifier: 'decomposition' }),
      expect.objectContaining({ verifier: 'decomposition:self' }),
    ]),
  });
  expect(await measured('verifier=decomposition')).toMatchObject({
    data: [agreement('decomposition', 1)],
  });
  expect(await measured('verifier=decomposition:self')).toMatchObject({
    data: [agreement('decomposition:self', 0)],
  });
  expect(await measured('verifier=decomposition:self@1')).toMatchObject({
    data: [agreement('decomposition:self', 0)],
  });
  const decided = ({
    data,
  }: {
    data: { verifier: string; pass_rate: { denominator: number } }[];
  }): number => data.reduce((sum, { pass_rate }) => sum + pass_rate.denominator, 0);
  // Rollups do not know series: they count the settled verdicts of both.
  const today = new Date().toISOString().slice(0, 10);
  const all = (await measured('')) as Parameters<typeof decided>[0];
  const [row] = await project.sql<{ n: number }[]>`
    select count(*)::int as n from verdicts where project_id = ${project.projectId} and outcome in ('passed', 'failed')`;
  expect(decided(all)).toBe(row?.n);
  expect(decided((await measured(`from=${today}`)) as typeof all)).toBe(row?.n);
  const list = (await call('GET', '/v1/verifications?verifier=decomposition:self'))
    .body as unknown as {
    data: { judge: { cross_model: string } }[];
  };
  expect(new Set(list.data.map(({ judge }) => judge.cross_model))).toEqual(new Set(['self']));
});
