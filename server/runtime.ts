import { hostname } from 'node:os';
import { Worker } from 'node:worker_threads';
import { checkSchema, type Client, findNet, openClient } from '../db';
import { createKeyCheck, createSessions, type KeyCheck, type Sessions } from './access';
import { createLog, type Ctx, environment, newSecret, readEnv, systemClock } from './platform';
import { createAsk, createEndpoints } from './llm';
import { type Admission, createAdmission, createPool, type Pool, type ThreadBudget } from './pool';
import { type PromptDefaults, readPromptDefaults } from './prompts';
import { createRuleBook, type RuleBook } from './rules';
import {
  createSegmentWriter,
  createTurnWriter,
  type SegmentWriter,
  type TurnWriter,
} from './ingest';
import { createLiveVerdicts, type LiveVerdicts, type SubjectDeps } from './verdicts';
import { subjectKinds } from './verifiers';

/** What one process stands on, made once from its environment. */
export interface Runtime {
  readonly ctx: Ctx;
  readonly keys: KeyCheck;
  readonly writer: TurnWriter;
  readonly segments: SegmentWriter;
  /** What turns are owed. */
  readonly rules: RuleBook;
  /** The prompts of this release. */
  readonly prompts: PromptDefaults;
  /** What verifying subjects other than turns takes. */
  readonly subjects: SubjectDeps;
  readonly sessions: Sessions;
  readonly live: LiveVerdicts;
  /** This process, as holder of leases. */
  readonly owner: string;
  readonly admission: Admission;
  /**
   * Threads for what a caller sizes; null where this process has none, as where tests run
   * the sources.
   */
  readonly pool: Pool | null;
  /** Fires when the process is asked to stop: open streams end. */
  readonly stopping: AbortController;
  close(): Promise<void>;
}

/**
 * @throws Error in one sentence when a variable is missing or wrong, or a prompt of this release is
 * broken
 */
export function createRuntime(
  process_: 'web' | 'edge' | 'worker' | 'admin',
  threadFile: string | null = null,
  variables = environment,
): Runtime {
  const env = readEnv(variables);
  const log = createLog(process_, env.logLevel);
  const clock = systemClock;
  const main: Client = openClient(env, { name: process_ });
  // Intake has connections of its own, cut when they fall silent: a lost answer to a commit is a
  // 503 and not a hang.
  const intake: Client = openClient(env, {
    name: `${process_} intake`,
    max: 4,
    silenceMs: env.queryTimeoutMs,
  });
  const ctx: Ctx = { sql: main.sql, db: main.db, clock, log, env };
  const intakeCtx: Ctx = { ...ctx, sql: intake.sql, db: intake.db };
  const prompts = readPromptDefaults();
  const endpoints = createEndpoints(ctx);
  const owner = `${process_} ${hostname()}-${process.pid}-${newSecret(4)}`;
  const pool =
    threadFile === null
      ? null
      : openPool(ctx, threadFile, { name: process_, owner, niceness: nicenessOf(process_) });
  return {
    ctx,
    keys: createKeyCheck(ctx),
    writer: createTurnWriter(intakeCtx),
    segments: createSegmentWriter(intakeCtx),
    rules: createRuleBook(ctx),
    prompts,
    subjects: {
      prompts,
      kinds: subjectKinds,
      askFor: (target) => createAsk(ctx, endpoints, target),
      gates: null,
    },
    sessions: createSessions(ctx, env.secret ?? newSecret()),
    live: createLiveVerdicts(ctx),
    owner,
    admission: createAdmission(),
    pool,
    stopping: new AbortController(),
    async close() {
      await pool?.close();
      await Promise.allSettled([main.close(), intake.close()]);
    },
  };
}

/** What a thread of the pool is started with. */
export interface ThreadStart {
  /** As nice(1) has it. */
  readonly niceness: number;
  readonly memory: SharedArrayBuffer;
  /** Of its process, for logs and connections. */
  readonly name: string;
  /** Its process, as holder of leases. */
  readonly owner: string;
}

/**
 * Below the thread that answers everyone; a worker's own thread answers no one, and its verdicts
 * are waited for.
 */
const nicenessOf = (process_: string): number => (process_ === 'worker' ? 0 : 10);

/**
 * MiB. The largest accepted body, parsed, and what a verdict makes of it; a small young generation,
 * for there are several threads.
 */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 16 };

function openPool(ctx: Ctx, file: string, start: Omit<ThreadStart, 'memory'>): Pool {
  return createPool(ctx, {
    budgetMs: ctx.env.requestBudgetMs,
    start: (memory) =>
      new Worker(file, {
        workerData: { memory, ...start } satisfies ThreadStart,
        resourceLimits: THREAD_LIMITS,
      }),
  });
}

/** What a thread of the pool stands on: connections of its own, and no models, sessions or keys. */
export type ThreadRuntime = Pick<
  Runtime,
  'ctx' | 'writer' | 'segments' | 'rules' | 'prompts' | 'subjects' | 'owner' | 'admission'
>;

/**
 * Connections of one thread for each of its two pools: it does one task at a time, a commit may run
 * next to another.
 */
const THREAD_CONNECTIONS = 2;

export function createThreadRuntime(
  { name, owner }: ThreadStart,
  budget: ThreadBudget,
  variables = environment,
): ThreadRuntime {
  const env = readEnv(variables);
  const main = openClient(env, { name: `${name} thread`, max: THREAD_CONNECTIONS });
  const intake = openClient(env, {
    name: `${name} thread intake`,
    max: THREAD_CONNECTIONS,
    silenceMs: env.queryTimeoutMs,
  });
  const ctx: Ctx = {
    sql: main.sql,
    db: main.db,
    clock: systemClock,
    log: createLog(name, env.logLevel),
    env,
    budget,
  };
  const intakeCtx: Ctx = { ...ctx, sql: intake.sql, db: intake.db };
  const prompts = readPromptDefaults();
  const noModels = (): never => {
    throw new Error('a thread of the pool asks no model');
  };
  return {
    ctx,
    writer: createTurnWriter(intakeCtx),
    segments: createSegmentWriter(intakeCtx),
    rules: createRuleBook(ctx),
    prompts,
    subjects: { prompts, kinds: subjectKinds, askFor: noModels, gates: null },
    owner,
    admission: createAdmission(),
  };
}

/**
 * Says in the log whether row-level security is under this process's tenant queries (S-3), and how
 * to get it. Never throws.
 */
export async function tellNet(ctx: Ctx): Promise<void> {
  try {
    const net = await findNet(ctx.sql);
    if (net.on) ctx.log.info('row-level security is under the tables');
    else
      ctx.log.warn(
        { reason: net.reason },
        `row-level security is NOT under the tables: ${net.advice}`,
      );
  } catch (error) {
    ctx.log.warn({ err: error }, 'not known yet whether row-level security is under the tables');
  }
}

export { checkSchema };
