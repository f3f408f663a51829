import { type Contender, type Measured, median, quantileOf, runRounds } from '../rounds';
import { absent, bound, compare, type Row } from '../row';
import type { RowMaker, Settings } from '../run';
import { jsonAnswer, streamFrames } from './answers.mjs';
import { gapsOf } from './g3';
import { type GatewaySetup, startGatewaySetup, requestBody, type Side } from './setup';
import { addedLatency, measureCalls } from './load';

const sizes = [228 * 1024, 1024 * 1024] as const;
const concurrentStreams = 20;
/** 1 MB prompts sent one after the other while the streams are open. */
const prompts = 30;

/** G4: large prompts, and the effect of one on concurrent streams. */
export const g4: RowMaker = {
  name: 'G4',
  async make(stage, settings) {
    const setup = await startGatewaySetup(stage, settings);
    return [...(await large(setup, settings)), await headOfLine(setup, settings)];
  },
};

const kb = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`;

async function large(setup: GatewaySetup, settings: Settings): Promise<Row[]> {
  const expected = jsonAnswer('openai');
  const contenders = sizes.flatMap((bytes): Contender[] => {
    const body = requestBody({ bytes });
    const contender = (side: Side, calls: number): Contender => ({
      name: `${side.name} ${bytes}`,
      run: () =>
        measureCalls({ side, request: side.message('plain', 'openai', body), calls, expected }),
    });
    const calls = settings.smoke ? 20 : 300;
    return [
      ...[setup.direct, setup.floor, setup.assay].map((side) => contender(side, calls)),
      ...(setup.portkey === null ? [] : [contender(setup.portkey, 100)]),
    ];
  });
  const measured = await runRounds('G4', contenders, settings);
  return sizes.flatMap((bytes) => sizeRows(setup, measured, bytes));
}

function sizeRows(setup: GatewaySetup, measured: Measured, bytes: number): Row[] {
  const over = (side: string): number[] =>
    addedLatency(measured(`${side} ${bytes}`, 'p50Us'), measured(`direct ${bytes}`, 'p50Us'));
  const cpu = (side: string, figure = 'cpuUs'): string =>
    median(measured(`${side} ${bytes}`, figure)).toFixed(0);
  const title = `G4 added to a call of ${kb(bytes)}, one connection`;
  return [
    compare({
      figure: `${title}, against node:http with undici, p50`,
      unit: 'us',
      assayValues: over('assay'),
      floor: over('floor'),
      goal: { max: 1.5 },
      notes: [
        `processor time a call: floor ${cpu('floor')}, Assay ${cpu('assay')} us, and ${cpu('assay', 'allCpuUs')} until it is stored`,
      ],
    }),
    setup.portkey === null
      ? absent(`${title}, against Portkey, p50`, 'us', { max: 0.05 }, setup.noPortkey)
      : compare({
          figure: `${title}, against Portkey ${setup.portkeyVersion}, p50`,
          unit: 'us',
          assayValues: over('assay'),
          peer: over('portkey'),
          goal: { max: 0.05 },
        }),
  ];
}

/** The p99 of the streams' gaps with the prompts, minus the p99 without. */
async function headOfLine(setup: GatewaySetup, settings: Settings): Promise<Row> {
  const contender = (side: Side, withPrompts: boolean): Contender => ({
    name: `${side.name} ${withPrompts ? 'beside' : 'alone'}`,
    run: () => measureConcurrentStreams(side, withPrompts),
  });
  const measured = await runRounds(
    'G4 beside',
    [setup.floor, setup.assay].flatMap((side) => [contender(side, false), contender(side, true)]),
    settings,
  );
  const raised = (side: string): number[] =>
    addedLatency(measured(`${side} beside`, 'gapP99Ms'), measured(`${side} alone`, 'gapP99Ms'));
  return bound({
    figure: `G4 what ${prompts} prompts of 1 MB, one after the other, add to the gap between chunks of ${concurrentStreams} streams beside them, p99`,
    unit: 'ms',
    assayValues: raised('assay'),
    goal: { max: 5 },
    notes: [`floor ${median(raised('floor')).toFixed(2)} ms; chunks 10 ms apart`],
  });
}

async function measureConcurrentStreams(
  side: Side,
  withPrompts: boolean,
): Promise<{ gapP99Ms: number }> {
  const frames = streamFrames('openai');
  const gaps: number[] = [];
  const unsettled = { ...side, settle: () => Promise.resolve() };
  await Promise.all([
    measureCalls({
      side: unsettled,
      request: side.message('paced', 'openai', requestBody({ stream: true })),
      calls: concurrentStreams,
      connections: concurrentStreams,
      expected: Buffer.concat(frames),
      chunks: frames.length,
      keepsArrivals: true,
      onReply: ({ arrivals }) => gaps.push(...gapsOf(arrivals)),
    }),
    withPrompts
      ? measureCalls({
          side: unsettled,
          request: side.message('plain', 'openai', requestBody({ bytes: 1024 * 1024 })),
          calls: prompts,
          expected: jsonAnswer('openai'),
        })
      : null,
  ]);
  await side.settle(concurrentStreams + (withPrompts ? prompts : 0));
  return { gapP99Ms: quantileOf(gaps, 0.99) };
}
