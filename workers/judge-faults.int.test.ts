import { afterEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createCaller } from '../testing/call';
import { reportFigure } from '../testing/figures';
import { judgesAll } from '../testing/judges-all';
import { endAll, startWorker } from '../testing/processes';
import { startRedis } from '../testing/redis';
import { type ScriptedFault, type ScriptedReply, startScriptedLlm } from '../testing/scripted-llm';
import { createRandom } from '../testing/seed';
import { replayQuarantined } from '../testing/replay-quarantined';
import { backends, lacks, runsRowTests } from '../testing/slow-stack';
import { createStack, long } from '../testing/stack';
import { isAlive } from '../scripts/processes.mjs';
import { putProvider } from '../server/llm';
import { updateSettings } from '../server/verdicts';

/** Faults of a provider before it recovers; define which of them may be retried. */
const faults: readonly ScriptedFault[] = [
  { kind: 'status', status: 503 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  { kind: 'garbage', body: '<html>busy</html>', type: 'text/html' },
  { kind: 'huge', bytes: 5_000_000 },
  { kind: 'bomb', coding: 'br' },
  { kind: 'reset' },
  { kind: 'early_close' },
  { kind: 'bad_chunk' },
];
/** Replies, in order, that contain no judgement. */
const unreadable: readonly string[] = [
  '',
  '{"score":"5/5"}',
  'null',
  '{"verdict":"pass"}',
  '[1e309]',
  ' '.repeat(100_000),
];

const tasks = long ? 200 : 30;
const kills = long ? 12 : 2;
/**
 * Of the first `badCalls` calls, six in ten fail. Limited by count rather than by time, since a
 * breaker lets only few calls through in a given time.
 */
const badCalls = tasks;

describe.each(backends)('misbehaving judges, jobs on %s', (backend) => {
  afterEach(() => endAll());

  test.skipIf(lacks(backend) || !runsRowTests(backend))(
    'R-50 to R-59 whatever judges do and however often workers die, each task has one verdict, and none that no judge gave',
    async () => {
      const [first, second] = await Promise.all([startScriptedLlm(), startScriptedLlm()]);
      const redis = backend === 'redis' ? await startRedis() : null;
      const stack = await createStack(inject('databaseUrl'), {
        ASSAY_OUTBOUND_ALLOW: [first, second].map(({ origin }) => new URL(origin).host).join(','),
        ASSAY_LEASE_MS: '2000',
        ...(redis === null ? {} : { REDIS_URL: redis.url }),
      });
      onTestFinished(async () => {
        await stack.close();
        await Promise.all([first.close(), second.close(), redis?.stop()]);
      });
      const { project, sql } = stack;
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
      const random = createRandom(`R-52 ${backend}`);
      const began = performance.now();
      let bad = 0;
      const answer = (call: Parameters<typeof judgesAll>[0]): ScriptedReply => {
        const isBad =
          first.calls.length + second.calls.length <= badCalls && random.between(1, 10) <= 6;
        if (!isBad) return judgesAll(call);
        bad++;
        const at = random.between(0, faults.length + unreadable.length - 1);
        const fault = faults[at];
        return fault === undefined ? { text: unreadable[at - faults.length] ?? '' } : { fault };
      };
      for (const llm of [first, second]) llm.answerWith(answer);

      const workers = await Promise.all([
        startWorker(stack.variables),
        startWorker(stack.variables),
      ]);
      const call = createCaller(stack.runtime, stack.key);
      for (let n = 0; n < tasks; n++) {
        const body = {
          success_criteria: ['Is clear'],
          scoring_mode: 'binary',
          task_output: `Disk ${n} is full.`,
          executor_model: 'google/gemini-2.5-pro',
        };
        expect((await call('/v1/verify/task', { ...body, mode: 'async' })).status).toBe(202);
        if (n % Math.ceil(tasks / kills) !== 1) continue;
        const victim = random.between(0, 1);
        await workers[victim]?.kill();
        workers[victim] = await startWorker(stack.variables);
      }
      await stack.drained(long ? 240_000 : 90_000);
      // Few rows whose worker was lost run at a time, so that each kill affects few of them.
      const setAside = await replayQuarantined(project);
      expect(setAside).toBeLessThanOrEqual(2 * Math.max(0, kills - 2));
      await stack.drained(60_000);

      const verdicts = await sql<
        { outcome: string; subjects: number; n: number; judged: number }[]
      >`
        select outcome, count(distinct subject_id)::int as subjects, count(*)::int as n,
          (count(*) filter (where judge_model is not null))::int as judged
        from verdicts where project_id = ${project.projectId} group by outcome order by outcome`;
      const of = (outcome: string) =>
        verdicts.find((row) => row.outcome === outcome) ?? { n: 0, subjects: 0, judged: 0 };
      // The judge finds every criterion met: a verdict is a pass from a judge, or inconclusive; a
      // fault is never a fail.
      expect(
        verdicts
          .map(({ outcome }) => outcome)
          .filter((outcome) => !['passed', 'inconclusive'].includes(outcome)),
      ).toEqual([]);
      expect(of('passed').n + of('inconclusive').n).toBe(tasks);
      expect(of('passed').subjects + of('inconclusive').subjects).toBe(tasks);
      expect(of('passed').judged).toBe(of('passed').n);
      expect(of('passed').n).toBeGreaterThan(tasks / 4);
      const models = await sql<
        { model: string }[]
      >`select distinct judge_model as model from verdicts where outcome = 'passed' order by 1`;
      expect(
        models
          .map(({ model }) => model)
          .filter((model) => !['one/gpt-4o-mini', 'two/mistral-small'].includes(model)),
      ).toEqual([]);
      const calls = first.calls.length + second.calls.length;
      const [quarantined] = await sql<
        { n: number }[]
      >`select count(*)::int as n from work where state = 'quarantined'`;
      expect(quarantined?.n).toBe(0);
      expect(bad).toBeGreaterThan(5);
      expect(calls).toBeLessThanOrEqual(2.5 * tasks + 10 * kills);
      expect(workers.map(({ pid }) => isAlive(pid))).toEqual([true, true]);
      reportFigure(`R-50 to R-59 ${backend}`, {
        tasks,
        kills,
        calls,
        faults: bad,
        passed: of('passed').n,
        inconclusive: of('inconclusive').n,
        'set aside and replayed': setAside,
        lost: 0,
        twice: 0,
        seed: random.seed,
        seconds: ((performance.now() - began) / 1000).toFixed(1),
      });
    },
    long ? 400_000 : 140_000,
  );
});
