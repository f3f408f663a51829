import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Child } from '../child';
import { residentMiB } from '../cpu';
import { type OpenLoopResult, sendOpenLoop } from '../open-loop';
import { type Answer, httpMessage, openConnection } from '../raw-client';
import { quantileOf } from '../rounds';
import { bound, type Row } from '../row';
import type { RowMaker } from '../run';
import { benchTrace, spansJson } from '../spans';
import type { Stage } from '../stage';
import { measureLoad, requireStored, wipe } from './load';

const spansPerRequest = 20;
const times = 10;
/** More than the edge processes at once. */
const sockets = 2_000;
const sampleMs = 250;
const allowed: readonly number[] = [200, 429, 503];

/**
 * I6: ten times the sustainable rate of requests, independently of the answers; refused ones are
 * resent later.
 */
export const i6: RowMaker = {
  name: 'I6',
  async make(stage, settings) {
    const seconds = settings.smoke ? 3 : 30;
    const edge = await stage.startEdge();
    const template = makeTemplate();
    const make = (count: number): Buffer[] =>
      Array.from({ length: count }, () => template(stage.key));
    await wipe(stage);
    for (const count of [100, settings.smoke ? 150 : 3_000]) await load(stage, edge, make(count));
    const { rate } = await load(stage, edge, make(settings.smoke ? 150 : 3_000));
    const messages = make(Math.ceil(rate * seconds * 1.5) + sockets);
    await wipe(stage);
    const baselineMs = await measureBaseline(edge, make(100));
    const memory = sampleMemory(edge);
    const result = await overload(edge, messages, { rate: rate * times, seconds });
    const recoveredS = await recover(edge, () => template(stage.key), result.endedAt, baselineMs);
    const samples = memory.stop();
    const stored = result.accepted + 100 + recoveredS.sent;
    await requireStored(stage, {
      segments: stored,
      spans: stored * spansPerRequest,
      traces: stored,
      work: stored,
    });
    await edge.stop();
    settings.log({
      row: 'I6',
      ...rateLine(result, rate),
      recoveredS: recoveredS.seconds,
      samples: samples.map(Math.round),
    });
    return rows(result, recoveredS.seconds, samples, { rate, seconds });
  },
};

function load(
  stage: Stage,
  edge: Child,
  messages: readonly Buffer[],
): Promise<{ readonly rate: number }> {
  return measureLoad({ child: edge, messages, unitsPerMessage: 1, stage });
}

/**
 * Gzipped requests of one trace each that differ only in its id: cheap enough to be generated and
 * sent at ten times the sustainable rate.
 */
function makeTemplate(): (key: string) => Buffer {
  const spans = benchTrace(spansPerRequest, 1);
  const text = spansJson(spans);
  const id = spans[0]?.traceId ?? '';
  return (key) => {
    const body = gzipSync(text.replaceAll(id, randomBytes(16).toString('hex')), { level: 1 });
    return httpMessage('/v1/traces', body, { key, gzip: true });
  };
}

interface Overload extends OpenLoopResult {
  readonly accepted: number;
  readonly refused: number;
}

/** @throws Error for an answer other than 200, and 429 or 503 with Retry-After */
async function overload(
  edge: Child,
  messages: Buffer[],
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<Overload> {
  let [accepted, refused] = [0, 0];
  let wrong: string | null = null;
  const settle = (request: Buffer, { status, head }: Answer): void => {
    if (status === 200) accepted++;
    else {
      refused++;
      messages.push(request);
    }
    if (!allowed.includes(status)) wrong ??= `void: an answer ${status} under overload`;
    else if (status !== 200 && !/\r\nretry-after: *\d+/i.test(head))
      wrong ??= `void: ${status} without Retry-After`;
  };
  const result = await sendOpenLoop({
    port: edge.port,
    perSecond: rate,
    seconds,
    connections: sockets,
    whenBusy: 'drop',
    next() {
      const request = messages.pop();
      return request === undefined ? null : { request, done: (answer) => settle(request, answer) };
    },
  });
  if (wrong !== null) throw new Error(wrong);
  return { ...result, accepted, refused };
}

/**
 * p99 of single requests on an idle server, ms.
 * @throws Error unless all are accepted
 */
async function measureBaseline(edge: Child, messages: readonly Buffer[]): Promise<number> {
  const connection = await openConnection(edge.port);
  const took: number[] = [];
  for (const message of messages) {
    const began = performance.now();
    const { status } = await connection.send(message);
    if (status !== 200) throw new Error(`void: a probe was answered ${status}`);
    took.push(performance.now() - began);
  }
  connection.close();
  return quantileOf(took, 0.99);
}

/** Seconds until the first of five consecutive requests accepted within twice the baseline p99. */
async function recover(
  edge: Child,
  make: () => Buffer,
  endedAt: number,
  baselineMs: number,
): Promise<{ readonly seconds: number; readonly sent: number }> {
  const inRow = 5;
  const connection = await openConnection(edge.port);
  let first = 0;
  let sent = 0;
  for (let good = 0; good < inRow; ) {
    const began = performance.now();
    const { status } = await connection.send(make());
    if (!allowed.includes(status))
      throw new Error(`void: a probe after the overload was answered ${status}`);
    if (status === 200) sent++;
    const isGood = status === 200 && performance.now() - began <= baselineMs * 2;
    if (isGood && good === 0) first = began;
    good = isGood ? good + 1 : 0;
    if (began - endedAt > 60_000) throw new Error('void: not back to normal after a minute');
    await pause(20);
  }
  connection.close();
  return { seconds: Math.max(0, (first - endedAt) / 1000), sent };
}

function sampleMemory(edge: Child): { stop(): number[] } {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(residentMiB(edge.pid)), sampleMs);
  return {
    stop() {
      clearInterval(timer);
      return samples;
    },
  };
}

function rateLine(result: Overload, rate: number): Record<string, unknown> {
  const { sent, dropped, accepted, refused, lateMs, statuses } = result;
  return {
    maximumPerS: Math.round(rate),
    sent,
    notSent: dropped,
    accepted,
    refused,
    lateMs: Math.round(lateMs),
    statuses: [...statuses],
  };
}

function rows(
  result: Overload,
  recoveredS: number,
  samples: readonly number[],
  load: { readonly rate: number; readonly seconds: number },
): Row[] {
  const half = samples.length >> 1;
  const [first, second] = [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half))];
  const offered =
    (load.rate * times * load.seconds) / (load.seconds + result.lateMs / 1000) / load.rate;
  const noVerdict =
    offered < times * 0.8
      ? `mock-bound: the generator offered ${offered.toFixed(1)} times the maximum`
      : null;
  const perS = (count: number): number => Math.round(count / load.seconds);
  return [
    bound({
      figure: `I6 back to normal after ${load.seconds} s of ten times the maximum`,
      unit: 's',
      assayValues: [recoveredS],
      goal: { max: 2 },
      noVerdict,
      notes: [
        `maximum ${Math.round(load.rate)} requests/s; sent ${perS(result.sent)}/s, no socket free for ${perS(result.dropped)}/s, accepted ${perS(result.accepted)}/s`,
        'every refusal 429 or 503 with Retry-After; stored = accepted; no worker running',
      ],
    }),
    bound({
      figure: "I6 the edge's memory: its peak in the second half over that in the first",
      unit: 'ratio',
      assayValues: [second / first],
      goal: { max: 1.25 },
      noVerdict,
      notes: [
        `peak ${Math.round(Math.max(first, second))} MiB, at the start ${Math.round(samples[0] ?? Number.NaN)} MiB`,
      ],
    }),
  ];
}
