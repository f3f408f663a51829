import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';

/** A process that a bench has started, and ends by its pid. */
export interface Child {
  readonly pid: number;
  /** From its first message, if it sends one. */
  readonly port: number;
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL after ten seconds. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly readyMs?: number;
  /** The readiness check of a process that sends no message. */
  readonly isReady?: () => Promise<boolean>;
}

const stopMs = 10_000;

/**
 * Starts a Node file and waits until it is ready: for its first message, or for `isReady`.
 * @throws Error with its last output
 */
export async function startChild(file: string, options: ChildOptions = {}): Promise<Child> {
  const child = fork(file, [...(options.args ?? [])], {
    cwd: options.cwd ?? tmpdir(),
    execArgv: [...(options.execArgv ?? [])],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_ENV: 'production',
      TZ: 'UTC',
      ...options.env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    });
  }
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ready = await readiness(child, () => output, options).catch(async (error: unknown) => {
    child.kill('SIGKILL');
    await exited;
    throw error;
  });
  return {
    pid: child.pid ?? 0,
    port: Number(ready.port ?? 0),
    signal: (name) => void child.kill(name),
    async stop() {
      const hard = setTimeout(() => child.kill('SIGKILL'), stopMs);
      // A paused process handles no other signal.
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await exited;
      clearTimeout(hard);
    },
  };
}

function readiness(
  child: ChildProcess,
  output: () => string,
  { readyMs = 30_000, isReady }: ChildOptions,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const end = (settle: () => void): void => {
      isOver = true;
      clearTimeout(timer);
      settle();
    };
    const fail = (why: string): void =>
      end(() => reject(new Error(`${why}: ${output().slice(-1500)}`)));
    const timer = setTimeout(() => fail(`not ready within ${readyMs} ms`), readyMs);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`it ended with ${code}`));
    if (isReady === undefined) {
      child.once('message', (message) => end(() => resolve(message as Record<string, unknown>)));
      return;
    }
    const check = (): void => {
      if (isOver) return;
      void isReady().then((ready) =>
        ready ? end(() => resolve({})) : void setTimeout(check, 100),
      );
    };
    check();
  });
}
