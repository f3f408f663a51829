import type { Child } from '../child';
import { httpMessage } from '../raw-client';
import { type Contender, type Measured, median, runRounds } from '../rounds';
import { absent, compare, mockBound, type Row } from '../row';
import type { RowMaker, Settings } from '../run';
import { benchTrace, spansJson } from '../spans';
import type { Stage } from '../stage';
import { copyFile, makeCopyTables, writePlainSpans, writeSegments } from './copy-floor';
import { measureLoad, requireStored, startBareServer, wipe } from './load';
import { type Peer, type PeerName, peers, startPeer } from './peers';

const spansPerRequest = 20;
/** A peer that is much slower stops a round after this time (performance.md 4.0, item 2). */
const peerSeconds = 3;

/**
 * I1: spans acknowledged after commit, 20 per request and each request a separate trace, 32
 * connections, a real key; compared with one backend's COPY of the same spans, and with other
 * receivers of the same requests.
 */
export const i1: RowMaker = {
  name: 'I1',
  async make(stage, settings) {
    const requests = settings.smoke ? 100 : 2_000;
    const spans = requests * spansPerRequest;
    const edge = await stage.edge();
    const [parse, read] = await Promise.all([startBareServer('parse'), startBareServer('read')]);
    const found = settings.smoke ? [] : await startPeers(stage);
    await makeCopyTables(stage);
    let bodies: Buffer[] = [];
    let plain = '';
    let segments = '';
    const messages = (path: string, key?: string): Buffer[] =>
      bodies.map((body) => httpMessage(path, body, key === undefined ? {} : { key }));
    const contenders: Contender[] = [
      {
        name: 'assay',
        async run() {
          await wipe(stage);
          const measured = await measureLoad({
            child: edge,
            messages: messages('/v1/traces', stage.key),
            unitsPerMessage: spansPerRequest,
            stage,
          });
          await requireStored(stage, {
            segments: requests,
            spans,
            traces: requests,
            work: requests,
            rolledSpans: spans,
            rolledDuplicates: 0,
          });
          segments = await writeSegments(stage);
          return measured;
        },
      },
      ...[['parse', parse] as const, ['read', read] as const].map(([name, child]) => ({
        name,
        run: () =>
          measureLoad({
            child,
            messages: messages('/', stage.key),
            unitsPerMessage: spansPerRequest,
          }),
      })),
      {
        name: 'copy',
        run: () => copyFile(stage, 'plain_spans', plain, { rows: spans, units: spans }),
      },
      // From the previous round, if this round runs it before the load: as many rows of the same
      // size.
      {
        name: 'copySegments',
        run: () => copyFile(stage, 'copied_segments', segments, { rows: requests, units: spans }),
      },
      ...found.flatMap(([name, peer]) =>
        'missing' in peer ? [] : [peerContender(name, peer, messages)],
      ),
    ];
    const measured = await runRounds('I1', contenders, {
      ...settings,
      prepare: async (round) => {
        const traces = Array.from({ length: requests }, (_, n) =>
          benchTrace(spansPerRequest, round * requests + n),
        );
        bodies = traces.map((trace) => Buffer.from(spansJson(trace)));
        plain = writePlainSpans(stage, traces);
      },
    });
    for (const child of [
      parse,
      read,
      ...found.flatMap(([, peer]) => ('missing' in peer ? [] : [peer.child])),
    ])
      await child.stop();
    return [
      ...ownRows(measured),
      ...found.map(([name, peer]) => peerRow(name, peer, measured)),
      ...skippedPeers(settings),
    ];
  },
};

async function startPeers(stage: Stage): Promise<(readonly [PeerName, Peer])[]> {
  return [
    ['promptfoo', await startPeer(stage, 'promptfoo')] as const,
    ['genkit', await startPeer(stage, 'genkit')] as const,
  ];
}

function peerContender(
  name: PeerName,
  peer: Extract<Peer, { child: Child }>,
  messages: (path: string) => Buffer[],
): Contender {
  return {
    name,
    run: () =>
      measureLoad({
        child: peer.child,
        messages: messages(peers[name].path),
        unitsPerMessage: spansPerRequest,
        maxSeconds: peerSeconds,
      }),
  };
}

function ownRows(measured: Measured): Row[] {
  const assayValues = measured('assay', 'rate');
  const noVerdict = mockBound(assayValues, measured('read', 'rate'));
  const floorCpu = measured('parse', 'cpuUs').map(
    (parse, round) => parse + (measured('copy', 'cpuUs')[round] ?? Number.NaN),
  );
  const of = (figure: string): string => median(measured('assay', figure)).toFixed(1);
  return [
    compare({
      figure:
        "I1 spans acknowledged after commit, 20 a request, against one backend's COPY of the same spans, a row a span",
      unit: 'spans/s',
      assayValues,
      floor: measured('copy', 'rate'),
      goal: { min: 0.45 },
      noVerdict,
      notes: [`p50 ${of('p50Ms')} ms, p99 ${of('p99Ms')} ms a request`],
    }),
    compare({
      figure:
        'I1 the same, against COPY of the rows that the intake stores (a row a trace and request)',
      unit: 'spans/s',
      assayValues,
      floor: measured('copySegments', 'rate'),
    }),
    compare({
      figure:
        'I1 processor time a span, edge and PostgreSQL, against parsing alone and COPY together',
      unit: 'us/span',
      assayValues: measured('assay', 'cpuUs'),
      floor: floorCpu,
      goal: { max: 2 },
      notes: [`edge ${of('serverUs')}, PostgreSQL ${of('postgresUs')}`],
    }),
  ];
}

const peerGoals: Readonly<Record<PeerName, { readonly min: number }>> = {
  promptfoo: { min: 8 },
  genkit: { min: 1 },
};
const peerFigure = (name: PeerName): string =>
  `I1 against ${name === 'genkit' ? "genkit's telemetry server" : "promptfoo's receiver"}`;

function peerRow(name: PeerName, peer: Peer, measured: Measured): Row {
  const figure = peerFigure(name);
  if ('missing' in peer) return absent(figure, 'spans/s', peerGoals[name], peer.missing);
  const assayValues = measured('assay', 'rate');
  const cpu = median(measured(name, 'cpuUs')) / median(measured('assay', 'cpuUs'));
  return compare({
    figure: `${figure} ${peer.version}`,
    unit: 'spans/s',
    assayValues,
    peer: measured(name, 'rate'),
    goal: peerGoals[name],
    noVerdict: mockBound(assayValues, measured('read', 'rate')),
    notes: [`its processor time a span: ${cpu.toFixed(1)} times ours with PostgreSQL`],
  });
}

function skippedPeers({ smoke }: Settings): Row[] {
  if (!smoke) return [];
  return (['promptfoo', 'genkit'] as const).map((name) =>
    absent(peerFigure(name), 'spans/s', peerGoals[name], 'peers are not started'),
  );
}
