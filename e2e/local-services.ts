// The services of a deployment without containers: their start commands and health checks, against
// PostgreSQL and Redis of this machine.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { root } from '../scripts/data-dir.mjs';
import { ordinaryUser } from '../scripts/ordinary-user.mjs';
import { findFreePort } from '../scripts/postgres.mjs';
import { until } from '../testing/until';

export interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Services that must be healthy, or have exited with 0, before this one starts. */
  readonly needs: readonly string[];
  /**
   * Commands that all exit with 0 if the service is healthy; without commands, it runs once and
   * exits.
   */
  readonly checks: readonly (readonly string[])[];
}

/** Debian's own PostgreSQL, the newest installed version. */
function findPostgres(): string | null {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base)
    ? readdirSync(base).toSorted((a, b) => Number(b) - Number(a))
    : [];
  return (
    versions
      .map((version) => join(base, version, 'bin'))
      .find((bin) => existsSync(join(bin, 'postgres'))) ?? null
  );
}

const bin = findPostgres();
const redis = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((path) =>
  existsSync(path),
);

/** Null if PostgreSQL and Redis of the system are installed. */
export const missing: string | null =
  bin === null || redis === undefined
    ? 'needs PostgreSQL and Redis of the system: apt-get install postgresql redis-server'
    : null;

/** The ports of the containers and their hosts on this machine. */
interface Places {
  readonly ports: ReadonlyMap<number, number>;
  readonly hosts: readonly string[];
}

function placed(text: string, { ports, hosts }: Places): string {
  const local = text.replaceAll(
    new RegExp(`(?<=[@/])(${hosts.join('|').replaceAll('.', '\\.')})(?=:\\d)`, 'g'),
    '127.0.0.1',
  );
  return [...ports].reduce(
    (done, [inside, here]) =>
      done.replaceAll(new RegExp(`(?<=^|:)${inside}(?=$|/)`, 'g'), String(here)),
    local,
  );
}

const user = ordinaryUser();
const asUser = user === undefined ? {} : { uid: user.uid, gid: user.gid };

/**
 * The setup that the PostgreSQL image does itself: a cluster with the database and its owner.
 * @returns further arguments of the server
 */
function makeCluster(
  folder: string,
  port: number,
  environment: Service['environment'],
): readonly string[] {
  const data = join(folder, 'postgres');
  const password = join(folder, 'password');
  const { POSTGRES_USER = '', POSTGRES_DB = '', POSTGRES_PASSWORD = '' } = environment;
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(password, POSTGRES_PASSWORD, { mode: 0o600 });
  if (user !== undefined) for (const path of [data, password]) chownSync(path, user.uid, user.gid);
  const options = ['--auth=scram-sha-256', '--no-sync', '-E', 'UTF8', '--locale=C'];
  execFileSync(
    join(bin ?? '', 'initdb'),
    ['-D', data, '-U', POSTGRES_USER, '--pwfile', password, ...options],
    { ...asUser, cwd: '/', stdio: 'pipe' },
  );
  execFileSync(join(bin ?? '', 'postgres'), ['--single', '-D', data, 'postgres'], {
    ...asUser,
    cwd: '/',
    input: `create database ${POSTGRES_DB}\n`,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
  return ['-D', data, '-p', String(port), '-k', data, ...settings];
}

/** The services on this machine. */
export interface LocalServices {
  readonly ports: { readonly redis: number; readonly web: number; readonly edge: number };
  /** Starts them in their order, until all are healthy. @returns their names */
  readonly start: () => Promise<readonly string[]>;
  /** Runs a command of `assay` with the environment of `web`. */
  readonly assay: (...args: string[]) => string;
  /** Stops them in reverse order. Each must exit with 0. */
  readonly stop: () => Promise<void>;
  /** Kills the remaining processes, and removes the data. */
  readonly remove: () => void;
}

/**
 * @param services `postgres`, `redis` and `web` are among them
 * @param hosts the names of their machines in addresses
 */
export async function createLocalServices(
  services: Readonly<Record<string, Service>>,
  hosts: readonly string[],
): Promise<LocalServices> {
  const { web: consoleService } = services;
  if (consoleService === undefined) throw new Error('no service is named web');
  const folder = mkdtempSync(join(tmpdir(), 'assay-services-'));
  chmodSync(folder, 0o755);
  const [pg, redisPort, web, edge] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const places: Places = {
    hosts,
    ports: new Map([
      [5432, pg],
      [6379, redisPort],
      [3000, web],
      [4318, edge],
    ]),
  };
  const running: { name: string; child: ChildProcess; output: () => string }[] = [];

  /** The variables of a container, and the machine's paths to its programs. */
  const envOf = (name: string, { environment }: Service): NodeJS.ProcessEnv => ({
    NODE_ENV: 'production',
    PATH: `${bin}:${process.env.PATH}`,
    PGHOST: '127.0.0.1',
    PGPORT: String(pg),
    ...Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [key, placed(value, places)]),
    ),
    ...(environment.ASSAY_HOST === undefined
      ? {}
      : { ASSAY_HOST: '127.0.0.1', ASSAY_DATA_DIR: join(folder, name) }),
    // Derived from the public address, which the test changes together with the port.
    ...(environment.ASSAY_WEB_URL === undefined
      ? {}
      : { ASSAY_WEB_URL: `http://localhost:${web}` }),
  });

  const programOf = (word: string): string =>
    ({ node: process.execPath, 'redis-server': redis ?? word })[word] ?? word;

  function argumentsOfImage(name: string, { environment }: Service): readonly string[] {
    if (name === 'postgres') return makeCluster(folder, pg, environment);
    if (name === 'redis')
      return ['--port', String(redisPort), '--bind', '127.0.0.1', '--dir', folder];
    return [];
  }

  function spawnService(name: string, service: Service): ChildProcess {
    const [program = '', ...args] = service.command;
    const more = argumentsOfImage(name, service);
    const child = spawn(programOf(program), [...args, ...more], {
      cwd: name === 'postgres' ? '/' : root,
      env: envOf(name, service),
      ...(name === 'postgres' ? asUser : {}),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
    running.push({ name, child, output: () => output });
    return child;
  }

  /** Runs the checks of a service from the file once. */
  const isHealthy = (name: string, service: Service): boolean =>
    service.checks.every(([program = '', ...args]) => {
      const port = program === 'redis-cli' ? ['-p', String(redisPort)] : [];
      try {
        execFileSync(programOf(program), [...port, ...args.map((arg) => placed(arg, places))], {
          cwd: root,
          env: envOf(name, service),
          stdio: 'pipe',
          timeout: 10_000,
        });
        return true;
      } catch {
        return false;
      }
    });

  const outputOf = (child: ChildProcess): string =>
    running.find((one) => one.child === child)?.output() ?? '';
  const done = new Set<string>();

  async function bring(name: string): Promise<void> {
    const service = services[name];
    if (done.has(name) || service === undefined) return;
    done.add(name);
    for (const other of service.needs) await bring(other);
    const child = spawnService(name, service);
    if (service.checks.length === 0) {
      const [code] = (await once(child, 'exit')) as [number | null];
      expect(code, outputOf(child)).toBe(0);
      running.splice(
        running.findIndex((one) => one.child === child),
        1,
      );
      return;
    }
    await until(`${name} is healthy`, () => {
      if (child.exitCode !== null)
        throw new Error(`${name} ended with ${child.exitCode}: ${outputOf(child)}`);
      return isHealthy(name, service) ? true : null;
    });
  }

  return {
    ports: { redis: redisPort, web, edge },
    start: async () => {
      for (const name of Object.keys(services)) await bring(name);
      return [...done].toSorted();
    },
    assay: (...args) =>
      execFileSync(process.execPath, ['scripts/assay.mjs', ...args], {
        cwd: root,
        env: envOf('web', consoleService),
        encoding: 'utf8',
      }),
    stop: async () => {
      for (const { name, child, output } of running.splice(0).toReversed()) {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        const [code, signal] = (await exit) as [number | null, string | null];
        expect({ name, code, signal }, output()).toEqual({ name, code: 0, signal: null });
      }
    },
    remove: () => {
      for (const { child } of running) child.kill('SIGKILL');
      // A killed process may still write for a moment.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
