import { setTimeout as pause } from 'node:timers/promises';
import type { Ctx } from '../server/platform';
import { type ClaimedWork, claimSlowWork, handle, judgeJob, type JudgeJobData, listenForSlowWork } from '../server/queue';
import { createHeldWork, type HeldWork } from './held-work';
import { createBell } from './lane';
import { createPublisher } from './publisher';

export interface SlowLaneOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
  /**
   * Takes one row to its end: settles it, parks it (`parkWork`), or gives it back (`failWork`, `returnWork`). What it throws fails the
   * attempt. It should end soon after its signal fires, and is not waited for.
   */
  readonly verify: (work: ClaimedWork, signal: AbortSignal) => Promise<void>;
  /** So many rows at once; `judgesAtOnce` unless a test says otherwise. */
  readonly concurrency?: number;
  /** A job that nobody has taken up for so long is published again. */
  readonly staleMs?: number;
  /** When it stops it waits so long for what it has in hand, and gives the rest back. */
  readonly graceMs?: number;
}

/** Without a wake-up it looks by itself so often: rows that fall due later, leases that end, jobs that were lost. */
const pollMs = 1_000;
/** Between two looks; what comes meanwhile is published together. */
const gapMs = 20;
const afterFaultMs = 500;
const staleMs = 5_000;
/** Less than a worker process has for its end. */
const graceMs = 5_000;

/**
 * The slow lane: publishes a job for every row that waits for a model, takes jobs up again, claims the row that each names, and runs
 * `verify` on it; until `signal` ends it. Rows, leases and fences in PostgreSQL decide; the queue only says what might be due, so
 * whatever becomes of it is a delay.
 */
export async function runSlowLane(ctx: Ctx, options: SlowLaneOptions): Promise<void> {
  const { owner, signal } = options;
  const concurrency = options.concurrency ?? ctx.env.judgesAtOnce;
  const bell = createBell();
  signal.addEventListener('abort', bell.ring);
  const listening = await listenForSlowWork(ctx, bell.ring).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'no wake-ups for the slow lane: looking every second');
    return null;
  });
  const held = createHeldWork(ctx, owner);
  const judge = createJudge(ctx, options, held, bell.ring);
  const publisher = createPublisher(ctx, {
    concurrency,
    staleMs: options.staleMs ?? staleMs,
    handlers: new Map([handle(judgeJob, judge)]),
    idle: () => held.size() < concurrency,
    onReturn: bell.ring,
  });
  while (!signal.aborted) {
    try {
      await held.beat();
      if ((await publisher.look()) === 'more') bell.ring();
      await pause(gapMs, undefined, { signal }).catch(() => undefined);
    } catch (error) {
      ctx.log.warn({ err: error }, 'slow lane: storage fault');
      await pause(afterFaultMs, undefined, { signal }).catch(() => undefined);
    }
    if (!signal.aborted) await bell.wait(pollMs);
  }
  await publisher.pause();
  await held.emptied(options.graceMs ?? graceMs);
  await held.stop();
  await publisher.close();
  await listening?.unlisten().catch(() => undefined);
}

/** What does a job: claims its row, if it is still due, and verifies it. */
function createJudge(ctx: Ctx, options: SlowLaneOptions, held: HeldWork, onClaimed: () => void): (data: JudgeJobData) => Promise<void> {
  // A row that kills its worker takes few others with it, and those that were lost with it before do not all die again.
  const lostOnce = createTurnstile(4);
  const lostTwice = createTurnstile(1);
  const run = async (data: JudgeJobData): Promise<void> => {
    if (options.signal.aborted) return;
    const work = await claimSlowWork(ctx, { owner: options.owner, projectId: data.project_id, id: data.work_id });
    onClaimed();
    if (work !== null) await held.run(work, judgeJob.timeoutMs, (signal) => options.verify(work, signal));
  };
  return (data) => {
    if (data.priority < 2) return run(data);
    return (data.priority === 2 ? lostOnce : lostTwice)(() => run(data));
  };
}

/** Lets so many through at a time, in the order in which they came. */
function createTurnstile(size: number): (run: () => Promise<void>) => Promise<void> {
  let free = size;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
