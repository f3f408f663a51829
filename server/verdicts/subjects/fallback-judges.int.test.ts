import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { appOf } from '../../../testing/app';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
} from '../../../testing/database';
import {
  type ScriptedCall,
  type ScriptedLlm,
  startScriptedLlm,
  textOf,
} from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import { listLabelledVerdicts, measureVerifier } from '../../measures';
import { overrideVerdict } from '../../labels';
import { createAsk, createEndpoints, type Endpoints, putProvider } from '../../llm';
import { claimSlowWork } from '../../queue';
import type { Runtime } from '../../runtime';
import { updateSettings } from '../settings';
import { verifyClaimed } from '../verify';

/** A judge whose circuit breaker is open, and a fallback provider. */

let database: TestDatabase;
let runtime: Runtime;
let first: ScriptedLlm;
let second: ScriptedLlm;
let project: ProjectCtx;
let key = '';
/** For the first provider's model; the breaker itself is tested in its own module. */
let isOpen = false;

beforeAll(async () => {
  [first, second] = await Promise.all([startScriptedLlm(), startScriptedLlm()]);
  database = await createTestDatabase(inject('databaseUrl'));
  runtime = createTestRuntime(database.url, {
    ASSAY_OUTBOUND_ALLOW: [first, second].map(({ origin }) => new URL(origin).host).join(','),
  });
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['verify', 'read'] }));
  const provider = { api_key: 'sk-test', enabled: true };
  await putProvider(project, 'one', {
    ...provider,
    kind: 'openai',
    base_url: first.baseUrl,
    models: ['gpt-4o-mini'],
  });
  await putProvider(project, 'two', {
    ...provider,
    kind: 'openai_compatible',
    base_url: second.baseUrl,
    models: ['mistral-small'],
  });
  await updateSettings(project, { defaultJudge: 'one:gpt-4o-mini' });
  for (const llm of [first, second]) llm.answerWith(reply);
});

afterAll(async () => {
  await runtime.close();
  await database.drop();
  await Promise.all([first.close(), second.close()]);
});

function reply({ body }: ScriptedCall): { readonly text: string } {
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(textOf(body))?.[1] ?? '';
  const criteria = [{ criterion: 1, reasoning: 'Seen.', quotes: [], met: true, confidence: 0.9 }];
  return { text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }) };
}

function endpoints(): Endpoints {
  const real = createEndpoints(runtime.ctx);
  return {
    admit(called, deadlineAt, signal) {
      if (isOpen && called.model === 'gpt-4o-mini')
        return Promise.resolve({ state: 'denied', why: 'breaker_open', retryAfterMs: 5_000 });
      return real.admit(called, deadlineAt, signal);
    },
  };
}

interface Reply {
  readonly id: string;
  readonly verdict: string | null;
  readonly issues: readonly { readonly code: string; readonly message: string }[];
  readonly scores: readonly { readonly evaluator: string; readonly model: string | null }[];
  readonly judge: {
    readonly calls: number;
    readonly model: string | null;
    readonly cross_model: string;
  };
  readonly data: readonly { readonly verifier: string; readonly matrix: Record<string, number> }[];
}

async function call(method: string, path: string, body?: object): Promise<Reply> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await appOf(runtime).request(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Reply;
}

async function judged(output: string): Promise<Reply> {
  const body = {
    success_criteria: ['Is clear'],
    scoring_mode: 'binary',
    task_output: output,
    executor_model: 'google/gemini-2.5-pro',
    wait_ms: 0,
  };
  const { id } = await call('POST', '/v1/verify/task', body);
  const work = await claimSlowWork(runtime.ctx, {
    owner: 'slow',
    projectId: project.projectId,
    id,
  });
  if (work === null) throw new Error('nothing waits for the slow lane');
  const deps = {
    ...runtime.subjects,
    askFor: (target: Parameters<typeof createAsk>[2]) =>
      createAsk(runtime.ctx, { ...runtime.asking, endpoints: endpoints() }, target),
  };
  await verifyClaimed(runtime.ctx, deps, {
    owner: 'slow',
    claimed: [work],
    signal: new AbortController().signal,
    asks: true,
  });
  return call('GET', `/v1/verifications/${id}`);
}

test('R-59 the breaker of the first judge is open: the second judges, the verdict names it, and no measure mixes the two', async () => {
  const own = await judged('The disk was full.');
  isOpen = true;
  const byFallback = await judged('The disk was nearly full.');
  expect([own, byFallback].map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  expect(own.judge).toMatchObject({ model: 'one/gpt-4o-mini', calls: 1 });
  expect(byFallback.judge).toEqual({
    model: 'two/mistral-small',
    calls: 1,
    cross_model: 'enforced',
  });
  const models = byFallback.scores
    .filter(({ evaluator }) => evaluator.startsWith('judges.binary'))
    .map(({ model }) => model);
  expect(models).toEqual(['two/mistral-small']);
  expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
  const fallbackIssue = byFallback.issues.find(({ code }) => code === 'judge_fallback');
  expect(fallbackIssue?.message).toMatch(
    /^The judge one:gpt-4o-mini gave no result \(breaker_open: .*\); two\/mistral-small judged instead$/,
  );
  expect(own.issues.map(({ code }) => code)).not.toContain('judge_fallback');

  await overrideVerdict(project, { verdictId: own.id, verdict: 'pass' });
  await overrideVerdict(project, {
    verdictId: byFallback.id,
    verdict: 'fail',
    reason: 'It was full.',
  });
  const matrixOf = async (query: string) =>
    (await call('GET', `/v1/metrics/verifiers?verifier=task${query}`)).data.find(
      ({ verifier }) => verifier === 'task',
    )?.matrix;
  expect(await matrixOf('')).toMatchObject({ right_passes: 1, missed: 1 });
  expect(await matrixOf('&judge=one/gpt-4o-mini')).toMatchObject({ right_passes: 1, missed: 0 });
  expect(await matrixOf('&judge=two/mistral-small')).toMatchObject({ right_passes: 0, missed: 1 });
  expect(await matrixOf('&judge=nobody')).toBeUndefined();
  const of = { verifier: 'task', origin: 'verifier', days: 0 } as const;
  const alone = await measureVerifier(project, { ...of, judge: 'two/mistral-small' });
  expect(alone.judges).toEqual(['one/gpt-4o-mini', 'two/mistral-small']);
  expect(alone.counts).toMatchObject({ missed: 1, passed: 0 });
  expect((await measureVerifier(project, of)).counts).toMatchObject({ missed: 1, passed: 1 });
  const rows = await listLabelledVerdicts(project, {
    verifier: 'task',
    origin: 'verifier',
    cell: 'labelled',
    judge: 'two/mistral-small',
  });
  expect(rows.items.map(({ verdictId }) => verdictId)).toEqual([byFallback.id]);
});
