import { beforeEach, expect } from 'vitest';
import { createTestProject, drainWork } from '../../testing/database';
import { testWithLlm as test } from '../../testing/fixture';
import {
  type ScriptedCall,
  type ScriptedLlm,
  type ScriptedReply,
  textOf,
} from '../../testing/scripted-llm';
import type { ProjectCtx } from '../access';
import { takeOutcomes } from '../labels';
import { putProvider } from '../llm';
import { claimSlowWork } from '../queue';
import type { Runtime } from '../runtime';
import { ingestTurns } from '../ingest';
import { getVerdict } from './get';
import { putConfig } from '../catalog';
import { verifyNow } from './verify-now';
import { workThrough } from './work-through';

/**
 * A judge reads statements that figures do not decide. It is called only in the slow lane, its cost
 * is recorded, and a failed judge never leads to a pass.
 */

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let asked: string[] = [];

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  project = await createTestProject(runtime);
  await putProvider(project, 'one', {
    kind: 'openai',
    base_url: llm.baseUrl,
    api_key: 'sk-test',
    models: ['gpt-4o-mini'],
    enabled: true,
  });
  asked = [];
});

const set = (secondOpinion: string) =>
  putConfig(project, runtime.subjects.kinds, 'integrity', {
    config: { second_opinion: secondOpinion },
    reason: null,
  });

/** Supports each statement with the passage, or none. */
function judge(quote: string | null): void {
  llm.answerWith(({ body }: ScriptedCall): ScriptedReply => {
    asked.push(textOf(body));
    const nonce = /<data nonce="([0-9a-f]{32})"/.exec(textOf(body))?.[1] ?? '';
    const claims = [
      {
        claim: 1,
        reasoning: 'The rows show it.',
        supported_by: quote === null ? [] : [1],
        quote: quote ?? '',
      },
    ];
    const whole = {
      coherence_reasoning: 'Fine.',
      coherence: 5,
      completeness_reasoning: 'Fine.',
      completeness: 5,
      missing: [],
    };
    return {
      text: JSON.stringify({ nonce, reasoning: 'Read.', claims, ...whole, confidence: 0.9 }),
      usage: { input: 900, output: 90 },
    };
  });
}

const turn = {
  model: 'anthropic/claude-sonnet-4-5',
  input: [{ role: 'user', content: 'How did sales do?' }],
  tools: [{ id: 't1', name: 'sales', result: 'May: sales 12\nJune: sales 9, a fall' }],
  output: 'Sales were 12 in May. Sales fell after that.',
};

async function send(id: string, over: object = {}): Promise<void> {
  const body = Buffer.from(JSON.stringify({ turns: [{ id, ...turn, ...over }] }));
  await ingestTurns(project, runtime.writer, {
    body,
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
  await drainWork(runtime);
}

/** The slow lane's pending work in this project. */
async function waiting() {
  return runtime.ctx.sql<{ id: string; lane: string; reason: string | null; later: boolean }[]>`
    select id, lane, reason, due_at > now() as later from work where project_id = ${project.projectId}`;
}

async function runSlow(): Promise<void> {
  for (const { id } of await waiting()) {
    const work = await claimSlowWork(runtime.ctx, {
      owner: 'slow',
      projectId: project.projectId,
      id,
    });
    if (work === null) continue;
    const signal = new AbortController().signal;
    await workThrough(runtime.ctx, {
      owner: 'slow',
      claimed: [work],
      rules: runtime.rules,
      subjects: runtime.subjects,
      signal,
      asks: true,
    });
  }
}

async function verdicts() {
  const rows = await runtime.ctx.sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${project.projectId}`;
  return Promise.all(
    rows.map(async ({ id }) => {
      const verdict = await getVerdict(project, id);
      if (verdict.state !== 'settled') throw new Error('a stored verdict is settled');
      return verdict;
    }),
  );
}

const nodeOf = (verdict: Awaited<ReturnType<typeof verdicts>>[number] | undefined) =>
  verdict?.scores.find(({ evaluator }) => evaluator === 'judges.opinion@1');

test('off by default: the fast lane settles, and no judge is called', async () => {
  judge('a fall');
  await send('t-1');
  const [verdict] = await verdicts();
  expect(verdict).toMatchObject({ verdict: 'sourced' });
  expect(nodeOf(verdict)).toBeUndefined();
  expect([asked, await waiting()]).toEqual([[], []]);
});

test('on: the turn goes to the slow lane; the verdict has the score, its cost and the judge, and the ledger has the call', async () => {
  await set('report');
  judge('June: sales 9, a fall');
  await send('t-1');
  expect([await verdicts(), await waiting()]).toMatchObject([[], [{ lane: 'slow' }]]);
  expect(asked).toEqual([]);
  await runSlow();
  const [verdict] = await verdicts();
  expect(verdict).toMatchObject({
    verdict: 'sourced',
    score: 1,
    judging: { calls: 1, crossModel: 'enforced' },
  });
  expect(nodeOf(verdict)).toMatchObject({
    state: 'scored',
    value: 1,
    met: true,
    prompt_version: 'integrity-opinion@0',
  });
  expect(nodeOf(verdict)?.cost_usd).toBeGreaterThan(0);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('Sales fell after that.');
  const calls = await runtime.ctx
    .sql`select purpose from llm_calls where project_id = ${project.projectId}`;
  expect(calls).toMatchObject([{ purpose: 'integrity second opinion' }]);
});

test('no judge is called, and no slow lane needed, where figures decide every statement', async () => {
  await set('decides');
  await send('t-1', { output: 'Sales were 12 in May.' });
  const [verdict] = await verdicts();
  expect(verdict).toMatchObject({ verdict: 'sourced' });
  expect(nodeOf(verdict)).toMatchObject({ state: 'unscored', cost_usd: 0 });
});

test.each([
  ['report', 'sourced', 'passed'],
  ['decides', 'unsourced', 'failed'],
])('%s: a statement without support makes the verdict %s', async (mode, verdict, outcome) => {
  await set(mode);
  judge(null);
  await send('t-1');
  await runSlow();
  const [found] = await verdicts();
  expect(found).toMatchObject({ verdict, outcome });
  expect(nodeOf(found)).toMatchObject({ state: 'scored', value: 0, met: false });
});

test.each([
  ['report', 'sourced'],
  ['decides', null],
])(
  '%s: a judge with an unreadable reply has failed, gives no score, and its cost is recorded',
  async (mode, verdict) => {
    await set(mode);
    llm.answerWith(() => ({ text: 'All fine!', usage: { input: 900, output: 3 } }));
    await send('t-1');
    await runSlow();
    const [found] = await verdicts();
    expect(found).toMatchObject({
      verdict,
      ...(verdict === null && { outcome: 'inconclusive', needsHumanReview: true }),
    });
    expect(nodeOf(found)).toMatchObject({ state: 'failed', value: null });
    expect(nodeOf(found)?.cost_usd).toBeGreaterThan(0);
  },
);

test('decides: without any judge the verdict is inconclusive immediately', async () => {
  await set('decides');
  await runtime.ctx.sql`delete from providers where project_id = ${project.projectId}`;
  await send('t-1');
  const [found] = await verdicts();
  expect(found).toMatchObject({ verdict: null, outcome: 'inconclusive' });
  expect(nodeOf(found)).toMatchObject({ state: 'failed' });
});

test('the opinion is measured under its judge, and the figure check under none', async () => {
  await set('report');
  judge(null);
  await send('t-1');
  await runSlow();
  const { sql } = runtime.ctx;
  const outcome = {
    id: 'o-1',
    subject_id: 't-1',
    success: false,
    score: null,
    source: 'ci',
    note: '',
  };
  await takeOutcomes(project, {
    body: Buffer.from(JSON.stringify({ outcomes: [outcome] })),
    idempotencyKey: null,
  });
  await drainWork(runtime);
  const rows =
    await sql`select origin, series, judge, machine, good from judgements where project_id = ${project.projectId} order by origin`;
  expect(rows).toMatchObject([
    {
      origin: 'imported',
      series: 'second opinion: one/gpt-4o-mini',
      machine: 'failed',
      good: false,
    },
    { origin: 'verifier', series: 'integrity', judge: '', machine: 'passed', good: false },
  ]);
});

test('a verify call that needs the judge is pending and urgent', async () => {
  await set('report');
  judge('June: sales 9, a fall');
  const body = Buffer.from(JSON.stringify({ id: 'now', ...turn }));
  const signal = new AbortController().signal;
  const input = {
    body,
    validUtf8: true,
    idempotencyKey: null,
    verifier: 'integrity',
    mode: 'sync' as const,
    owner: runtime.owner,
    signal,
  };
  expect(await verifyNow(project, runtime, input)).toMatchObject({ state: 'pending' });
  const rows = await runtime.ctx
    .sql`select lane, priority from work where project_id = ${project.projectId}`;
  expect(rows).toMatchObject([{ lane: 'slow', priority: 0 }]);
});
