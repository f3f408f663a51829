import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { appOf } from '../testing/app';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
} from '../testing/database';
import {
  type ScriptedCall,
  type ScriptedLlm,
  startScriptedLlm,
  textOf,
} from '../testing/scripted-llm';
import { startRedis, type TestRedis } from '../testing/redis';
import { until } from '../testing/until';
import { backends, lacks, runsRowTests } from '../testing/slow-stack';
import { createKey, type ProjectCtx } from '../server/access';
import { putProvider } from '../server/llm';
import { moveLabel, savePrompt } from '../server/prompts';
import type { Runtime } from '../server/runtime';
import { verifyClaimed, workThrough } from '../server/verdicts';
import { runSlowLane } from './slow-lane';
import { runLane } from './lane';

/** The members of a verification that this test reads. */
interface Reply {
  readonly id: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly verdict: string | null;
  readonly action: string;
  readonly score: number | null;
  readonly confidence: number | null;
  readonly needs_human_review: boolean;
  readonly feedback: string | null;
  readonly threshold: { readonly value: number; readonly source: string };
  readonly scores: readonly {
    readonly name: string;
    readonly state: string;
    readonly met: boolean | null;
    readonly prompt_version: string | null;
  }[];
  readonly judge: {
    readonly calls: number;
    readonly model: string | null;
    readonly cross_model: string | null;
  };
  readonly cost: { readonly usd: number; readonly tokens: number };
  readonly task: {
    readonly aggregate_score: number;
    readonly criteria_scores: readonly { readonly score: number; readonly met: boolean }[];
  };
  readonly error?: { readonly code: string; readonly message: string };
}

/** A judge's scores for the criteria, under the code of its question. */
function saysOf(scores: readonly number[], confidence = 0.87) {
  return (call: ScriptedCall): { readonly text: string } => {
    const asked = textOf(call.body);
    const nonce = /<data nonce="([0-9a-f]{32})"/.exec(asked)?.[1] ?? '';
    const quality = ['completeness', 'accuracy', 'clarity', 'relevance'];
    return {
      text: JSON.stringify({
        nonce,
        criteria: scores.map((score, i) => ({
          criterion: i + 1,
          reasoning: 'It stands there.',
          quotes: [],
          score: 1 + 4 * score,
          confidence,
        })),
        quality: quality.map((dimension) => ({ dimension, reasoning: 'Seen.', score: 4 })),
        suggestions: [],
        confidence,
      }),
    };
  };
}

const worked = {
  task_description: 'Research EU AI Act requirements',
  success_criteria: [
    'Covers all 6 risk categories',
    'Includes implementation timelines',
    'Cites specific articles',
  ],
  task_output:
    'The act sorts systems into risk categories. Article 5 forbids some of them from February 2025.',
  executor_model: 'anthropic/claude-sonnet-4-5',
};

describe.each(backends)('judging with jobs on %s', (backend) => {
  describe.skipIf(lacks(backend))('by HTTP', () => {
    let database: TestDatabase;
    let redis: TestRedis | null = null;
    let runtime: Runtime;
    let llm: ScriptedLlm;
    let project: ProjectCtx;
    let key = '';
    const stopping = new AbortController();
    let lanes: Promise<unknown> = Promise.resolve();

    beforeAll(async () => {
      llm = await startScriptedLlm();
      redis = backend === 'redis' ? await startRedis() : null;
      database = await createTestDatabase(inject('databaseUrl'));
      runtime = createTestRuntime(database.url, {
        ASSAY_OUTBOUND_ALLOW: new URL(llm.origin).host,
        ...(redis === null ? {} : { REDIS_URL: redis.url }),
      });
      const { ctx, rules, subjects } = runtime;
      const { signal } = stopping;
      lanes = Promise.all([
        runLane(ctx, { owner: 'fast', signal, rules, subjects }),
        runSlowLane(ctx, {
          owner: 'slow',
          signal,
          async verify(work, ending) {
            if (subjects.kinds.has(work.subjectKind))
              await verifyClaimed(ctx, subjects, {
                owner: 'slow',
                claimed: [work],
                signal: ending,
                asks: true,
              });
            else
              await workThrough(ctx, {
                owner: 'slow',
                claimed: [work],
                rules,
                subjects,
                signal: ending,
              });
          },
        }),
      ]);
    });

    beforeEach(async () => {
      project = await createTestProject(runtime);
      ({ key } = await createKey(project, { name: 'k', scopes: ['verify', 'read', 'write'] }));
      await putProvider(project, 'openai', {
        kind: 'openai',
        base_url: llm.baseUrl,
        api_key: 'sk-test',
        models: ['gpt-4o-mini'],
        enabled: true,
      });
      llm.answerWith(null);
    });

    afterAll(async () => {
      stopping.abort();
      await lanes;
      await runtime.close();
      await database.drop();
      await redis?.stop();
      await llm.close();
    });

    async function post(
      path: string,
      body: object,
      method = 'POST',
    ): Promise<{ readonly status: number; readonly reply: Reply }> {
      const response = await appOf(runtime).request(path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, reply: (await response.json()) as Reply };
    }

    test('VS-4 VS-5 the worked example: 0.9, 0.7 and 0.85 are 0.8167, all met, pass', async () => {
      llm.answerWith(saysOf([0.9, 0.7, 0.85]));
      const { status, reply } = await post('/verify-task', worked);
      expect(status).toBe(200);
      expect(reply).toMatchObject({
        state: 'settled',
        outcome: 'passed',
        verdict: 'pass',
        action: 'accept',
        score: 0.8167,
        confidence: 0.87,
        threshold: { value: 0.7, source: 'default' },
        judge: { calls: 1, cross_model: 'enforced' },
      });
      expect(reply.task.criteria_scores.map((each) => each.met)).toEqual([true, true, true]);
      expect(reply.judge.model).toContain('gpt-4o-mini');
      expect(reply.cost.tokens).toBeGreaterThan(0);
      const again = await appOf(runtime).request(`/v1/verifications/${reply.id}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(await again.json()).toEqual(reply);
    });

    test.runIf(runsRowTests(backend))('X-6 VS-22 three scores of 0.7 pass', async () => {
      llm.answerWith(saysOf([0.7, 0.7, 0.7]));
      expect((await post('/v1/verify/task', worked)).reply).toMatchObject({
        verdict: 'pass',
        score: 0.7,
      });
    });

    test.runIf(runsRowTests(backend))(
      'VS-9 a failed check ends it in the same call, without asking a model',
      async () => {
        const before = llm.calls.length;
        const success_criteria = [
          ...worked.success_criteria,
          { check: 'required_sections', value: ['Timeline'] },
        ];
        const { status, reply } = await post('/v1/verify/task', { ...worked, success_criteria });
        expect(status).toBe(200);
        expect(reply).toMatchObject({
          verdict: 'fail',
          outcome: 'failed',
          judge: { calls: 0, model: null },
          cost: { usd: 0, tokens: 0 },
        });
        expect(llm.calls.length).toBe(before);
      },
    );

    test.runIf(runsRowTests(backend))(
      'VS-27 VS-30 a partial is returned with what to revise, and escalated when the retries are used up',
      async () => {
        llm.answerWith(saysOf([0.9, 0.3, 0.5]));
        const first = await post('/v1/verify/task', worked);
        expect(first.reply).toMatchObject({
          verdict: 'partial',
          outcome: 'needs_review',
          action: 'retry',
        });
        expect(first.reply.feedback).toContain('Includes implementation timelines');
        const last = await post('/v1/verify/task', {
          ...worked,
          retries_used: 2,
          task_output: `${worked.task_output} Again.`,
        });
        expect(last.reply.action).toBe('escalate');
      },
    );

    test.runIf(runsRowTests(backend))(
      'X-3 VS-20 an unreadable reply of a judge is requested once more and is then inconclusive',
      async () => {
        llm.answerWith(() => ({ text: 'Looks good to me: 5/5, PASS' }));
        const before = llm.calls.length;
        const { reply } = await post('/v1/verify/task', { ...worked, task_output: 'Unreadable.' });
        expect(reply).toMatchObject({
          state: 'settled',
          outcome: 'inconclusive',
          verdict: null,
          score: null,
          needs_human_review: true,
        });
        expect(llm.calls.length - before).toBe(2);
      },
    );

    test.runIf(runsRowTests(backend))(
      'S-25 a judge that repeats its question, code included, gives no verdict',
      async () => {
        llm.answerWith((call) => ({ text: textOf(call.body) }));
        expect(
          (await post('/v1/verify/task', { ...worked, task_output: 'Echoed.' })).reply,
        ).toMatchObject({
          outcome: 'inconclusive',
          score: null,
        });
      },
    );

    test.runIf(runsRowTests(backend))(
      'VS-35 the model that did the work is refused as its judge, and another body under one id is a conflict',
      async () => {
        const own = await post('/v1/verify/task', {
          ...worked,
          executor_model: 'gpt-4o-mini-2024-07-18',
          verifier_model: 'openai:gpt-4o-mini',
        });
        expect(own.status).toBe(422);
        expect(own.reply.error).toMatchObject({ code: 'refused' });
        llm.answerWith(saysOf([1, 1, 1]));
        const first = await post('/v1/verify/task', { ...worked, id: 'v-1' });
        expect((await post('/v1/verify/task', { ...worked, id: 'v-1' })).reply.id).toBe(
          first.reply.id,
        );
        expect(
          (await post('/v1/verify/task', { ...worked, id: 'v-1', task_output: 'Other.' })).status,
        ).toBe(409);
      },
    );

    test('VS-34 async answers at once, and the verdict follows', async () => {
      llm.answerWith(saysOf([1, 1, 1]));
      const { status, reply } = await post('/v1/verify/task', { ...worked, mode: 'async' });
      expect(status).toBe(202);
      expect(reply).toMatchObject({ state: 'pending', outcome: null, verdict: null });
      const read = async (): Promise<Reply> => {
        const response = await appOf(runtime).request(`/v1/verifications/${reply.id}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        return (await response.json()) as Reply;
      };
      const settled = await until('the verdict', async () => {
        const found = await read();
        return found.state === 'settled' ? found : null;
      });
      expect(settled).toMatchObject({ id: reply.id, verdict: 'pass', score: 1 });
    });

    test.runIf(runsRowTests(backend))(
      'X-8 a run keeps the prompt that it began with, and the next run has the promoted one',
      async () => {
        llm.answerWith(saysOf([1, 1, 1]));
        const defaults = runtime.prompts;
        const text = defaults.get('task-rubric')?.body ?? '';
        const slow = post('/v1/verify/task', { ...worked, task_output: 'First.' });
        await llm.nextCall();
        const saved = await savePrompt(project, defaults, {
          slug: 'task-rubric',
          body: `${text}\n\nLook twice.\n`,
          message: 'twice',
        });
        await moveLabel(project, defaults, {
          slug: 'task-rubric',
          label: 'production',
          version: saved.version,
        });
        const first = (await slow).reply;
        const second = (await post('/v1/verify/task', { ...worked, task_output: 'Second.' })).reply;
        const versionOf = (reply: Reply) =>
          reply.scores.find((score) => score.prompt_version !== null)?.prompt_version;
        expect([versionOf(first), versionOf(second)]).toEqual([
          'task-rubric@0',
          `task-rubric@${saved.version}`,
        ]);
        expect(textOf(llm.calls.at(-1)?.body)).toContain('Look twice.');
      },
    );

    test.runIf(runsRowTests(backend))(
      'without a provider checks decide, judges report that no model can be asked, and nothing passes',
      async () => {
        await runtime.ctx.sql`delete from providers where project_id = ${project.projectId}`;
        const { reply } = await post('/v1/verify/task', worked);
        expect(reply).toMatchObject({
          state: 'settled',
          outcome: 'inconclusive',
          verdict: null,
          score: null,
        });
        const checks = [{ check: 'min_length', value: 10 }];
        expect(
          (await post('/v1/verify/task', { ...worked, success_criteria: checks })).reply,
        ).toMatchObject({
          verdict: 'pass',
          outcome: 'passed',
        });
      },
    );
  });
});
