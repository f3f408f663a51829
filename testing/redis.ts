import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../scripts/postgres.mjs';
import { findRedis } from '../scripts/redis.mjs';
import { until } from './until';

/** A Redis without persistence: killing it empties it. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Null while it is down. */
  pid(): number | null;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Starts it on the same port, empty; resolves when it answers. */
  start(): Promise<void>;
  /** Its whole content as it would be stored on disk, with all text readable. */
  dump(): Promise<string>;
  stop(): Promise<void>;
}

/** Null, with a log line, if the machine has no redis-server. A given password is required. */
export async function startRedis(password: string | null = null): Promise<TestRedis | null> {
  const path = findRedis();
  if (path === undefined) {
    process.stdout.write(
      'skipped: tests that need redis-server, which is not installed (npm test installs it if run as root)\n',
    );
    return null;
  }
  const port = await findFreePort();
  const dir = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      dir,
      '--rdbcompression',
      'no',
      ...(password === null ? [] : ['--requirepass', password]),
    ];
    const started = spawn(path, args, { stdio: 'ignore' });
    child = started;
    process.once('exit', () => started.kill('SIGKILL'));
    await until('redis-server answers', () => answers(port));
  };
  const kill = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `redis://${password === null ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    port,
    pid: () => child?.pid ?? null,
    start,
    kill,
    async dump() {
      const login = password === null ? '' : `AUTH ${password}\r\n`;
      await command(port, `${login}SAVE\r\n`, password === null ? /^\+OK/ : /^\+OK\r\n\+OK/);
      const file = join(dir, 'dump.rdb');
      const content = readFileSync(file, 'latin1');
      // Without the file, killing Redis still empties it.
      rmSync(file);
      return content;
    },
    async stop() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/**
 * Sends lines and resolves when the answers so far match `expected`.
 * @throws Error if the connection ends first
 */
async function command(port: number, lines: string, expected: RegExp): Promise<void> {
  const socket = createConnection({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    socket.write(lines);
    let received = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received += chunk.toString();
      if (expected.test(received)) return;
      if (/(^|\n)-/.test(received)) break;
    }
    throw new Error(`redis-server answered: ${received}`);
  } finally {
    socket.destroy();
  }
}

async function answers(port: number): Promise<true | null> {
  const socket = createConnection({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return /^(\+PONG|-NOAUTH)/.test(chunk.toString()) ? true : null;
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}
