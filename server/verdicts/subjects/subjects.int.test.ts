import { beforeEach, describe, expect } from 'vitest';
import { z } from 'zod';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import type { ProjectCtx } from '../../access';
import type { Ask, AskResult } from '../../domain';
import { measuredBy } from '../../evaluators';
import { putProvider } from '../../llm';
import { claimSlowWork, claimWork, type ClaimedWork } from '../../queue';
import type { Runtime } from '../../runtime';
import { putThreshold } from '../../thresholds';
import { ThresholdBody } from '../../thresholds/input';
import type { AnyKind, PlanNode, RunSetting } from '../../verifiers';
import { getVerdict } from '../get';
import { WorkFacts } from '../input';
import { updateSettings } from '../settings';
import { verifySubjectNow } from './verify-subject-now';
import type { SubjectDeps } from './subject-deps';
import { verifyClaimed } from '../verify';

let runtime: Runtime;
let project: ProjectCtx;
/** The scripted model's replies, in order; every question is recorded. */
let replies: AskResult[] = [];
let asked: { model: string; prompt: string | null }[] = [];

const usage = {
  provider: 'scripted',
  model: 'judge',
  inputTokens: 100,
  outputTokens: 20,
  costUsd: 0.02,
  latencyMs: 1,
  calls: 1,
};
const says = (text: string): AskResult => ({ state: 'answered', text, usage });
const down: AskResult = {
  state: 'failed',
  errorClass: 'breaker_open',
  message: 'the judge is down',
  retryAfterMs: 60_000,
  usage: { ...usage, calls: 0, costUsd: 0 },
};

const ask: Ask = (request) => {
  asked.push({ model: request.model, prompt: request.promptVersion });
  return Promise.resolve(replies.shift() ?? down);
};

const Subject = z.object({ task_output: z.string(), mode: z.string().default('x') });
type Subject = z.infer<typeof Subject>;

/** A kind of the engine's own tests: one check, one question; the model's word is the verdict. */
const kind: AnyKind = {
  name: 'task',
  label: 'Task',
  judges: '',
  rule: '',
  targets: [],
  verdicts: ['pass', 'fail'],
  scoreMax: 1,
  readsTurns: false,
  retries: 2,
  config: z.object({}),
  fields: [],
  subject: Subject,
  readings: {},
  excerptOf: (subject) => (subject as Subject).task_output,
  promptSlugs: () => ['task-rubric'],
  estimate: () => ({ inputTokens: 1_000_000, outputTokens: 0 }),
  cacheKey: (subject) => (subject as Subject).task_output,
  plan: (subject, setting) => [checkNode(subject as Subject), questionNode(setting)],
  decide(walk, _subject, setting) {
    const answer = walk.details.get('question') as AskResult | undefined;
    const blocked = answer?.state === 'failed' ? answer : null;
    const said = answer?.state === 'answered' ? answer.text : null;
    const failed = walk.scores.some((score) => score.name === 'check' && score.met === false);
    return {
      verdict: failed ? 'fail' : said,
      action: 'none',
      score: null,
      confidence: null,
      needsHumanReview: setting.notJudged?.state === 'over_budget',
      issues:
        blocked === null
          ? []
          : [{ code: 'judge', message: blocked.message, severity: 'high', path: null }],
      feedback: null,
      detail: { judges: setting.judges, fallbackJudges: setting.fallbackJudges },
      judgeCost: {
        calls: answer?.usage.calls ?? 0,
        tokens: (answer?.usage.inputTokens ?? 0) + (answer?.usage.outputTokens ?? 0),
        costUsd: answer?.usage.costUsd ?? 0,
        priceUnknown: answer?.usage.costUsd === null,
        model: answer?.usage.model ?? null,
        retryAfterMs: blocked?.retryAfterMs ?? null,
      },
      toCache: said,
    };
  },
};

function checkNode({ task_output }: Subject): PlanNode {
  const met = !task_output.includes('bad');
  const score = {
    ...measuredBy('test.check@1', 'check'),
    state: 'scored' as const,
    value: met ? 1 : 0,
    met,
  };
  const run = () => ({ score, detail: null });
  return {
    name: 'check',
    evaluator: 'test.check@1',
    needs: [],
    mustPass: true,
    weight: 1,
    cost: 0,
    timeoutMs: 1_000,
    run,
  };
}

function questionNode(setting: RunSetting<unknown>): PlanNode {
  const isAsked = setting.judges.length > 0 && setting.notJudged === null;
  const base = measuredBy('test.question@1', 'question');
  return {
    name: 'question',
    evaluator: 'test.question@1',
    needs: [],
    mustPass: false,
    weight: 1,
    cost: isAsked ? 100 : 0,
    timeoutMs: 5_000,
    async run(_details, ctx) {
      if (!isAsked || ctx.ask === undefined)
        return { score: { ...base, state: 'unscored', value: null, met: null }, detail: null };
      if (setting.cached !== null)
        return {
          score: { ...base, state: 'scored', value: 1, met: true, cached: true },
          detail: says(setting.cached as string),
        };
      const answer = await ctx.ask({
        model: setting.judges[0] ?? '',
        system: '',
        messages: [],
        reply: null,
        maxOutputTokens: 1,
        deadlineMs: 1_000,
        signal: ctx.signal,
        purpose: 'test',
        promptVersion: setting.prompts.get('task-rubric')?.version ?? null,
      });
      return { score: { ...base, state: 'scored', value: 1, met: true }, detail: answer };
    },
  };
}

const deps = (): SubjectDeps => ({
  prompts: runtime.prompts,
  kinds: new Map([['task', kind]]),
  askFor: () => ask,
  gates: () => Promise.resolve([]),
  findExamples: () => Promise.resolve([]),
});

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from work`;
  project = await createTestProject(runtime);
  await putProvider(project, 'anthropic', {
    kind: 'anthropic',
    api_key: 'k-test',
    models: ['claude-haiku-4-5'],
    enabled: true,
  });
  replies = [];
  asked = [];
});

interface Sent {
  readonly facts?: Record<string, unknown>;
  readonly id?: string;
  readonly missionId?: string;
  readonly mode?: 'sync' | 'async';
}

const send = (output: string, { facts = {}, id, missionId, mode = 'sync' }: Sent = {}) =>
  verifySubjectNow(project, deps(), {
    verifier: { slug: kind.name, kind },
    content: { subject: Subject.parse({ task_output: output }), facts: WorkFacts.parse(facts) },
    call: {
      id: id ?? null,
      sessionId: null,
      traceId: null,
      missionId: missionId ?? null,
      taskId: missionId === undefined ? null : 't-1',
      verifier: null,
      mode,
    },
    idempotencyKey: null,
    owner: 'edge',
    signal: new AbortController().signal,
  });

async function claimSlow(id: string): Promise<ClaimedWork> {
  const work = await claimSlowWork(runtime.ctx, {
    owner: 'slow',
    projectId: project.projectId,
    id,
  });
  if (work === null) throw new Error('nothing to claim');
  return work;
}

/** Runs the pending work of this id in the slow lane. */
async function judge(id: string): Promise<void> {
  const work = await claimSlow(id);
  await verifyClaimed(runtime.ctx, deps(), {
    owner: 'slow',
    claimed: [work],
    signal: new AbortController().signal,
    asks: true,
  });
}

const settled = async (id: string) => {
  const verdict = await getVerdict(project, id);
  if (verdict.state !== 'settled') throw new Error(`${verdict.state}: ${verdict.reason ?? ''}`);
  return verdict;
};

describe('a subject', () => {
  test('VS-8 VS-9 a failed check settles immediately, and no model is called', async () => {
    const verdict = await send('bad work');
    expect(verdict).toMatchObject({
      state: 'settled',
      verdict: 'fail',
      outcome: 'failed',
      judging: { calls: 0, costUsd: 0, crossModel: null },
    });
    expect(asked).toEqual([]);
  });

  test('VS-8 work that needs a judge waits for the slow lane and is settled there, with its cost', async () => {
    const facts = {
      executor_model: 'openai/gpt-4o',
      cost_usd: 10,
      threshold: 0.6,
      retries_used: 1,
    };
    const pending = await send('good work', { facts });
    expect(pending).toMatchObject({ state: 'pending', kind: 'task', turnId: null });
    replies = [says('pass')];
    await judge(pending.id);
    expect(await settled(pending.id)).toMatchObject({
      verdict: 'pass',
      outcome: 'passed',
      model: 'openai/gpt-4o',
      threshold: { value: 0.6, source: 'task', version: 0 },
      retries: { used: 1, budget: 2 },
      judging: {
        calls: 1,
        model: 'judge',
        crossModel: 'enforced',
        costUsd: 0.02,
        tokens: 120,
        shareOfTask: 0.002,
        overBudget: false,
      },
      excerpt: 'good work',
    });
    expect(asked).toEqual([{ model: 'anthropic:claude-haiku-4-5', prompt: 'task-rubric@0' }]);
  });

  test('VS-37 without an executor the judge is unverified, and the verdict reports it', async () => {
    const { id } = await send('good work');
    replies = [says('pass')];
    await judge(id);
    const verdict = await settled(id);
    expect(verdict.judging.crossModel).toBe('unverified');
    expect(verdict.issues.map((issue) => issue.code)).toEqual(['judge_related']);
  });

  test('VS-34 VS-35 the model that did the work does not judge it: refused, and nothing is stored', async () => {
    const facts = { executor_model: 'gpt-4o-2024-08-06', verifier_model: 'openai:gpt-4o' };
    await expect(send('good work', { facts })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('verifier_model') as string,
    });
    const rows = await runtime.ctx
      .sql`select 1 from subjects where project_id = ${project.projectId}`;
    expect(rows).toHaveLength(0);
  });

  test.each<[number, string]>([
    [1.1, 'threshold: must be from 0 to 1, not 1.1'],
    [0.3, 'must not be below fail_threshold (0.4)'],
  ])('VS-22 a threshold of %d is refused', async (threshold, message) => {
    await expect(send('good', { facts: { threshold } })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(message) as string,
    });
  });

  test('VS-33 the threshold of a mission decides its tasks, and the verdict names its source and version', async () => {
    const body = ThresholdBody.parse({ value: 0.85, scope: { mission_id: 'm-1' } });
    await putThreshold(project, { verifier: 'task', key: 'pass_threshold', body });
    const { id } = await send('bad', { missionId: 'm-1' });
    expect((await settled(id)).threshold).toEqual({ value: 0.85, source: 'mission', version: 1 });
  });

  test('R-58 X-3 while the judge is down the work is parked without a failed attempt, and judged when it is back', async () => {
    const { id } = await send('good work');
    replies = [down];
    await judge(id);
    const [row] = await runtime.ctx.sql<{ attempts: number; reason: string; parked: boolean }[]>`
      select attempts, reason, due_at > now() + interval '30 seconds' as parked from work where id = ${id}`;
    expect(row).toMatchObject({ attempts: 0, reason: 'the judge is down', parked: true });
    expect(await getVerdict(project, id)).toMatchObject({
      state: 'pending',
      reason: 'the judge is down',
    });
    await runtime.ctx.sql`update work set due_at = now() where id = ${id}`;
    replies = [says('pass')];
    await judge(id);
    expect(await settled(id)).toMatchObject({
      verdict: 'pass',
      judging: { calls: 1, costUsd: 0.02 },
    });
  });

  test('X-10 the same id and body is the same verification; another body is a conflict', async () => {
    const first = await send('bad work', { id: 'c-1' });
    const again = await send('bad work', { id: 'c-1' });
    expect(again.id).toBe(first.id);
    await expect(send('other work', { id: 'c-1' })).rejects.toMatchObject({ code: 'conflict' });
    const rows = await runtime.ctx
      .sql`select 1 from subjects where project_id = ${project.projectId}`;
    expect(rows).toHaveLength(1);
  });

  test('a caller’s metadata is stored with the subject', async () => {
    const verdict = await send('bad work', { facts: { metadata: { ticket: 'OPS-7' } } });
    const [row] = await runtime.ctx.sql<
      { content: string }[]
    >`select content from subjects where id = ${verdict.subjectId}`;
    expect(JSON.parse(row?.content ?? '')).toMatchObject({
      facts: { metadata: { ticket: 'OPS-7' } },
    });
  });

  test('VS-43 unchanged work is answered from the cache, at no cost; changed work is not', async () => {
    const first = await send('same work');
    replies = [says('pass')];
    await judge(first.id);
    const second = await send('same work');
    await judge(second.id);
    const verdict = await settled(second.id);
    expect(asked).toHaveLength(1);
    expect(verdict).toMatchObject({ verdict: 'pass' });
    expect(verdict.scores.find((score) => score.name === 'question')?.cached).toBe(true);
    const third = await send('other work');
    replies = [says('fail')];
    await judge(third.id);
    expect(asked).toHaveLength(2);
  });

  test('VS-32 work is judged by default: a project without settings judges, one with a higher floor does not', async () => {
    const { id } = await send('good work', { facts: { cost_usd: 50 } });
    replies = [says('pass')];
    await judge(id);
    expect(await settled(id)).toMatchObject({ verdict: 'pass', decision: { state: 'run' } });
    await updateSettings(project, { bypassBelowUsd: 100 });
    expect(await send('other work', { facts: { cost_usd: 50 } })).toMatchObject({
      state: 'settled',
      decision: { state: 'bypassed' },
    });
    expect(asked).toHaveLength(1);
    const bad = await send('bad work', { facts: { cost_usd: 50 } });
    expect(bad).toMatchObject({ verdict: 'fail', decision: { state: 'bypassed' } });
  });

  test('VS-39 work under the floor is not judged, and work at the floor is', async () => {
    expect(await send('cheap', { facts: { cost_usd: 0.0999 } })).toMatchObject({
      state: 'settled',
      verdict: null,
      outcome: 'skipped',
      decision: { state: 'bypassed', reason: 'below_cost_floor' },
    });
    const expensive = await send('dear', { facts: { cost_usd: 0.1 } });
    expect(expensive).toMatchObject({
      outcome: 'inconclusive',
      decision: { state: 'over_budget' },
    });
    expect(asked).toEqual([]);
  });

  test('VS-38 VS-41 X-11 a call that would exceed the share of the cost is not made: a person decides, and the mission is notified', async () => {
    const verdict = await send('dear', { facts: { cost_usd: 0.2 }, missionId: 'm-2' });
    expect(verdict).toMatchObject({
      needsHumanReview: true,
      decision: { state: 'over_budget' },
      judging: { overBudget: true, calls: 0 },
    });
    const events = await runtime.ctx.sql<{ event: string }[]>`
      select event from mission_events where project_id = ${project.projectId} and mission_id = 'm-2' order by event`;
    expect(events.map((row) => row.event)).toEqual([
      'failed',
      'human_review_requested',
      'over_budget',
      'started',
    ]);
  });

  test('VS-46 a mission is notified when a verification begins and when it ends', async () => {
    const { id } = await send('good work', { missionId: 'm-3' });
    replies = [says('pass')];
    await judge(id);
    const events = await runtime.ctx.sql<Record<string, unknown>[]>`
      select event, task_id, verdict_id, status from mission_events where project_id = ${project.projectId} order by created_at, event desc`;
    expect(events.map((row) => ({ ...row }))).toEqual([
      { event: 'started', task_id: 't-1', verdict_id: id, status: null },
      { event: 'completed', task_id: 't-1', verdict_id: id, status: 'pass' },
    ]);
  });

  test('VS-31 in async workers do it all; work that other work waits for goes first', async () => {
    const last = await send('ends the mission', { mode: 'async' });
    const first = await send('others wait', { mode: 'async', facts: { has_dependents: true } });
    const claimed = await claimWork(runtime.ctx, { owner: 'fast', limit: 10 });
    await verifyClaimed(runtime.ctx, deps(), {
      owner: 'fast',
      claimed,
      signal: new AbortController().signal,
    });
    const rows = await runtime.ctx.sql<
      { id: string }[]
    >`select id from work where lane = 'slow' order by priority`;
    expect(rows.map((row) => row.id)).toEqual([first.id, last.id]);
  });

  test('VS-44 VS-34 a jury judges with the default judge; a named judge judges alone; none is of the executor’s family', async () => {
    const models = ['gpt-4o', 'gpt-4o-mini'];
    await putProvider(project, 'openai', {
      kind: 'openai',
      api_key: 'k-test',
      models,
      enabled: true,
    });
    await putProvider(project, 'google', {
      kind: 'google',
      api_key: 'k-test',
      models: ['gemini-2.5-flash'],
      enabled: true,
    });
    await updateSettings(project, {
      defaultJudge: 'google:gemini-2.5-flash',
      jury: ['openai:gpt-4o', 'anthropic:claude-haiku-4-5'],
    });
    const judgesOf = async (facts: Record<string, unknown>) =>
      (await send('bad', { facts })) as unknown as { detail: unknown };
    expect((await judgesOf({ executor_model: 'openai/gpt-4.1' })).detail).toMatchObject({
      judges: ['google:gemini-2.5-flash', 'anthropic:claude-haiku-4-5'],
    });
    expect(
      (
        await judgesOf({
          executor_model: 'openai/gpt-4.1',
          verifier_model: 'anthropic:claude-haiku-4-5',
        })
      ).detail,
    ).toEqual({
      judges: ['anthropic:claude-haiku-4-5'],
      fallbackJudges: [],
    });
  });

  test('with no provider configured the checks still decide, and the rest reports that no model is configured', async () => {
    await runtime.ctx.sql`delete from providers where project_id = ${project.projectId}`;
    expect(await send('bad')).toMatchObject({ verdict: 'fail', outcome: 'failed' });
    expect(await send('good')).toMatchObject({
      state: 'settled',
      verdict: null,
      outcome: 'inconclusive',
    });
  });
});
