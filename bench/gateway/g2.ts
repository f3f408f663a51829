import { type Contender, type Measured, median, runRounds } from '../rounds';
import { absent, compare, mockBound, type Row } from '../row';
import type { RowMaker } from '../run';
import { jsonAnswer } from './answers.mjs';
import { type GatewaySetup, startGatewaySetup, requestBody, type Side } from './setup';
import { measureCalls } from './load';

const widths = [16, 32, 64, 128] as const;
/** The number of connections to which the goals for rate and processor time apply. */
const judged = 64;
const boundsMs = [1, 5, 10, 50] as const;

/** G2: processor time and rate of concurrent calls. */
export const g2: RowMaker = {
  name: 'G2',
  async make(stage, settings) {
    const setup = await startGatewaySetup(stage, settings);
    const calls = settings.smoke ? 500 : 8_000;
    const [body, expected] = [requestBody(), jsonAnswer('openai')];
    const contender = (side: Side, connections: number, count: number): Contender => ({
      name: `${side.name} ${connections}`,
      run: () =>
        measureCalls({
          side,
          request: side.message('plain', 'openai', body),
          calls: count,
          connections,
          expected,
        }),
    });
    const measured = await runRounds(
      'G2',
      [
        contender(setup.direct, judged, calls),
        ...(settings.smoke ? [judged] : widths).flatMap((width) =>
          [setup.floor, setup.assay].map((side) => contender(side, width, calls)),
        ),
        ...(setup.portkey === null ? [] : [contender(setup.portkey, judged, 1_500)]),
      ],
      settings,
    );
    return rows(setup, measured, settings.smoke ? [judged] : widths);
  },
};

function rows(setup: GatewaySetup, measured: Measured, widthsMeasured: readonly number[]): Row[] {
  const of = (side: string, figure: string): readonly number[] =>
    measured(`${side} ${judged}`, figure);
  const noVerdict = mockBound(of('assay', 'rate'), of('direct', 'rate'));
  const cpu = 'G2 processor time a call at 64 connections, while calls are served';
  const rate = 'G2 calls at 64 connections';
  const { portkey, portkeyVersion } = setup;
  return [
    compare({
      figure: `${cpu}, against node:http with undici`,
      unit: 'us/call',
      assayValues: of('assay', 'cpuUs'),
      floor: of('floor', 'cpuUs'),
      goal: { max: 1.6 },
      notes: ['with recording in the background'],
    }),
    compare({
      figure: 'G2 the same until every call is stored as a turn',
      unit: 'us/call',
      assayValues: of('assay', 'allCpuUs'),
      floor: of('floor', 'cpuUs'),
      notes: [`records given up so far because the queue was full: ${setup.dropped()}`],
    }),
    compare({
      figure: `${rate}, against node:http with undici`,
      unit: 'calls/s',
      assayValues: of('assay', 'rate'),
      floor: of('floor', 'rate'),
      goal: { min: 0.6 },
      noVerdict,
      notes: [
        `within a p99 of ${boundsMs.map((ms) => `${ms} ms: ${bestWithin(measured, widthsMeasured, ms)}`).join(', ')} calls/s`,
      ],
    }),
    ...(portkey === null
      ? [
          absent(`${cpu}, against Portkey`, 'us/call', { max: 0.077 }, setup.noPortkey),
          absent(`${rate}, against Portkey`, 'calls/s', { min: 10 }, setup.noPortkey),
        ]
      : [
          compare({
            figure: `${cpu}, against Portkey ${portkeyVersion}`,
            unit: 'us/call',
            assayValues: of('assay', 'cpuUs'),
            peer: of('portkey', 'cpuUs'),
            goal: { max: 0.077 },
          }),
          compare({
            figure: `${rate}, against Portkey ${portkeyVersion}`,
            unit: 'calls/s',
            assayValues: of('assay', 'rate'),
            peer: of('portkey', 'rate'),
            goal: { min: 10 },
            noVerdict,
          }),
        ]),
  ];
}

/** The highest median rate among the widths whose median p99 is within the bound. */
function bestWithin(measured: Measured, widthsMeasured: readonly number[], ms: number): string {
  const withinBound = widthsMeasured.filter(
    (width) => median(measured(`assay ${width}`, 'p99Us')) <= ms * 1000,
  );
  const rates = withinBound.map((width) => median(measured(`assay ${width}`, 'rate')));
  return rates.length === 0 ? 'none' : Math.max(...rates).toFixed(0);
}
