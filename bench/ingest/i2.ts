import { httpMessage } from '../raw-client';
import { type Contender, median, runRounds } from '../rounds';
import { absent, compare, mockBound, type Row } from '../row';
import type { RowMaker } from '../run';
import { benchTrace, spansJson } from '../spans';
import { measureLoad, requireStored, startBareServer, wipe } from './load';
import { startNext } from './next-peer';

/**
 * I2: requests of a single span, each a separate trace, compared with node:http and with a Next
 * route handler that only parse.
 */
export const i2: RowMaker = {
  name: 'I2',
  async make(stage, settings) {
    const requests = settings.smoke ? 300 : 10_000;
    const edge = await stage.edge();
    const [parse, read] = await Promise.all([startBareServer('parse'), startBareServer('read')]);
    const next = settings.smoke ? null : await startNext(stage);
    let messages: Buffer[] = [];
    const contenders: Contender[] = [
      {
        name: 'assay',
        async run() {
          await wipe(stage);
          const measured = await measureLoad({ child: edge, messages, unitsPerMessage: 1, stage });
          await requireStored(stage, {
            segments: requests,
            spans: requests,
            traces: requests,
            work: requests,
            rolledSpans: requests,
          });
          return measured;
        },
      },
      { name: 'parse', run: () => measureLoad({ child: parse, messages, unitsPerMessage: 1 }) },
      { name: 'read', run: () => measureLoad({ child: read, messages, unitsPerMessage: 1 }) },
      ...(next === null
        ? []
        : [
            {
              name: 'next',
              run: () =>
                measureLoad({
                  child: next,
                  messages: messages.slice(0, 4_000),
                  unitsPerMessage: 1,
                  maxSeconds: 3,
                }),
            },
          ]),
    ];
    const measured = await runRounds('I2', contenders, {
      ...settings,
      prepare: async (round) => {
        messages = Array.from({ length: requests }, (_, n) =>
          httpMessage('/v1/traces', Buffer.from(spansJson(benchTrace(1, round * requests + n))), {
            key: stage.key,
          }),
        );
      },
    });
    for (const child of [parse, read, ...(next === null ? [] : [next])]) await child.stop();
    const assayValues = measured('assay', 'rate');
    const noVerdict = mockBound(assayValues, measured('read', 'rate'));
    const cpu = (name: string): number => median(measured(name, 'cpuUs'));
    const of = (name: string, part: 'serverUs' | 'postgresUs' | 'cpuUs'): string =>
      median(measured(name, part)).toFixed(0);
    const against: Row =
      next === null
        ? absent(
            'I2 against a Next route handler that only parses',
            'requests/s',
            { min: 8 },
            'peers are not started',
          )
        : compare({
            figure: 'I2 against a Next route handler that only parses',
            unit: 'requests/s',
            assayValues,
            peer: measured('next', 'rate'),
            goal: { min: 8 },
            noVerdict,
            notes: [
              `its processor time a request: ${(cpu('next') / cpu('assay')).toFixed(1)} times ours with PostgreSQL`,
            ],
          });
    return [
      compare({
        figure:
          'I2 requests of one span acknowledged after commit, against node:http that only parses',
        unit: 'requests/s',
        assayValues,
        floor: measured('parse', 'rate'),
        goal: { min: 0.4 },
        noVerdict,
        notes: [
          `processor time a request: edge ${of('assay', 'serverUs')}, PostgreSQL ${of('assay', 'postgresUs')}, parsing alone ${of('parse', 'cpuUs')} us`,
        ],
      }),
      against,
    ];
  },
};
