import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { isAlive, processesIn, waitUntilGone } from '../../scripts/processes.mjs';
import { judgesAll } from '../judges-all';
import { type ScriptedCall, type ScriptedReply, textOf } from '../scripted-llm';
import type { Random } from '../seed';
import type { ProcessName, Product } from './product';

/** A fault of one part; resolves when it has healed. */
export interface Fault {
  readonly name: string;
  run(product: Product, random: Random): Promise<void>;
}

const processNames: readonly ProcessName[] = ['web', 'edge', 'worker', 'worker 2'];

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended meanwhile.
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

function ofProcess(name: ProcessName): readonly Fault[] {
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

const backends = ({ cluster }: Product): number[] => [
  cluster.pid(),
  ...(processesIn(join(cluster.dataDir, 'postgres')) ?? []),
];

const ofPostgres: readonly Fault[] = [
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
  { name: 'pause PostgreSQL', run: (product, random) => pause(backends(product), random) },
  {
    name: 'disk full',
    async run({ disk }, random) {
      disk.fill();
      try {
        await sleep(random.between(5, 20) * 1_000);
      } finally {
        disk.empty();
      }
    },
  },
  {
    name: 'cut connections to PostgreSQL',
    async run({ relay }, random) {
      for (let times = random.between(1, 10); times > 0; times--) {
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

const ofRedis: readonly Fault[] = [
  {
    name: 'empty Redis',
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

/** Judges get their answer; other requests an answer about a host. */
export function answer(call: ScriptedCall): ScriptedReply {
  return textOf(call.body).includes('<data nonce="')
    ? judgesAll(call)
    : { text: 'The disk of the host is at 91.4%.' };
}

const misbehaviours: readonly (readonly [string, (call: ScriptedCall) => ScriptedReply])[] = [
  ['dropped judges', () => ({ fault: { kind: 'reset' } })],
  ['judges that answer 503', () => ({ fault: { kind: 'status', status: 503 } })],
  ['judges that answer nonsense', () => ({ text: '{"score":"5/5"}' })],
  ['slow judges', (call) => ({ ...answer(call), delayMs: 20_000 })],
];

const ofJudges: readonly Fault[] = misbehaviours.map(([name, reply]) => ({
  name,
  async run({ llm }) {
    llm.answerWith(reply);
    await sleep(30_000);
    llm.answerWith(answer);
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

/** Faults that this machine permits. */
export function listFaults({ stepClock }: Product): readonly Fault[] {
  return [
    ...processNames.flatMap(ofProcess),
    ...ofPostgres,
    ...ofRedis,
    ...ofJudges,
    ...(stepClock === null ? [] : [clockStep]),
  ];
}

export interface FaultRun {
  readonly atS: number;
  readonly name: string;
}

/**
 * Runs a random fault each minute: all of them once in random order, then again.
 * @returns when `until` (a time of `performance.now()`) is reached and the last fault has healed
 */
export async function runFaults(
  product: Product,
  random: Random,
  { until, log }: { readonly until: number; readonly log: (line: string) => void },
): Promise<FaultRun[]> {
  const began = performance.now();
  const done: FaultRun[] = [];
  let next: Fault[] = [];
  for (let minute = 1; ; minute++) {
    const at = began + minute * 60_000;
    if (at > until) return done;
    await sleep(at - performance.now());
    if (next.length === 0) next = random.shuffle(listFaults(product));
    const fault = next.pop();
    if (fault === undefined) return done;
    const atS = Math.round((performance.now() - began) / 1_000);
    log(`${atS} s: ${fault.name}`);
    done.push({ atS, name: fault.name });
    await fault.run(product, random);
    if (!isAlive(product.cluster.pid())) log('PostgreSQL has ended and is started again');
  }
}
