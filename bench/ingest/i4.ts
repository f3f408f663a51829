import { drainWork } from '../../testing/database';
import { getTrace } from '../../server/ingest';
import type { Child } from '../child';
import { httpMessage, sendAll } from '../raw-client';
import { type Contender, runRounds } from '../rounds';
import { compare } from '../row';
import type { RowMaker } from '../run';
import { type BenchSpan, benchTrace, spansJson } from '../spans';
import type { Stage } from '../stage';
import { measureLoad, requireStored, wipe } from './load';

const spansPerRequest = 20;

/**
 * I4: a stored batch resent unchanged, compared with a new one of the same size into the same
 * table.
 */
export const i4: RowMaker = {
  name: 'I4',
  async make(stage, settings) {
    const requests = settings.smoke ? 50 : 2_000;
    const spans = requests * spansPerRequest;
    const edge = await stage.edge();
    let old: Buffer[] = [];
    let fresh: Buffer[] = [];
    const make = (salt: number): Buffer[] =>
      Array.from({ length: requests }, (_, n) =>
        messageOf(stage, benchTrace(spansPerRequest, salt * requests + n)),
      );
    const load = (messages: readonly Buffer[]) =>
      measureLoad({ child: edge, messages, unitsPerMessage: spansPerRequest, stage });
    const contenders: Contender[] = [
      { name: 'fresh', run: () => load(fresh) },
      { name: 'again', run: () => load(old) },
    ];
    const check = (): Promise<void> =>
      requireStored(stage, {
        segments: requests * 2,
        spans: spans * 2,
        traces: requests * 2,
        work: requests * 2,
        rolledSpans: spans * 2,
        rolledDuplicates: spans,
      });
    const measured = await runRounds('I4', contenders, {
      ...settings,
      prepare: async (round) => {
        if (round > 0) await check();
        await wipe(stage);
        [old, fresh] = [make(round * 2), make(round * 2 + 1)];
        await load(old);
      },
    });
    await check();
    await checkConflict(stage, edge);
    return [
      compare({
        figure: 'I4 a batch sent again, all of it duplicates, against a fresh one (floor: fresh)',
        unit: 'spans/s',
        assayValues: measured('again', 'rate'),
        floor: measured('fresh', 'rate'),
        goal: { min: 0.8 },
        notes: ['no duplicate row; other content under the same ids is kept and flagged'],
      }),
    ];
  },
};

function messageOf(stage: Stage, spans: readonly BenchSpan[]): Buffer {
  return httpMessage('/v1/traces', Buffer.from(spansJson(spans)), { key: stage.key });
}

/**
 * The same ids with other content: both are kept, and the trace reports it.
 * @throws Error otherwise
 */
async function checkConflict(stage: Stage, edge: Child): Promise<void> {
  await wipe(stage);
  const spans = benchTrace(3, 1);
  const other = spans.map((span) => ({
    ...span,
    attributes: [...span.attributes, ['release', '2'] as const],
  }));
  const { statuses } = await sendAll(
    edge.port,
    [messageOf(stage, spans), messageOf(stage, other)],
    1,
  );
  if (statuses.get(200) !== 2)
    throw new Error(`void: conflicting content was answered ${JSON.stringify([...statuses])}`);
  await requireStored(stage, { segments: 2, spans: 6, traces: 1, work: 1 });
  await drainWork(stage.runtime);
  const { trace } = await getTrace(stage.project, spans[0]?.traceId ?? '');
  if (trace?.spans !== 3 || !trace.flags.includes('conflict'))
    throw new Error(`void: a conflict is not flagged: ${JSON.stringify(trace)}`);
}
