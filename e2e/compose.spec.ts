// deploy/compose.yaml without Docker: its start commands and health checks, as they are there,
// against PostgreSQL and Redis of this machine.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../scripts/data-dir.mjs';
import { until } from '../testing/until';
import { ordinaryUser } from '../scripts/ordinary-user.mjs';
import { findFreePort } from '../scripts/postgres.mjs';

const Service = z.object({
  command: z.array(z.string()),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
type Service = z.infer<typeof Service>;

/** What an operator writes into deploy/.env; all else is there as in deploy/env.example. */
const secrets = {
  POSTGRES_PASSWORD: 'ofcompose0123456789',
  ASSAY_SECRET: 'secret-of-the-compose-test-0123456789',
};

function readCompose(): { services: Record<string, Service>; variables: Record<string, string> } {
  const example = readFileSync(join(root, 'deploy', 'env.example'), 'utf8');
  const file = Object.fromEntries(
    [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  const variables: Record<string, string> = { ...file, ...secrets };
  const text = readFileSync(join(root, 'deploy', 'compose.yaml'), 'utf8').replaceAll(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_all, name: string, kind: string | undefined, rest: string) => {
      const value = variables[name] ?? '';
      if (value !== '') return value;
      if (kind === '?')
        throw new Error(
          `deploy/env.example has no ${name}, which deploy/compose.yaml needs: ${rest}`,
        );
      return rest;
    },
  );
  const { services } = z
    .object({ services: z.record(z.string(), Service) })
    .parse(parse(text, { merge: true }));
  return { services, variables };
}

/** Debian's own PostgreSQL, of the newest version that is there. */
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
const running: { name: string; child: ChildProcess; said: () => string }[] = [];
let folder = '';

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-compose-'));
  chmodSync(folder, 0o755);
});

test.afterAll(() => {
  for (const { child } of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The ports of the containers and their names, as they are on this one machine. */
interface Places {
  readonly ports: ReadonlyMap<number, number>;
  readonly hosts: readonly string[];
}

function placed(text: string, { ports, hosts }: Places): string {
  const local = text.replaceAll(
    new RegExp(`(?<=[@/])(${hosts.join('|')})(?=:\\d)`, 'g'),
    '127.0.0.1',
  );
  return [...ports].reduce(
    (done, [inside, here]) =>
      done.replaceAll(new RegExp(`(?<=^|:)${inside}(?=$|/)`, 'g'), String(here)),
    local,
  );
}

test('the services of the compose file start in their order, serve, and stop on request', async () => {
  test.skip(
    bin === null || redis === undefined,
    'needs PostgreSQL and Redis of the system: apt-get install postgresql redis-server',
  );
  test.setTimeout(180_000);
  const { services, variables } = readCompose();
  const [pg, redisPort, web, edge] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const places: Places = {
    hosts: Object.keys(services),
    ports: new Map([
      [5432, pg],
      [6379, redisPort],
      [3000, web],
      [4318, edge],
    ]),
  };
  const user = ordinaryUser();
  const asUser = user === undefined ? {} : { uid: user.uid, gid: user.gid };

  /**
   * The environment of a container: its own variables alone, and the machine's ways to its
   * programs.
   */
  const envOf = (name: string, { environment }: Service): NodeJS.ProcessEnv => ({
    NODE_ENV: 'production',
    PATH: `${bin}:${process.env.PATH}`,
    PGHOST: '127.0.0.1',
    PGPORT: String(pg),
    ...(name === 'postgres' || name === 'redis' ? {} : variables),
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

  /**
   * What the images bring themselves: a cluster with the database and its owner, and where things
   * lie.
   */
  const ofImage: Record<string, () => string[]> = {
    postgres: () => {
      const data = join(folder, 'postgres');
      const password = join(folder, 'password');
      const {
        POSTGRES_USER = '',
        POSTGRES_DB = '',
        POSTGRES_PASSWORD = '',
      } = services.postgres?.environment ?? {};
      mkdirSync(data, { mode: 0o700 });
      writeFileSync(password, POSTGRES_PASSWORD, { mode: 0o600 });
      if (user !== undefined)
        for (const path of [data, password]) chownSync(path, user.uid, user.gid);
      const initdb = [
        '-D',
        data,
        '-U',
        POSTGRES_USER,
        '--pwfile',
        password,
        '--auth=scram-sha-256',
        '--no-sync',
        '-E',
        'UTF8',
        '--locale=C',
      ];
      execFileSync(join(bin ?? '', 'initdb'), initdb, { ...asUser, cwd: '/', stdio: 'pipe' });
      const createdb = `create database ${POSTGRES_DB}\n`;
      execFileSync(join(bin ?? '', 'postgres'), ['--single', '-D', data, 'postgres'], {
        ...asUser,
        cwd: '/',
        input: createdb,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      return [
        '-D',
        data,
        '-p',
        String(pg),
        '-k',
        data,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'fsync=off',
      ];
    },
    redis: () => ['--port', String(redisPort), '--bind', '127.0.0.1', '--dir', folder],
  };

  const programOf = (word: string): string =>
    ({ node: process.execPath, 'redis-server': redis ?? word })[word] ?? word;

  function start(name: string, service: Service): ChildProcess {
    const [program = '', ...args] = service.command;
    const more = ofImage[name]?.() ?? [];
    const child = spawn(programOf(program), [...args, ...more], {
      cwd: name === 'postgres' ? '/' : root,
      env: envOf(name, service),
      ...(name === 'postgres' ? asUser : {}),
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
    running.push({ name, child, said: () => said });
    return child;
  }

  /** The health check of a service, as it is in the file, once. */
  function isHealthy(name: string, service: Service): boolean {
    const [how, program = '', ...args] = service.healthcheck?.test ?? [];
    expect(how).toBe('CMD');
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
  }

  const ended = (name: string): string => running.find((one) => one.name === name)?.said() ?? '';
  const done = new Set<string>();
  async function bring(name: string): Promise<void> {
    const service = services[name];
    if (done.has(name) || service === undefined) return;
    done.add(name);
    for (const [other, { condition }] of Object.entries(service.depends_on)) {
      await bring(other);
      expect(['service_healthy', 'service_completed_successfully']).toContain(condition);
      // What must have come to its end is waited for where it is started, below.
      expect(condition === 'service_completed_successfully').toBe(
        services[other]?.healthcheck === undefined,
      );
    }
    const child = start(name, service);
    if (service.healthcheck === undefined) {
      const [code] = (await once(child, 'exit')) as [number | null];
      expect(code, ended(name)).toBe(0);
      running.splice(
        running.findIndex((one) => one.child === child),
        1,
      );
      return;
    }
    await until(`${name} is healthy`, () => {
      if (child.exitCode !== null)
        throw new Error(`${name} ended with ${child.exitCode}: ${ended(name)}`);
      return isHealthy(name, service) ? true : null;
    });
  }
  for (const name of Object.keys(services)) await bring(name);
  expect([...done].toSorted()).toEqual(['edge', 'migrate', 'postgres', 'redis', 'web', 'worker']);

  const assay = (...args: string[]): string =>
    execFileSync(process.execPath, ['scripts/assay.mjs', ...args], {
      cwd: root,
      env: envOf('web', services.web as Service),
      encoding: 'utf8',
    });
  assay('projects', 'create', 'ops');
  const { key } = z
    .object({ key: z.string() })
    .parse(
      JSON.parse(
        assay('keys', 'create', '--project', 'ops', '--scopes', 'ingest,verify,read', '--json'),
      ),
    );
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${edge}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    return response.json();
  };
  const sources = [
    { id: 'tc1', name: 'disk', result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } },
  ];
  await ask('/v1/turns', {
    turns: [
      {
        id: 't-1',
        model: 'openai/gpt-4o',
        tools: sources,
        output: 'web-1 is at 91.4%, with 21 GiB free.',
      },
    ],
  });
  const Settled = z.object({
    data: z.array(z.object({ outcome: z.string().nullable(), state: z.string() })),
  });
  const settled = await until('the verdict of the turn', async () => {
    const { data } = Settled.parse(await ask('/v1/verifications?turn_id=t-1'));
    return data.length > 0 && data[0]?.state === 'settled' ? data : null;
  });
  expect(settled).toMatchObject([{ outcome: 'failed' }]);

  // Work for a judge reaches workers by jobs in Redis; without a provider it ends
  // as inconclusive, by a worker.
  const asked = z.object({ id: z.string() }).parse(
    await ask('/v1/verify/task', {
      task_description: 'Say how full web-1 is',
      task_output: 'Rather full.',
      success_criteria: ['Names a share'],
      cost_usd: 1,
      mode: 'async',
    }),
  );
  await until('the verdict of the task', async () => {
    const { outcome } = z
      .object({ outcome: z.string().nullable() })
      .parse(await ask(`/v1/verifications/${asked.id}`));
    return outcome === 'inconclusive' ? true : null;
  });
  const keys = execFileSync('redis-cli', ['-p', String(redisPort), '--scan'], { encoding: 'utf8' });
  expect(keys).toMatch(/judge/);

  // The link that makes the first owner, as deploy/compose.yaml says to get it.
  const link = /http:\S+claim\?token=\S+/.exec(assay('owner-link'))?.[0] ?? '';
  expect(link).toContain(`http://localhost:${web}/`);
  const signIn = await fetch(`http://localhost:${web}/sign-in`);
  expect(signIn.status).toBe(200);
  expect(await signIn.text()).toContain('Sign in');

  // The last to start is the first to stop.
  for (const { name, child, said } of running.splice(0).toReversed()) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const [code, signal] = (await exit) as [number | null, string | null];
    expect({ name, code, signal }, said()).toEqual({ name, code: 0, signal: null });
  }
});
