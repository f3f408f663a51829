import { type Contender, type Measured, median, quantileOf, runRounds } from '../rounds';
import { absent, bound, compare, type Row } from '../row';
import type { RowMaker, Settings } from '../run';
import { chunkCount, streamFrames } from './answers.mjs';
import { type GatewaySetup, startGatewaySetup, requestBody, type Side, type Wire } from './setup';
import { addedLatency, measureCalls } from './load';

const wires: readonly Wire[] = ['openai', 'anthropic'];
const streamsAtOnce = 50;

/**
 * G3: streams of 64 content chunks with every byte in its place and no chunk merged: the delay of
 * the first chunk, and of the gaps between chunks.
 */
export const g3: RowMaker = {
  name: 'G3',
  async make(stage, settings) {
    const setup = await startGatewaySetup(stage, settings);
    return [...(await unpaced(setup, settings)), await paced(setup, settings)];
  },
};

async function unpaced(setup: GatewaySetup, settings: Settings): Promise<Row[]> {
  const body = requestBody({ stream: true });
  const calls = settings.smoke ? 50 : 1_500;
  const contender = (side: Side, wire: Wire, count: number): Contender => {
    const frames = streamFrames(wire);
    const load = {
      side,
      request: side.message('stream', wire, body),
      expected: Buffer.concat(frames),
      chunks: frames.length,
    };
    return { name: `${side.name} ${wire}`, run: () => measureCalls({ ...load, calls: count }) };
  };
  const measured = await runRounds(
    'G3',
    [
      ...wires.flatMap((wire) =>
        [setup.direct, setup.floor, setup.assay].map((side) => contender(side, wire, calls)),
      ),
      ...(setup.portkey === null ? [] : [contender(setup.portkey, 'openai', 60)]),
    ],
    settings,
  );
  const over = (side: string, wire: Wire): number[] =>
    addedLatency(measured(`${side} ${wire}`, 'firstUs'), measured(`direct ${wire}`, 'firstUs'));
  const title = 'G3 added to the first chunk of a stream';
  return [
    ...wires.map((wire) =>
      firstRow(`${title}, ${wire} shape, against node:http with undici, p50`, measured, wire, over),
    ),
    setup.portkey === null
      ? absent(`${title}, against Portkey, p50`, 'us', { max: 0.004 }, setup.noPortkey)
      : compare({
          figure: `${title}, against Portkey ${setup.portkeyVersion}, p50`,
          unit: 'us',
          assayValues: over('assay', 'openai'),
          peer: over('portkey', 'openai'),
          goal: { max: 0.004 },
        }),
  ];
}

function firstRow(
  figure: string,
  measured: Measured,
  wire: Wire,
  over: (side: string, wire: Wire) => number[],
): Row {
  const cpu = (side: string): string => median(measured(`${side} ${wire}`, 'cpuUs')).toFixed(0);
  return compare({
    figure,
    unit: 'us',
    assayValues: over('assay', wire),
    floor: over('floor', wire),
    goal: { max: 2.5 },
    notes: [`processor time a stream: floor ${cpu('floor')}, Assay ${cpu('assay')} us`],
  });
}

/** 50 concurrent streams, with a chunk every 10 ms. */
async function paced(setup: GatewaySetup, settings: Settings): Promise<Row> {
  const body = requestBody({ stream: true });
  const batches = settings.smoke ? 1 : 3;
  const frames = streamFrames('openai');
  const contender = (side: Side): Contender => ({
    name: side.name,
    async run() {
      const gaps: number[] = [];
      await measureCalls({
        side,
        request: side.message('paced', 'openai', body),
        calls: streamsAtOnce * batches,
        connections: streamsAtOnce,
        expected: Buffer.concat(frames),
        chunks: frames.length,
        keepsArrivals: true,
        onReply: ({ arrivals }) => gaps.push(...gapsOf(arrivals)),
      });
      return { gapP99Ms: quantileOf(gaps, 0.99) };
    },
  });
  const measured = await runRounds(
    'G3 paced',
    [setup.direct, setup.floor, setup.assay].map(contender),
    settings,
  );
  const over = (side: string): number[] =>
    addedLatency(measured(side, 'gapP99Ms'), measured('direct', 'gapP99Ms'));
  return bound({
    figure: `G3 added to the gap between chunks, ${streamsAtOnce} streams at once, ${chunkCount} chunks 10 ms apart, p99`,
    unit: 'ms',
    assayValues: over('assay'),
    goal: { max: 0.3 },
    notes: [
      `floor ${median(over('floor')).toFixed(2)} ms; direct ${median(measured('direct', 'gapP99Ms')).toFixed(2)} ms from chunk to chunk`,
    ],
  });
}

/** The first chunk of a stream has no gap before it. */
export function gapsOf(arrivals: readonly number[]): number[] {
  return arrivals.slice(1).map((at, n) => at - (arrivals[n] ?? at));
}
