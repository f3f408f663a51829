import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../testing/until';
import { openBareNotify } from '../bare-notify';
import type { Child } from '../child';
import { sendOpenLoop } from '../open-loop';
import { getMessage, httpMessage, openConnection, sendAll } from '../raw-client';
import { median, quantileOf, runRounds } from '../rounds';
import { bound, compare, type Row } from '../row';
import type { RowMaker, Settings } from '../run';
import { benchTrace, spansJson } from '../spans';
import type { Stage } from '../stage';
import { wipe } from './load';
import { type VerdictWatch, watchVerdicts } from './verdict-watch';

const everyMs = 100;
/**
 * Every fifth probe checks whether its trace is visible, and is not timed: the check costs database
 * time too.
 */
const sampleEvery = 5;

/**
 * I5: a trace is visible when its request is answered, and the delay until its verdict: idle, and
 * at half of the rate that an edge and a worker sustain.
 */
export const i5: RowMaker = {
  name: 'I5',
  async make(stage, settings) {
    await wipe(stage);
    const edge = await stage.edge();
    const worker = await stage.startWorker();
    const watch = await watchVerdicts(stage);
    const rows = [
      ...(await measureIdle(stage, edge, watch, settings)),
      await measureUnderLoad(stage, edge, watch, settings),
    ];
    await watch.close();
    await worker.stop();
    return rows;
  },
};

/**
 * Sends a trace of one span, which is one turn. Resolves with the milliseconds from its answer to
 * its verdict.
 */
async function probe(
  stage: Stage,
  edge: Child,
  watch: VerdictWatch,
  isSampled: boolean,
): Promise<number> {
  const spans = benchTrace(1, Math.floor(Math.random() * 1e6));
  const [span] = spans;
  if (span === undefined) throw new Error('no span');
  const connection = await openConnection(edge.port);
  const settled = watch.settled(`${span.traceId}-${span.spanId}`);
  const { status } = await connection.send(
    httpMessage('/v1/traces', Buffer.from(spansJson(spans)), { key: stage.key }),
  );
  const answered = performance.now();
  if (status !== 200) throw new Error(`void: a probe was answered ${status}`);
  if (isSampled) {
    const seen = await connection.send(getMessage(`/v1/traces/${span.traceId}`, stage.key));
    if (seen.status !== 200)
      throw new Error(`void: a trace that was acknowledged is answered ${seen.status}`);
  }
  connection.close();
  return (await settled) - answered;
}

async function measureIdle(
  stage: Stage,
  edge: Child,
  watch: VerdictWatch,
  settings: Settings,
): Promise<Row[]> {
  const probes = settings.smoke ? 6 : 36;
  const bare = await openBareNotify(stage.sql);
  const contenders = [
    {
      name: 'verdict',
      async run() {
        const took: number[] = [];
        for (let n = 0; n < probes; n++) {
          const [ms] = await Promise.all([
            probe(stage, edge, watch, n % sampleEvery === 0),
            pause(everyMs),
          ]);
          if (n % sampleEvery !== 0) took.push(ms);
        }
        return { p50Ms: median(took), p99Ms: quantileOf(took, 0.99) };
      },
    },
    {
      name: 'bare',
      async run() {
        const took: number[] = [];
        for (let n = 0; n < probes; n++) {
          const [ms] = await Promise.all([bare.once(), pause(everyMs / 5)]);
          took.push(ms);
        }
        return { p50Ms: median(took) };
      },
    },
  ];
  const measured = await runRounds('I5', contenders, settings);
  await bare.close();
  return [
    compare({
      figure:
        'I5 from the 200 of a trace to its first verdict, idle, against a bare LISTEN/NOTIFY, p50',
      unit: 'ms',
      assayValues: measured('verdict', 'p50Ms'),
      floor: measured('bare', 'p50Ms'),
      goal: { max: 10 },
      notes: [
        `every trace visible at its 200; p99 ${median(measured('verdict', 'p99Ms')).toFixed(1)} ms`,
      ],
    }),
  ];
}

async function waitUntilDrained({ sql }: Stage): Promise<void> {
  await until(
    'no work waits',
    async () => ((await sql`select 1 from work limit 1`).length === 0 ? true : null),
    120_000,
  );
}

/**
 * Traces per second that an edge and a worker receive and verify together, from the first request
 * to the last verdict.
 */
async function measureSustainedRate(stage: Stage, edge: Child, requests: number): Promise<number> {
  const messages = Array.from({ length: requests }, (_, n) => loadMessage(stage, n));
  const began = performance.now();
  const { statuses } = await sendAll(edge.port, messages, 8);
  if (statuses.get(200) !== requests)
    throw new Error(`void: answers by status ${JSON.stringify([...statuses])}`);
  await waitUntilDrained(stage);
  return requests / ((performance.now() - began) / 1000);
}

function loadMessage(stage: Stage, salt: number): Buffer {
  return httpMessage('/v1/traces', Buffer.from(spansJson(benchTrace(20, salt))), {
    key: stage.key,
  });
}

async function measureUnderLoad(
  stage: Stage,
  edge: Child,
  watch: VerdictWatch,
  settings: Settings,
): Promise<Row> {
  const [seconds, skipped] = settings.smoke ? [2, 0] : [32, 20];
  const warm = await measureSustainedRate(stage, edge, settings.smoke ? 10 : 50);
  // About eight seconds of work, so that the delay of the last trace weighs little.
  const maxRate = await measureSustainedRate(
    stage,
    edge,
    settings.smoke ? 20 : Math.max(50, Math.round(warm * 8)),
  );
  const ready = Array.from({ length: Math.ceil((maxRate / 2) * seconds) }, (_, n) =>
    loadMessage(stage, n),
  );
  const took: number[] = [];
  const pending: Promise<unknown>[] = [];
  let isOver = false;
  const probing = (async () => {
    for (let n = 0; !isOver; n++) {
      const isTimed = n >= skipped && n % sampleEvery !== 0;
      const one = probe(stage, edge, watch, n % sampleEvery === 0).then((ms) =>
        isTimed ? took.push(ms) : 0,
      );
      // Reported below, after all have finished.
      one.catch(() => undefined);
      pending.push(one);
      await pause(everyMs);
    }
  })();
  const load = await sendOpenLoop({
    port: edge.port,
    perSecond: maxRate / 2,
    seconds,
    connections: 32,
    whenBusy: 'wait',
    next() {
      const request = ready.pop();
      return request === undefined ? null : { request, done: () => undefined };
    },
  });
  isOver = true;
  await probing;
  await Promise.all(pending);
  await waitUntilDrained(stage);
  if (load.statuses.get(200) !== load.sent)
    throw new Error(`void: answers by status ${JSON.stringify([...load.statuses])}`);
  const p99 = quantileOf(took, 0.99);
  settings.log({
    row: 'I5 load',
    sustainedPerS: Math.round(maxRate),
    probes: took.length,
    p50Ms: median(took),
    p99Ms: p99,
  });
  return bound({
    figure:
      'I5 from the 200 of a trace to its first verdict while half of what can be sustained arrives, p99',
    unit: 'ms',
    assayValues: [p99],
    goal: { max: 100 },
    notes: [
      `p50 ${median(took).toFixed(1)} ms, ${took.length} probes; sustained by one edge and one worker: ${Math.round(maxRate)} traces of 20 spans a second, every verdict included`,
    ],
  });
}
