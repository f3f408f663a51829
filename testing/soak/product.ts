import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { root } from '../../scripts/data-dir.mjs';
import { findFreePort } from '../../scripts/postgres.mjs';
import { isAlive } from '../../scripts/processes.mjs';
import { startTestCluster, type TestCluster } from '../../scripts/temporary-cluster.mjs';
import type { Runtime } from '../../server/runtime';
import { createTestRuntime } from '../database';
import { type Faultline, startFaultline } from '../faultline';
import { type Child, startProcess } from '../processes';
import { startRedis, type TestRedis } from '../redis';
import { type ScriptedLlm, startScriptedLlm } from '../scripted-llm';
import { until } from '../until';
import { mountSmallDisk, type SmallDisk } from './disk';

/**
 * A whole installation as `npm start` runs it (web, edge and worker), and a second worker whose
 * clock can be stepped. It uses PostgreSQL behind a relay, Redis and a scripted model provider.
 */
export interface Product {
  readonly webUrl: string;
  readonly edgeUrl: string;
  /** The database's own address, without the relay. */
  readonly databaseUrl: string;
  readonly runtime: Runtime;
  readonly sql: Sql;
  readonly disk: SmallDisk;
  readonly cluster: TestCluster;
  readonly relay: Faultline;
  readonly redis: TestRedis;
  readonly llm: ScriptedLlm;
  readonly variables: Readonly<Record<string, string>>;
  /** The process ids of the running processes. */
  processes(): ReadonlyMap<ProcessName, number>;
  /** Sets the offset of the second worker's clock; null if libfaketime is missing. */
  readonly stepClock: ((seconds: number) => void) | null;
  /** Runs a fault of PostgreSQL, during which its guard does not restart the server. */
  withoutDatabaseGuard(fault: () => Promise<void>): Promise<void>;
  /** All log output so far, by process. */
  logs(): ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

export type ProcessName = 'web' | 'edge' | 'worker' | 'worker 2';

const secret = 'soak-secret-soak-secret-soak-secret-soak';
const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** The child processes of `npm start`, by their command line. */
const commandLines: readonly (readonly [ProcessName, RegExp])[] = [
  ['web', /next/],
  ['edge', /dist\/edge\.js/],
  ['worker', /dist\/worker\.js/],
];

function childrenOf(parent: number): Map<ProcessName, number> {
  const found = new Map<ProcessName, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(ppid) !== parent) continue;
      const line = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const name = commandLines.find(([, pattern]) => pattern.test(line))?.[0];
      if (name !== undefined) found.set(name, Number(entry));
    } catch {
      // The process has exited meanwhile.
    }
  }
  return found;
}

/** Runs `npm start`. Resolves when the instance serves requests. */
async function startInstance(env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      TZ: 'UTC',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    });
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(`npm start exited:\n${output}`);
    return output.includes('Assay runs') ? true : null;
  };
  await until('npm start', isReady, 600_000);
  return child;
}

interface SecondWorker {
  readonly pid: () => number | null;
  readonly output: () => string;
  stop(): Promise<void>;
}

/** Starts a worker, and starts it again whenever it exits. */
async function keepWorker(variables: Readonly<Record<string, string>>): Promise<SecondWorker> {
  let child: Child;
  let output = '';
  let isStopping = false;
  const start = async (): Promise<void> => {
    child = await startProcess('worker', variables);
    void child.exited.then(async () => {
      output += child.output();
      if (!isStopping) await start();
    });
  };
  await start();
  return {
    pid: () => (isAlive(child.pid) ? child.pid : null),
    output: () => output + child.output(),
    async stop() {
      isStopping = true;
      await child.kill();
    },
  };
}

/** Restarts PostgreSQL if it has exited by itself, for example because the disk is full. */
function guardDatabase(cluster: TestCluster): {
  readonly pause: (fault: () => Promise<void>) => Promise<void>;
  readonly stop: () => void;
} {
  let isPaused = false;
  let isStarting = false;
  const timer = setInterval(() => {
    if (isPaused || isStarting || isAlive(cluster.pid())) return;
    isStarting = true;
    void cluster
      .kill()
      .then(() => cluster.start())
      .catch(() => undefined)
      .finally(() => {
        isStarting = false;
      });
  }, 1_000);
  return {
    async pause(fault) {
      isPaused = true;
      try {
        await fault();
      } finally {
        isPaused = false;
      }
    },
    stop: () => clearInterval(timer),
  };
}

/** The variables of the second worker, whose clock reads its offset from a file. */
function withFakeClock(
  variables: Readonly<Record<string, string>>,
  clockFile: string,
): Readonly<Record<string, string>> {
  return {
    ...variables,
    LD_PRELOAD: fakeTime,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
}

function readLog(dataDir: string, name: string): string {
  const file = join(dataDir, 'logs', `${name}.log`);
  return [`${file}.1`, file]
    .filter((each) => existsSync(each))
    .map((each) => readFileSync(each, 'utf8'))
    .join('');
}

/** Starts the servers that the product depends on. */
async function startDependencies() {
  const disk = mountSmallDisk();
  const cluster = await startTestCluster({
    dir: disk.dir,
    fsync: true,
    settings: { max_wal_size: '256MB', min_wal_size: '64MB' },
  });
  const redis = await startRedis();
  if (redis === null) throw new Error('redis-server is missing: install it for the soak');
  const llm = await startScriptedLlm();
  const relay = await startFaultline({ host: '127.0.0.1', port: cluster.port });
  return {
    disk,
    cluster,
    redis,
    llm,
    relay,
    async stop() {
      await Promise.all([relay.close(), llm.close(), redis.stop()]);
      await cluster.stop();
      disk.unmount();
    },
  };
}

export async function startProduct(): Promise<Product> {
  const dependencies = await startDependencies();
  const { cluster, redis, llm, relay } = dependencies;
  const relayUrl = new URL(cluster.url);
  relayUrl.port = String(relay.port);
  const dataDir = mkdtempSync('/tmp/assay-soak-data-');
  const [webPort, edgePort] = [await findFreePort(), await findFreePort()];
  const variables = {
    DATABASE_URL: relayUrl.href,
    REDIS_URL: redis.url,
    ASSAY_SECRET: secret,
    ASSAY_OUTBOUND_ALLOW: new URL(llm.origin).host,
    ASSAY_WEB_PORT: String(webPort),
    ASSAY_EDGE_PORT: String(edgePort),
    ASSAY_WEB_URL: `http://localhost:${webPort}`,
  };
  const instance = await startInstance({ ...variables, ASSAY_DATA_DIR: dataDir });
  const clockFile = join(dataDir, 'clock');
  const setClock = (seconds: number): void =>
    writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  setClock(0);
  const hasFakeTime = existsSync(fakeTime);
  const secondDataDir = join(dataDir, 'second');
  mkdirSync(secondDataDir);
  const secondVariables = { ...variables, ASSAY_DATA_DIR: secondDataDir };
  const secondWorker = await keepWorker(
    hasFakeTime ? withFakeClock(secondVariables, clockFile) : secondVariables,
  );
  const guard = guardDatabase(cluster);
  const runtime = createTestRuntime(cluster.url, {
    ...variables,
    DATABASE_URL: cluster.url,
    ASSAY_QUERY_TIMEOUT_MS: '300000',
  });
  return {
    ...dependencies,
    webUrl: variables.ASSAY_WEB_URL,
    edgeUrl: `http://127.0.0.1:${edgePort}`,
    databaseUrl: cluster.url,
    runtime,
    sql: runtime.ctx.sql,
    variables,
    processes() {
      const found = childrenOf(instance.pid ?? 0);
      const pid = secondWorker.pid();
      if (pid !== null) found.set('worker 2', pid);
      return found;
    },
    stepClock: hasFakeTime ? setClock : null,
    withoutDatabaseGuard: guard.pause,
    logs: () =>
      new Map<string, string>([
        ...(['web', 'edge', 'worker'] as const).map(
          (name) => [name, readLog(dataDir, name)] as const,
        ),
        ['worker 2', secondWorker.output()],
      ]),
    async stop() {
      guard.stop();
      await secondWorker.stop();
      const exited = new Promise((resolve) => instance.once('exit', resolve));
      instance.kill('SIGTERM');
      await exited;
      await runtime.close();
      await dependencies.stop();
    },
  };
}
