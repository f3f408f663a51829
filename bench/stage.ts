import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Sql } from 'postgres';
import { migrateDatabase } from '../db';
import { createTestProject, createTestRuntime } from '../testing/database';
import { root } from '../scripts/data-dir.mjs';
import { bundleOptions } from '../scripts/bundle-options.mjs';
import { edgeFlags, workerFlags } from '../scripts/node-flags.mjs';
import { findFreePort } from '../scripts/postgres.mjs';
import { startTestCluster, type TestCluster } from '../scripts/temporary-cluster.mjs';
import { createKey, type ProjectCtx } from '../server/access';
import type { Runtime } from '../server/runtime';
import { type Child, startChild } from './child';
import { treeCpuSeconds } from './cpu';

/**
 * Shared resources of the rows of an area: a separate durable cluster, a database with a project
 * and its key, and the product's processes.
 */
export interface Stage {
  readonly runtime: Runtime;
  readonly sql: Sql;
  readonly project: ProjectCtx;
  readonly key: string;
  /** A folder that the PostgreSQL server may read and write. */
  readonly folder: string;
  /** Processor seconds of the postmaster and all its processes so far. */
  postgresCpu(): number;
  startEdge(env?: Readonly<Record<string, string>>): Promise<Child>;
  /** An edge that rows share, warm after the first one. */
  edge(): Promise<Child>;
  startWorker(databaseUrl?: string, env?: Readonly<Record<string, string>>): Promise<Child>;
  /** Another migrated database in the cluster, with a project. */
  openDatabase(
    name: string,
  ): Promise<{ readonly url: string; readonly runtime: Runtime; readonly project: ProjectCtx }>;
  /** Registers a callback for the end of the stage; the last one runs first. */
  onClose(undo: () => unknown): void;
  close(): Promise<void>;
}

const secret = 'bench-secret-bench-secret-bench-secret';

/** Checks that fsync and synchronous_commit are on, as everywhere outside of tests. */
export async function openStage(): Promise<Stage> {
  const undos: (() => unknown)[] = [];
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) await undo();
    })();
    return closing;
  };
  closeOnSignals(close);
  try {
    const cluster = await startTestCluster({
      fsync: true,
      settings: { shared_buffers: '512MB', max_wal_size: '4GB' },
    });
    undos.push(() => cluster.stop());
    const folder = join(cluster.dataDir, 'bench');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    await requireDurability(cluster);
    const database = await openDatabase(cluster.url, undos);
    const { key } = await createKey(database.project, {
      name: 'bench',
      scopes: ['ingest', 'read'],
    });
    const bundles = await bundleProduct(undos);
    const start = async (
      file: string,
      databaseUrl: string,
      env: Readonly<Record<string, string>> = {},
    ): Promise<Child> => {
      const child = await startChild(file, {
        execArgv: file === bundles.edge ? edgeFlags : workerFlags,
        env: { DATABASE_URL: databaseUrl, ASSAY_SECRET: secret, ASSAY_LOG_LEVEL: 'warn', ...env },
      });
      undos.push(() => child.stop());
      return child;
    };
    const startEdge = async (env: Readonly<Record<string, string>> = {}): Promise<Child> => {
      const port = await findFreePort();
      return {
        ...(await start(bundles.edge, cluster.url, { ASSAY_EDGE_PORT: String(port), ...env })),
        port,
      };
    };
    let shared: Promise<Child> | null = null;
    return {
      ...database,
      sql: database.runtime.ctx.sql,
      key,
      folder,
      postgresCpu: () => treeCpuSeconds(cluster.pid()),
      startEdge,
      edge() {
        shared ??= startEdge();
        return shared;
      },
      startWorker: (databaseUrl = cluster.url, env = {}) => start(bundles.worker, databaseUrl, env),
      async openDatabase(name) {
        await database.runtime.ctx.sql.unsafe(`create database ${name}`);
        const url = new URL(cluster.url);
        url.pathname = `/${name}`;
        return { url: url.href, ...(await openDatabase(url.href, undos)) };
      },
      onClose: (undo) => void undos.push(undo),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openDatabase(
  url: string,
  undos: (() => unknown)[],
): Promise<{ runtime: Runtime; project: ProjectCtx }> {
  await migrateDatabase(url);
  const runtime = createTestRuntime(url, { ASSAY_QUERY_TIMEOUT_MS: '300000' });
  undos.push(() => runtime.close());
  return { runtime, project: await createTestProject(runtime) };
}

/** A figure is meaningless for a server that may lose acknowledged data. */
async function requireDurability(cluster: TestCluster): Promise<void> {
  const runtime = createTestRuntime(cluster.url);
  try {
    const rows = await runtime.ctx.sql<{ name: string; setting: string }[]>`
      select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting <> 'on'`;
    if (rows.length > 0) throw new Error(`${rows.map(({ name }) => name).join(', ')} must be on`);
  } finally {
    await runtime.close();
  }
}

const threads = ['gateway-thread', 'thread', 'background-thread'];

/**
 * Bundles as scripts/build.mjs does for production, into `dist/`, from which the migrations are
 * found.
 */
async function bundleProduct(
  undos: (() => unknown)[],
): Promise<{ readonly edge: string; readonly worker: string }> {
  const outfile = (name: string): string => join(root, 'dist', `bench-${name}-${process.pid}.js`);
  const bundles = { edge: outfile('edge'), worker: outfile('worker') };
  undos.push(() => {
    for (const file of [...Object.values(bundles), ...threads.map(outfile)])
      rmSync(file, { force: true });
  });
  await build({
    absWorkingDir: root,
    entryPoints: {
      [`bench-edge-${process.pid}`]: 'server/edge.ts',
      [`bench-gateway-thread-${process.pid}`]: 'server/gateway/serve-thread.ts',
      [`bench-thread-${process.pid}`]: 'server/thread.ts',
      [`bench-background-thread-${process.pid}`]: 'workers/background-thread.ts',
      [`bench-worker-${process.pid}`]: 'workers/main.ts',
    },
    outdir: 'dist',
    ...bundleOptions,
  });
  return bundles;
}

/** Closes the stage before a stopped bench exits. */
function closeOnSignals(close: () => Promise<void>): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      void close().finally(() => process.exit(130));
    });
  }
}
