import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { checkSchema, type Client, findRlsStatus, openClient } from '../db';
import { createKeyCheck, createSessions, type KeyCheck, type UserSessions } from './access';
import {
  classifyStorageError,
  createLog,
  type Ctx,
  environment,
  newSecret,
  outboundPolicy,
  readEnv,
  systemClock,
} from './platform';
import { budgetOfRun } from './experiments';
import {
  type AskDeps,
  createAsk,
  createEndpoints,
  createModelConnections,
  createProviderBook,
  type ModelConnections,
} from './llm';
import { type Admission, createAdmission, createPool, type Pool, type ThreadBudget } from './pool';
import { type PromptDefaults, readPromptDefaults } from './prompts';
import { findLabelledExamples } from './measures';
import { createMaskBook, type MaskBook } from './masking';
import { createRuleBook, type RuleBook } from './rules';
import {
  createSegmentWriter,
  createTurnWriter,
  type SegmentWriter,
  type TurnWriter,
} from './ingest';
import { createLiveVerdicts, type LiveVerdicts, loadMasking, type SubjectDeps } from './verdicts';
import { kinds } from './verifiers';

/** The dependencies of one process, created once from its environment. */
export interface Runtime {
  readonly ctx: Ctx;
  readonly keys: KeyCheck;
  readonly writer: TurnWriter;
  readonly segments: SegmentWriter;
  /** Decides which verifications a turn gets. */
  readonly rules: RuleBook;
  /** The masking rules for the input of projects. */
  readonly masks: MaskBook;
  /** The prompts of this release. */
  readonly prompts: PromptDefaults;
  /** Dependencies for verifying subjects other than turns. */
  readonly subjects: SubjectDeps;
  /** For calls of models whose answers are streamed. */
  readonly connections: ModelConnections;
  /** Shared by all model calls. */
  readonly asking: AskDeps;
  readonly sessions: UserSessions;
  readonly live: LiveVerdicts;
  /** Identifies this process as an owner of leases. */
  readonly owner: string;
  readonly admission: Admission;
  /**
   * Threads for work whose size a caller controls; null if this process has none, as when
   * tests run from the sources.
   */
  readonly pool: Pool | null;
  /** Fires when the process receives a stop signal: open streams then end. */
  readonly stopping: AbortController;
  close(): Promise<void>;
}

/**
 * Each loop and open stream of the process listens to its signal: many listeners are not a leak.
 */
function createStopping(): AbortController {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  return stopping;
}

/**
 * @throws Error in one sentence if a variable is missing or invalid, or a prompt of this release is
 * invalid
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
  // Intake has separate connections, which are closed when they stay silent: a lost answer to a
  // commit causes a 503 and not a hang.
  const intake: Client = openClient(env, {
    name: `${process_} intake`,
    max: 4,
    silenceMs: env.queryTimeoutMs,
  });
  const ctx: Ctx = { sql: main.sql, db: main.db, clock, log, env };
  const intakeCtx: Ctx = { ...ctx, sql: intake.sql, db: intake.db };
  const prompts = readPromptDefaults();
  const masks = createMaskBook(ctx, (id) => loadMasking(ctx, id));
  const connections = createModelConnections(outboundPolicy(env));
  const asking = {
    endpoints: createEndpoints(ctx),
    connections,
    providers: createProviderBook(ctx),
  };
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
    masks,
    prompts,
    subjects: {
      prompts,
      kinds,
      askFor: (target) => createAsk(ctx, asking, target),
      gates: null,
      findExamples: findLabelledExamples,
      budgetOf: budgetOfRun,
    },
    connections,
    asking,
    sessions: createSessions(ctx, env.secret ?? newSecret()),
    live: createLiveVerdicts(ctx),
    owner,
    admission: createAdmission(),
    pool,
    stopping: createStopping(),
    async close() {
      await pool?.close();
      await connections.close();
      await masks.close();
      await Promise.allSettled([main.close(), intake.close()]);
    },
  };
}

/** Start data of a pool thread. */
export interface ThreadStart {
  /** As in nice(1). */
  readonly niceness: number;
  readonly memory: SharedArrayBuffer;
  /** Name of its process, for logs and connections. */
  readonly name: string;
  /** Lease owner, which is its process. */
  readonly owner: string;
}

/**
 * Lower priority than the thread that answers requests. A worker's main thread answers none, and
 * callers wait for the verdicts of its pool.
 */
const nicenessOf = (process_: string): number => (process_ === 'worker' ? 0 : 10);

/**
 * In MiB. Enough for the largest accepted body, parsed, and a verdict's working memory; a small
 * young generation, since there are several threads.
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

/** The dependencies of a pool thread: separate connections, and no models, sessions or keys. */
export type ThreadRuntime = Pick<
  Runtime,
  'ctx' | 'writer' | 'segments' | 'rules' | 'masks' | 'prompts' | 'subjects' | 'owner' | 'admission'
>;

/**
 * Connections of a thread in each of its two pools: it runs one task at a time, but a commit may
 * overlap with the next task.
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
    throw new Error('a pool thread cannot call a model');
  };
  return {
    ctx,
    writer: createTurnWriter(intakeCtx),
    segments: createSegmentWriter(intakeCtx),
    rules: createRuleBook(ctx),
    masks: createMaskBook(ctx, (id) => loadMasking(ctx, id)),
    prompts,
    subjects: {
      prompts,
      kinds,
      askFor: noModels,
      gates: null,
      findExamples: findLabelledExamples,
    },
    owner,
    admission: createAdmission(),
  };
}

/**
 * Logs whether row-level security applies to this process's tenant queries (S-3), and how to enable
 * it. Never throws.
 */
export async function logRowSecurity(ctx: Ctx): Promise<void> {
  try {
    const net = await findRlsStatus(ctx.sql);
    if (net.on) ctx.log.info('row-level security is enabled');
    else ctx.log.warn({ reason: net.reason }, `row-level security is NOT enabled: ${net.advice}`);
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not determine whether row-level security is enabled');
  }
}

const SCHEMA_AGAIN_MS = 1000;

/**
 * Resolves once PostgreSQL answers and the schema is this release's, or the process stops: a
 * process may start before its database. Until then, the log reports `meanwhile`.
 * @throws Error if the schema is another release's, which waiting cannot fix
 */
export async function waitForSchema(
  { ctx: { sql, log }, stopping: { signal } }: Pick<Runtime, 'ctx' | 'stopping'>,
  meanwhile: string,
): Promise<void> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      return await checkSchema(sql);
    } catch (error) {
      if (classifyStorageError(error) === 'unknown') throw error;
      if (tries === 0) log.warn({ err: error }, `PostgreSQL is unavailable: ${meanwhile}`);
      await delay(SCHEMA_AGAIN_MS);
    }
  }
}

export { checkSchema };
