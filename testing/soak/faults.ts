import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { isAlive, processesIn, waitUntilGone } from '../../scripts/processes.mjs';
import { judgesAll } from '../judges-all';
import { type ScriptedCall, type ScriptedReply, textOf } from '../scripted-llm';
import type { Random } from '../seed';
import type { ProcessName, Product } from './product';

/** A fault of one part of the product. */
export interface Fault {
  readonly name: string;
  /** Resolves when the fault has ended. */
  run(product: Product, random: Random): Promise<void>;
}

const processNames: readonly ProcessName[] = ['web', 'edge', 'worker', 'worker 2'];

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has exited meanwhile.
    }
  }
}

async function pause(pids: readonly number[], random: Random): Promise<void> {
  signalAll(pids, 'SIGSTOP');
  try {
    await sleep(random.between(3, 40) * 1_000);
  } finally {
    signalAll(pids, 'SIGCONT');
  }
}

function processFaults(name: ProcessName): readonly Fault[] {
  const pids = (product: Product): number[] => {
    const pid = product.processes().get(name);
    return pid === undefined ? [] : [pid];
  };
  const send =
    (signal: NodeJS.Signals) =>
    (product: Product): Promise<void> => {
      signalAll(pids(product), signal);
      return Promise.resolve();
    };
  return [
    { name: `kill ${name}`, run: send('SIGKILL') },
    { name: `restart ${name}`, run: send('SIGTERM') },
    { name: `pause ${name}`, run: (product, random) => pause(pids(product), random) },
  ];
}

const postgresPids = ({ cluster }: Product): number[] => [
  cluster.pid(),
  ...(processesIn(join(cluster.dataDir, 'postgres')) ?? []),
];

const postgresFaults: readonly Fault[] = [
  {
    name: 'kill PostgreSQL',
    run: (product) =>
      product.withoutDatabaseGuard(async () => {
        await product.cluster.kill();
        await product.cluster.start();
      }),
  },
  {
    name: 'restart PostgreSQL',
    run: (product) =>
      product.withoutDatabaseGuard(async () => {
        const pid = product.cluster.pid();
        process.kill(pid, 'SIGINT');
        if (!(await waitUntilGone(pid, 30_000))) await product.cluster.kill();
        await product.cluster.start();
      }),
  },
  { name: 'pause PostgreSQL', run: (product, random) => pause(postgresPids(product), random) },
  {
    name: 'disk full',
    async run({ disk }, random) {
      disk.fill();
      try {
        await sleep(random.between(5, 20) * 1_000);
      } finally {
        disk.restoreSpace();
      }
    },
  },
  {
    name: 'cut connections to PostgreSQL',
    async run({ relay }, random) {
      for (let remaining = random.between(1, 10); remaining > 0; remaining--) {
        relay.cut();
        await sleep(1_000);
      }
    },
  },
  {
    name: 'no packets to PostgreSQL',
    async run({ relay }, random) {
      relay.blackHole();
      await sleep(random.between(3, 25) * 1_000);
      relay.restore();
    },
  },
  {
    name: 'slow network to PostgreSQL',
    async run({ relay }, random) {
      relay.delay(random.between(20, 200));
      await sleep(25_000);
      relay.delay(0);
    },
  },
];

const redisFaults: readonly Fault[] = [
  {
    name: 'restart Redis without its data',
    async run({ redis }, random) {
      await redis.kill();
      await sleep(random.between(0, 15) * 1_000);
      await redis.start();
    },
  },
  {
    name: 'pause Redis',
    run: ({ redis }, random) =>
      pause(
        [redis.pid() ?? 0].filter((pid) => pid > 0),
        random,
      ),
  },
];

/** Answers judge calls with verdicts, and other calls with a sentence about a host. */
export function replyToCall(call: ScriptedCall): ScriptedReply {
  return textOf(call.body).includes('<data nonce="')
    ? judgesAll(call)
    : { text: 'The disk of the host is at 91.4%.' };
}

const judgeBehaviours: readonly (readonly [string, (call: ScriptedCall) => ScriptedReply])[] = [
  ['judges that drop connections', () => ({ fault: { kind: 'reset' } })],
  ['judges that reply 503', () => ({ fault: { kind: 'status', status: 503 } })],
  ['judges with malformed replies', () => ({ text: '{"score":"5/5"}' })],
  ['slow judges', (call) => ({ ...replyToCall(call), delayMs: 20_000 })],
];

const judgeFaults: readonly Fault[] = judgeBehaviours.map(([name, reply]) => ({
  name,
  async run({ llm }) {
    llm.answerWith(reply);
    await sleep(30_000);
    llm.answerWith(replyToCall);
  },
}));

const clockStep: Fault = {
  name: 'clock step of worker 2',
  async run({ stepClock }, random) {
    stepClock?.(random.between(-3_600, 3_600));
    await sleep(30_000);
    stepClock?.(0);
  },
};

/** All faults; without clock steps if this machine has no libfaketime. */
export function listFaults({ stepClock }: Product): readonly Fault[] {
  return [
    ...processNames.flatMap(processFaults),
    ...postgresFaults,
    ...redisFaults,
    ...judgeFaults,
    ...(stepClock === null ? [] : [clockStep]),
  ];
}

export interface FaultRun {
  /** Seconds since the start of the run. */
  readonly startedAtS: number;
  readonly name: string;
}

/**
 * Runs a fault each minute: all faults in random order, then all of them again in another order.
 * Resolves after the last fault has ended.
 * @param options.until the time at which no more faults start, as of `performance.now()`
 */
export async function runFaults(
  product: Product,
  random: Random,
  options: { readonly until: number; readonly log: (line: string) => void },
): Promise<FaultRun[]> {
  const { until, log } = options;
  const began = performance.now();
  const runs: FaultRun[] = [];
  let remaining: Fault[] = [];
  for (let minute = 1; ; minute++) {
    const startsAt = began + minute * 60_000;
    if (startsAt > until) return runs;
    await sleep(startsAt - performance.now());
    if (remaining.length === 0) remaining = random.shuffle(listFaults(product));
    const fault = remaining.pop();
    if (fault === undefined) return runs;
    const startedAtS = Math.round((performance.now() - began) / 1_000);
    log(`${startedAtS} s: ${fault.name}`);
    runs.push({ startedAtS, name: fault.name });
    await fault.run(product, random);
    if (!isAlive(product.cluster.pid())) log('PostgreSQL has exited; its guard restarts it');
  }
}
