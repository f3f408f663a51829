import { type Contender, type Measured, median, runRounds } from '../rounds';
import { absent, compare, type Row } from '../row';
import type { RowMaker } from '../run';
import { jsonAnswer } from './answers.mjs';
import { type GatewaySetup, startGatewaySetup, requestBody, type Side } from './setup';
import { addedLatency, measureCalls } from './load';

/** G1: the latency added to a call, one connection; the other half of G2 is in g2.ts. */
export const g1: RowMaker = {
  name: 'G1',
  async make(stage, settings) {
    const setup = await startGatewaySetup(stage, settings);
    const calls = settings.smoke ? 100 : 2_000;
    const [body, expected] = [requestBody(), jsonAnswer('openai')];
    const contender = (side: Side, count: number): Contender => ({
      name: side.name,
      run: () =>
        measureCalls({
          side,
          request: side.message('plain', 'openai', body),
          calls: count,
          expected,
        }),
    });
    const sides = [setup.direct, setup.floor, setup.assay, setup.ten];
    const measured = await runRounds(
      'G1',
      [
        ...sides.map((side) => contender(side, calls)),
        ...(setup.portkey === null ? [] : [contender(setup.portkey, 1_000)]),
      ],
      settings,
    );
    return rows(setup, measured, calls);
  },
};

function rows(setup: GatewaySetup, measured: Measured, calls: number): Row[] {
  const over = (name: string, figure: string): number[] =>
    addedLatency(measured(name, figure), measured('direct', figure));
  const us = (name: string, figure: string): string => median(measured(name, figure)).toFixed(0);
  const title = 'G1 added to a call of 1.7 KB, one connection, each call captured and stored';
  return [
    compare({
      figure: `${title}, against node:http with undici, p50`,
      unit: 'us',
      assayValues: over('assay', 'p50Us'),
      floor: over('floor', 'p50Us'),
      goal: { max: 2 },
      notes: [
        `direct ${us('direct', 'p50Us')}, floor ${us('floor', 'p50Us')}, Assay ${us('assay', 'p50Us')} us; ${calls} calls a round`,
      ],
    }),
    compare({
      figure: `${title}, p99`,
      unit: 'us',
      assayValues: over('assay', 'p99Us'),
      floor: over('floor', 'p99Us'),
      goal: { max: 3 },
      notes: [
        `direct ${us('direct', 'p99Us')}, floor ${us('floor', 'p99Us')}, Assay ${us('assay', 'p99Us')} us`,
      ],
    }),
    compare({
      figure: `${title}, a verifier every tenth turn, p50`,
      unit: 'us',
      assayValues: over('ten', 'p50Us'),
      floor: over('floor', 'p50Us'),
    }),
    setup.portkey === null
      ? absent(`${title}, against Portkey, p50`, 'us', { max: 0.1 }, setup.noPortkey)
      : compare({
          figure: `${title}, against Portkey ${setup.portkeyVersion}, p50`,
          unit: 'us',
          assayValues: over('assay', 'p50Us'),
          peer: over('portkey', 'p50Us'),
          goal: { max: 0.1 },
        }),
  ];
}
