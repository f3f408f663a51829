import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAlive } from './processes.mjs';
import { supervise, rotateLog } from './supervise.mjs';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-supervise-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/**
 * A child that runs this source, writes its pid into a file and collects the supervisor's messages
 * in lines.
 */
function child(source: string) {
  const pidFile = join(dir, 'pid');
  const lines: string[] = [];
  const code = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); ${source}`;
  const log = join(dir, 'edge.log');
  const kept = supervise(
    { name: 'edge', args: ['-e', code], cwd: dir, env: process.env, log, stopTimeoutMs: 500 },
    (line) => {
      lines.push(line);
    },
  );
  return { ...kept, lines, pid: () => Number(readFileSync(pidFile, 'utf8')) };
}

const lives =
  "setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(0)); process.send({ ready: true });";

test('a child that dies is restarted, and that is logged', async () => {
  const kept = child(lives);
  await kept.ready;
  const first = kept.pid();
  process.kill(first, 'SIGKILL');
  await vi.waitFor(() => expect(kept.pid()).not.toBe(first), 5000);
  expect(kept.lines).toEqual([
    `! edge was ended by SIGKILL; starting it again in 0.2 s (log: ${join(dir, 'edge.log')})`,
  ]);
  await kept.stop();
  expect(isAlive(kept.pid())).toBe(false);
});

test('a child that never becomes ready fails the start with its own last output', async () => {
  const kept = child("console.error('Error: no such table'); process.exit(3);");
  await expect(kept.ready).rejects.toThrow(
    `The edge process does not start: Error: no such table (log: ${join(dir, 'edge.log')})`,
  );
  await kept.stop();
});

test('a child that ignores SIGTERM is killed', async () => {
  const kept = child(
    "setInterval(() => {}, 1000); process.on('SIGTERM', () => {}); process.send({ ready: true });",
  );
  await kept.ready;
  const pid = kept.pid();
  await kept.stop();
  expect(isAlive(pid)).toBe(false);
});

test.each([
  lives,
  "setInterval(() => {}, 1000); process.on('SIGTERM', () => {}); process.send({ ready: true });",
])('a child is restarted on request, at once and without a message: %s', async (source) => {
  const kept = child(source);
  await kept.ready;
  const first = kept.pid();
  kept.restart();
  await vi.waitFor(() => expect(kept.pid()).not.toBe(first), 30_000);
  expect(isAlive(first)).toBe(false);
  expect(kept.lines).toEqual([]);
  await kept.stop();
  expect(isAlive(kept.pid())).toBe(false);
});

test('a log above 10 MB is rotated', () => {
  const log = join(dir, 'web.log');
  writeFileSync(log, 'x');
  rotateLog(log);
  expect(existsSync(`${log}.1`)).toBe(false);
  truncateSync(log, 10 * 1024 * 1024 + 1);
  rotateLog(log);
  expect(existsSync(log)).toBe(false);
  expect(existsSync(`${log}.1`)).toBe(true);
});

test('S-128 a child gets the other end of the socket that its launcher answers on', async () => {
  const launchers: ChildProcess[] = [];
  const launcher = (): Socket => {
    const one = spawn(
      process.execPath,
      ['-e', "require('fs').createReadStream(null, { fd: 3 }).on('data', () => process.exit(0))"],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      },
    );
    launchers.push(one);
    const socket = one.stdio[3];
    if (!(socket instanceof Socket)) throw new Error('no socket');
    return socket;
  };
  const code = `require('fs').writeSync(Number(process.env.ASSAY_BOX_LAUNCHER_FD), 'x'); ${lives}`;
  const kept = supervise(
    {
      name: 'worker',
      args: ['-e', code],
      cwd: dir,
      env: process.env,
      log: join(dir, 'worker.log'),
      stopTimeoutMs: 500,
      launcher,
    },
    () => undefined,
  );
  await kept.ready;
  await vi.waitFor(() => expect(launchers.map(({ exitCode }) => exitCode)).toEqual([0]), 10_000);
  await kept.stop();
});
