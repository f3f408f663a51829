import { listCalledOrigins } from '../llm';
import type { Ctx } from '../platform';
import { type BoxState, createBoxMonitor } from '../sandbox';
import { checkClock, checkMigrations, checkServer } from './check-database';
import { checkDisk } from './check-disk';
import { checkMail, checkProviders } from './check-outbound';
import { checkAudit } from './check-audit';
import { checkQueue } from './check-queue';
import { checkWork } from './check-work';
import { type Diagnosis, failed, messageOf, ok } from './diagnosis';

export type { Diagnosis } from './diagnosis';

export interface DiagnoseOptions {
  /** Throws if the database has not the schema of this release. */
  readonly checkSchema: (sql: Ctx['sql']) => Promise<void>;
  /** Tests the sandbox of this machine. */
  readonly checkBox?: () => Promise<BoxState>;
}

/**
 * Checks an installation from this process: versions, database, clocks, queue, workers, sandbox,
 * disk, and the addresses that it calls. Changes nothing, and never throws. Checks that need a
 * database are omitted if there is none.
 */
export async function diagnose(
  ctx: Ctx,
  { checkSchema, checkBox = testBox }: DiagnoseOptions,
): Promise<readonly Diagnosis[]> {
  const { env } = ctx;
  const machine = [ok('node', `Node ${process.versions.node}`), ...(await checkDisk(env.dataDir))];
  const others = Promise.all([checkQueue(env.redisUrl), checkMail(ctx)]);
  const stored = await checkStored(ctx, { checkSchema, checkBox });
  return [...machine, ...stored, ...(await others)];
}

async function checkStored(
  ctx: Ctx,
  { checkSchema, checkBox }: Required<DiagnoseOptions>,
): Promise<readonly Diagnosis[]> {
  let found: readonly Diagnosis[];
  try {
    found = [...(await checkServer(ctx)), await checkClock(ctx)];
  } catch (error) {
    const fix = 'Check DATABASE_URL, and that PostgreSQL runs and takes connections from here.';
    return [failed('database', `it cannot be used: ${messageOf(error)}`, fix)];
  }
  const schema = await checkMigrations(ctx, checkSchema);
  if (schema.state !== 'ok') return [...found, schema];
  const origins = await listCalledOrigins(ctx);
  const [work, outbound, audit] = await Promise.all([
    checkWork(ctx, checkBox),
    checkProviders(ctx, origins),
    checkAudit(ctx),
  ]);
  return [...found, schema, ...work, ...outbound, ...audit];
}

async function testBox(): Promise<BoxState> {
  const monitor = createBoxMonitor();
  try {
    return await monitor.check();
  } finally {
    monitor.stop();
  }
}
