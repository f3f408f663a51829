import { spawn } from 'node:child_process';
import {
  existsSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasInstallation, root, takeInstance } from './data-dir.mjs';
import { findFreePort } from './postgres.mjs';
import { run } from './processes.mjs';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync('/tmp/assay-start-');
  chmodSync(dir, 0o711);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a script of this folder to its end, on its own data and ports. */
async function start(
  env: Record<string, string> = {},
  args: string[] = [],
  script = join(root, 'scripts', 'start.mjs'),
): Promise<Outcome> {
  const ports = {
    ASSAY_WEB_PORT: String(await findFreePort()),
    ASSAY_EDGE_PORT: String(await findFreePort()),
  };
  const child = spawn(process.execPath, [...args, script], {
    env: { ...process.env, ASSAY_DATA_DIR: join(dir, 'data'), ...ports, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

/** A checkout without installed packages, which a start may change. */
function bareCheckout(): string {
  const checkout = join(dir, 'checkout');
  mkdirSync(checkout);
  for (const name of ['package.json', 'package-lock.json', 'scripts'])
    cpSync(join(root, name), join(checkout, name), { recursive: true });
  return join(checkout, 'scripts', 'start.mjs');
}

/** A folder for PATH with a fake `npm`. */
function fakeNpm(script: string): string {
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${bin}${delimiter}${process.env.PATH}`;
}

test('a Node that is too old is reported in one sentence', async () => {
  const older =
    'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.18.3"})';
  const { code, stderr } = await start({}, ['--import', older]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'Assay needs Node 20.19 or newer, and this is Node 20.18.3: install a newer one.\n',
  });
});

test('a port in use is reported with its number and the variable that changes it, and the data is unlocked again', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const web = await start({ ASSAY_WEB_PORT: String(port) });
  expect(web).toMatchObject({
    code: 1,
    stderr: `Port ${port} (console) is in use: stop the process that uses it, or set ASSAY_WEB_PORT to another port.\n`,
  });
  const edge = await start({ ASSAY_EDGE_PORT: String(port) });
  expect(edge).toMatchObject({
    code: 1,
    stderr: `Port ${port} (API) is in use: stop the process that uses it, or set ASSAY_EDGE_PORT to another port.\n`,
  });
  expect(readdirSync(join(dir, 'data'))).toEqual(['logs']);
  server.close();
});

test('an invalid port is reported', async () => {
  const { code, stderr } = await start({ ASSAY_WEB_PORT: '80000' });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'ASSAY_WEB_PORT is "80000": it must be a port from 1 to 65535.\n',
  });
});

test('a second instance on the same data reports where the first one runs', async () => {
  mkdirSync(join(dir, 'data'));
  takeInstance(join(dir, 'data'), { kind: 'start', webUrl: 'http://localhost:3999' });
  const { code, stderr } = await start();
  expect(code).toBe(1);
  expect(stderr).toBe(
    `Another instance runs on the data in ${join(dir, 'data')} (process ${process.pid}, console at http://localhost:3999): stop it, or set ASSAY_DATA_DIR (and other ports) for a second one.\n`,
  );
});

test("a failed install is reported with npm's reason and the log", async () => {
  const npm = fakeNpm(
    'echo "npm error code E404" >&2; echo "npm error 404 Not Found - left-pad" >&2; echo "npm error A complete log of this run can be found in: /x" >&2; exit 1',
  );
  const { code, stderr } = await start({ PATH: npm }, [], bareCheckout());
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `The packages could not be installed: 404 Not Found - left-pad (log: ${join(dir, 'data', 'logs', 'install.log')})\n`,
  });
});

test('a start that is stopped while it installs ends npm and itself', async () => {
  const npm = fakeNpm('kill -TERM $PPID; exec sleep 60');
  const { code, stdout, stderr } = await start({ PATH: npm }, [], bareCheckout());
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/Stopping … .*\nStopped\.\n$/);
  expect(readdirSync(join(dir, 'data')).sort()).toEqual(['logs', 'secret']);
});

test('./assay is the command of the checkout, from any folder', async () => {
  const { code, output } = await run(join(root, 'assay'), ['--help'], { cwd: dir });
  expect([code, output]).toEqual([0, expect.stringContaining('assay doctor')]);
});

test.each(['doctor', 'keys create', 'owner-link'])(
  'assay %s creates no installation if there is none',
  async (command) => {
    const folder = join(dir, 'mistyped');
    const env = {
      NODE_ENV: 'test' as const,
      PATH: process.env.PATH,
      ASSAY_DATA_DIR: folder,
      DATABASE_URL: '',
    };
    const { code, stderr } = await run(join(root, 'assay'), command.split(' '), { cwd: dir, env });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `There is no installation in ${folder}: start Assay, or set ASSAY_DATA_DIR to the folder that its start names as Data.\n`,
    });
    expect(existsSync(folder)).toBe(false);
  },
);

test('a running instance with another database is an installation', () => {
  const folder = join(dir, 'data');
  mkdirSync(folder);
  expect(hasInstallation(folder)).toBe(false);
  takeInstance(folder, { kind: 'start', webUrl: 'http://localhost:3999' });
  expect(hasInstallation(folder)).toBe(true);
});

test('an unknown command is reported', async () => {
  const child = spawn(process.execPath, [join(root, 'scripts', 'assay.mjs'), 'sing']);
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'There is no command "sing"; assay --help lists the commands.\n',
  });
});

test('QV-39 an unknown flag of `assay edge` is reported before anything is started', async () => {
  const child = spawn(process.execPath, [
    join(root, 'scripts', 'assay.mjs'),
    'edge',
    '--quality-verifier-modell',
    'x',
  ]);
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^--quality-verifier-modell is not an option of assay edge; the options are --/,
    ),
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'data in a folder closed to the ordinary user is reported with the fix',
  async () => {
    const { ensureCluster } = await import('./postgres.mjs');
    mkdirSync(join(dir, 'closed'), { mode: 0o700 });
    mkdirSync(join(dir, 'closed', 'data'));
    await expect(ensureCluster({ dataDir: join(dir, 'closed', 'data') })).rejects.toThrow(
      /^The user "\w+", the user that runs PostgreSQL, cannot reach the data folder \S+\/closed\/data: .*ASSAY_DATA_DIR/,
    );
  },
);
