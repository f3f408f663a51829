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

/** Syntheses over HTTP: by the matcher alone, and with a scripted provider. */

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key = '';

test.beforeAll(async ({ llm: ownLlm, runtime: ownRuntime, project: ownProject }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  project = ownProject;
  ({ key } = await createKey(project, { name: 'k', scopes: ['verify', 'read'] }));
});

interface Reply {
  readonly id: string;
  readonly outcome: string;
  readonly synthesis: {
    readonly retry_feedback: string | null;
    readonly claims: readonly object[];
  };
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

const outputs = [
  {
    id: 'o1',
    agent: 'disk-agent',
    summary: 'The disk of web-1 is 91.4% full.',
    data: { host: 'web-1', disk_pct: 91.4 },
  },
];
const path = '/v1/verify/synthesis';
const body = (answer: string, more: object = {}): object => ({
  query: 'How is web-1?',
  answer,
  agent_outputs: outputs,
  ...more,
});
const supportedText = 'The disk of web-1 is 91.4% full.';
const invented = 'The disk of web-1 is 48.2% full.';

test('SOAR-22 SOAR-24 without a provider, clear cases are decided at once, and unclear ones have no verdict', async () => {
  expect(await call('POST', path, body(supportedText))).toMatchObject({
    status: 200,
    body: {
      outcome: 'passed',
      verdict: 'PASS',
      action: 'accept',
      score: 1,
      judge: { calls: 0 },
      synthesis: { traceability: 1, coherence: null },
    },
  });
  const retry = (
    await call('POST', path, body(`${supportedText} ${invented}`, { retries_used: 1 }))
  ).body;
  expect(retry).toMatchObject({
    outcome: 'failed',
    verdict: 'RETRY',
    score: 0.5,
    retries: { used: 1, budget: 2 },
    synthesis: { unsupported: [invented] },
  });
  expect(retry.synthesis.retry_feedback).toMatch(/^PREVIOUS ATTEMPT FEEDBACK:\n/);
  expect(
    (await call('POST', path, body(`${supportedText} ${invented}`, { retries_used: 2 }))).body,
  ).toMatchObject({
    verdict: 'FAIL',
    action: 'reject',
    synthesis: { fallback: { agent_outputs: outputs } },
  });
  expect((await call('POST', path, body('Web-1 idles.'))).body).toMatchObject({
    outcome: 'inconclusive',
    verdict: null,
    needs_human_review: true,
  });
  expect((await call('POST', path, body('Hello!'))).body).toMatchObject({
    outcome: 'inconclusive',
    score: null,
    issues: [{ code: 'no_claims' }],
  });
});

test('SOAR-21 SOAR-25 claims that were judged, and no outputs at all', async () => {
  const claims = [
    { text: supportedText, supported_by: ['o1'] },
    { text: 'All is fine.', supported_by: ['disk-agent'] },
  ];
  expect((await call('POST', path, body(supportedText, { claims }))).body).toMatchObject({
    verdict: 'RETRY',
    score: 0.5,
    synthesis: { claims: [{ by: 'caller', start: 0, end: 32 }, { state: 'unsupported' }] },
  });
  expect(
    (await call('POST', path, { query: 'q', answer: supportedText, agent_outputs: [] })).body,
  ).toMatchObject({
    outcome: 'skipped',
    verdict: null,
    score: null,
    synthesis: { warning: expect.stringContaining('not compared with anything') as string },
  });
});

function judgeReply({ body: asked }: ScriptedCall): ScriptedReply {
  const question = textOf(asked);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(question)?.[1] ?? '';
  const isKnown = question.includes('nearly exhausted');
  const claims = [
    {
      claim: 1,
      reasoning: 'Read.',
      supported_by: isKnown ? [1] : [],
      quote: isKnown ? '91.4% full' : '',
    },
  ];
  const whole = {
    coherence_reasoning: 'Read.',
    coherence: 5,
    completeness_reasoning: 'Read.',
    completeness: 4,
    missing: ['Memory'],
  };
  return { text: JSON.stringify({ nonce, reasoning: 'Read.', claims, ...whole, confidence: 0.8 }) };
}

/** Requests without waiting, judges in the slow lane, and reads the verdict. */
async function judged(asked: object): Promise<Reply> {
  const { body: pending } = await call('POST', path, { ...asked, wait_ms: 0 });
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

test('SOAR-21 SOAR-23 X-2 another model judges the remaining claims, and the answer as a whole', async () => {
  await putProvider(project, 'house', {
    kind: 'openai',
    api_key: 'sk-test',
    enabled: true,
    base_url: llm.baseUrl,
    models: ['gpt-4o-mini', 'mistral-small'],
  });
  llm.answerWith(judgeReply);
  const whose = { executor_model: 'openai/gpt-4o-mini', trace_id: 'pipe-1' };
  const known = await judged(body(`${supportedText} Storage is nearly exhausted.`, whose));
  expect(known).toMatchObject({
    verdict: 'PASS',
    score: 1,
    confidence: 0.8,
    trace_id: 'pipe-1',
    judge: { calls: 1, model: 'house/mistral-small', cross_model: 'enforced' },
    synthesis: {
      coherence: 1,
      completeness: 0.75,
      claims: [{ by: 'figures' }, { by: 'judge', supported_by: ['o1'], start: 33 }],
    },
    issues: [{ code: 'missing_information' }],
  });
  expect(textOf(llm.calls.at(-1)?.body)).toContain('Who said something supports nothing');
  const unknown = await judged(body(`${supportedText} Memory is almost gone.`, whose));
  expect(unknown).toMatchObject({
    verdict: 'RETRY',
    score: 0.5,
    synthesis: { claims: [{}, { state: 'unsupported', by: 'judge' }] },
  });
  expect(
    await call(
      'POST',
      path,
      body(supportedText, { executor_model: 'openai/gpt-4o', verifier_model: 'gpt-4o' }),
    ),
  ).toMatchObject({
    status: 422,
  });
});
