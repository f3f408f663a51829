import { setTimeout as pause } from 'node:timers/promises';
import { anyJudge } from '../../testing/any-judge';
import { createTestRuntime } from '../../testing/database';
import { createJudgedProject, type JudgedProject } from '../../testing/judged-project';
import { startScriptedLlm, type ScriptedLlm } from '../../testing/scripted-llm';
import { until } from '../../testing/until';
import type { Child } from '../child';
import { median, quantileOf, runRounds } from '../rounds';
import { compare } from '../row';
import type { RowMaker } from '../run';
import type { Stage } from '../stage';
import { plannedTurn } from './turns';

const judgeMs = 1_000;
const batch = 500;
const warmCalls = 100;
const waitingModel = 'anthropic/claude-sonnet-4-5';

/**
 * Q5: the time from the call that stores a turn until its integrity verdict, while subjects of the
 * same project wait for judges and the worker makes as many concurrent judge calls as it may,
 * compared with a database without waiting work. Both workers are the production process; one is
 * paused while the other is measured, because they share the processors.
 */
export const q5: RowMaker = {
  name: 'Q5',
  async make(stage, settings) {
    const [waiting, adds] = settings.smoke ? [2_000, 20] : [100_000, 100];
    const llm = await startScriptedLlm();
    stage.onClose(() => llm.close());
    llm.answerWith(async (call) => ({ ...anyJudge(call), delayMs: judgeMs }));
    const crowded = await openSide(stage, llm, 'crowded');
    const empty = await openSide(stage, llm, 'empty');
    await fillWaiting(crowded, waiting);
    await crowded.start();
    await crowded.freeze();
    await empty.start();
    const left: number[] = [];
    const judgeCalls: number[] = [];
    const contenders = [
      {
        name: 'crowded',
        async run(round: number) {
          await crowded.resume();
          const before = llm.requests.length;
          const figures = await crowded.measure(`crowded-${round}`, adds);
          judgeCalls.push(llm.requests.length - before);
          left.push(await crowded.countWaiting());
          await crowded.freeze();
          return figures;
        },
      },
      { name: 'empty', run: (round: number) => empty.measure(`empty-${round}`, adds) },
    ];
    const measured = await runRounds('Q5', contenders, settings);
    await Promise.all([crowded.stop(), empty.stop()]);
    if ((left.at(-1) ?? 0) === 0 || Math.min(...judgeCalls) === 0)
      throw new Error(`void: waiting ${left.join(' ')}, judges asked ${judgeCalls.join(' ')}`);
    const row = (quantile: string, figure: 'p50Ms' | 'p99Ms') =>
      compare({
        figure: `Q5 the integrity verdict of a new turn while ${waiting.toLocaleString('en')} subjects wait for judges, compared with none, ${quantile}`,
        unit: 'ms',
        assayValues: measured('crowded', figure),
        floor: measured('empty', figure),
        goal: { max: 1.5 },
        notes: [
          `${adds} single adds a round; one worker; ${median(judgeCalls)} judge calls of ${judgeMs} ms meanwhile; ${left.at(-1)} subjects still waited at the end`,
        ],
      });
    return [row('p50', 'p50Ms'), row('p99', 'p99Ms')];
  },
};

/** A database with a judged project and the worker on it. */
interface Side {
  readonly judged: JudgedProject;
  start(): Promise<void>;
  /** Milliseconds from a call that stores a turn to its verdict. */
  measure(name: string, adds: number): Promise<{ readonly p50Ms: number; readonly p99Ms: number }>;
  /** Does the same as a worker that finds that a judge is needed. */
  passAllToSlow(): Promise<void>;
  countWaiting(): Promise<number>;
  freeze(): Promise<void>;
  /** Resolves when the worker has caught up after its pause and calls judges. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

async function openSide(stage: Stage, llm: ScriptedLlm, name: string): Promise<Side> {
  const { url } = await stage.openDatabase(name);
  const env = {
    ASSAY_SECRET: 'test-secret-test-secret-test-secret',
    ASSAY_OUTBOUND_ALLOW: new URL(llm.origin).host,
  };
  const runtime = createTestRuntime(url, env);
  stage.onClose(() => runtime.close());
  const { sql } = runtime.ctx;
  const judged = await createJudgedProject(runtime, llm);
  const { projectId } = judged.project;
  await judged.ok('/v1/rules/integrity', { verifier: 'integrity', filter: { model: 'm' } }, 'PUT');
  await judged.ok('/v1/rules/tasks', { verifier: 'task', filter: { model: waitingModel } }, 'PUT');
  const settled = new Map<string, (at: number) => void>();
  await sql.unsafe(`
    create function bench_verdict() returns trigger language plpgsql as $$
      begin perform pg_notify('bench_verdicts', new.id); return null; end $$;
    create trigger bench_verdicts after insert on verdicts for each row
      when (new.verifier_slug = 'integrity') execute function bench_verdict()`);
  await sql.listen('bench_verdicts', (id) => settled.get(id)?.(performance.now()));
  let worker: Child | null = null;
  return {
    judged,
    async start() {
      worker = await stage.startWorker(url, env);
    },
    async measure(prefix, adds) {
      const took: number[] = [];
      for (let n = 0; n < adds; n++) {
        const turn = plannedTurn(projectId, `${prefix}-${n}`);
        const verdictId = turn.planned.verdicts[0]?.verdictId ?? '';
        const verdict = new Promise<number>((resolve) => settled.set(verdictId, resolve));
        const began = performance.now();
        const [result] = await runtime.writer.write([turn]);
        if (result?.state !== 'inserted')
          throw new Error(`void: a turn was ${JSON.stringify(result)}`);
        took.push((await verdict) - began);
        settled.delete(verdictId);
        // Pauses of varying length, so that adds are not synchronised with the worker.
        await pause(10 + Math.random() * 40);
      }
      return { p50Ms: quantileOf(took, 0.5), p99Ms: quantileOf(took, 0.99) };
    },
    async passAllToSlow() {
      await sql`update work set lane = 'slow', priority = 1, due_at = now()`;
      await sql`vacuum analyze work`;
    },
    async countWaiting() {
      const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from work where lane = 'slow' and owner is null`;
      return row?.n ?? 0;
    },
    async freeze() {
      worker?.signal('SIGSTOP');
      await until('the paused worker has no statement under way', async () => {
        const rows = await sql`
          select 1 from pg_stat_activity where datname = current_database()
          and application_name = 'assay worker' and state = 'active' and wait_event_type is distinct from 'Client'`;
        return rows.length === 0 ? true : null;
      });
    },
    async resume() {
      worker?.signal('SIGCONT');
      for (let calls = 0; calls < warmCalls; calls++) await llm.nextCall();
    },
    async stop() {
      await worker?.stop();
    },
  };
}

/** Stores turns by the API; each waits for a judge by the rule `tasks`. */
async function fillWaiting(side: Side, count: number): Promise<void> {
  for (let from = 0; from < count; from += batch) {
    const turns = Array.from({ length: Math.min(batch, count - from) }, (_, at) => ({
      id: `waiting-${from + at}`,
      model: waitingModel,
      // Each is different, because equal work is answered from the cache of judgements.
      input: `How full is the disk of web-${from + at}?`,
      output: `The disk of web-${from + at} is at 91 %.`,
    }));
    const { body } = await side.judged.call('/v1/turns', { turns });
    if (body.accepted !== turns.length) throw new Error(`void: ${JSON.stringify(body)}`);
  }
  await side.passAllToSlow();
  const waiting = await side.countWaiting();
  if (waiting !== count) throw new Error(`void: ${waiting} of ${count} subjects wait for judges`);
}
