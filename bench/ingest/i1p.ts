import { deepStrictEqual } from 'node:assert';
import { gzipSync } from 'node:zlib';
import { decodeSegment, readExport } from '../../server/ingest';
import { httpMessage } from '../raw-client';
import { type Contender, median, runRounds } from '../rounds';
import { compare, type Row } from '../row';
import type { RowMaker, Settings } from '../run';
import { type BenchSpan, benchTrace, spansJson } from '../spans';
import { spansProto } from '../spans-proto';
import type { Stage } from '../stage';
import { measureLoad, micros, requireStored, wipe } from './load';

const spansPerRequest = 20;
const formats = ['json', 'proto'] as const;
type Format = (typeof formats)[number];

const contentType: Readonly<Record<Format, string>> = {
  json: 'application/json',
  proto: 'application/x-protobuf',
};

function encode(format: Format, spans: readonly BenchSpan[]): Buffer {
  return format === 'json' ? Buffer.from(spansJson(spans)) : spansProto(spans);
}

/**
 * I1p: the same spans as protobuf and as JSON, gzipped: the whole path by processor time, and
 * decoding alone in this process.
 */
export const i1p: RowMaker = {
  name: 'I1p',
  async make(stage, settings) {
    return [...(await endToEnd(stage, settings)), ...(await decoding(settings))];
  },
};

async function endToEnd(stage: Stage, settings: Settings): Promise<Row[]> {
  const requests = settings.smoke ? 50 : 2_000;
  const spans = requests * spansPerRequest;
  const edge = await stage.edge();
  const messages = new Map<Format, Buffer[]>();
  const contenders = formats.map(
    (format): Contender => ({
      name: format,
      async run() {
        await wipe(stage);
        const measured = await measureLoad({
          child: edge,
          messages: messages.get(format) ?? [],
          unitsPerMessage: spansPerRequest,
          stage,
        });
        await requireStored(stage, {
          segments: requests,
          spans,
          traces: requests,
          work: requests,
          rolledSpans: spans,
        });
        return { ...measured, perCpuSecond: 1e6 / measured.cpuUs };
      },
    }),
  );
  const measured = await runRounds('I1p', contenders, {
    ...settings,
    prepare: async (round) => {
      const traces = Array.from({ length: requests }, (_, n) =>
        benchTrace(spansPerRequest, round * requests + n),
      );
      for (const format of formats) {
        const headers = { key: stage.key, type: contentType[format], gzip: true };
        messages.set(
          format,
          traces.map((trace) =>
            httpMessage('/v1/traces', gzipSync(encode(format, trace)), headers),
          ),
        );
      }
    },
  });
  return [
    compare({
      figure:
        'I1p protobuf against JSON, both gzip, over the whole way, by processor time of edge and PostgreSQL (floor: JSON)',
      unit: 'spans/CPU s',
      assayValues: measured('proto', 'perCpuSecond'),
      floor: measured('json', 'perCpuSecond'),
      goal: { min: 1.05 },
      notes: [
        `${Math.round(median(measured('proto', 'rate')))} and ${Math.round(median(measured('json', 'rate')))} spans/s`,
      ],
    }),
  ];
}

/** The intake's work on a body (finding its traces), and a reader's work on the stored data. */
const steps = {
  read: (format: Format, body: Buffer) => readExport(body, format, true),
  decode: (format: Format, body: Buffer) => decodeSegment(format, body),
} as const;
type Step = keyof typeof steps;

async function decoding(settings: Settings): Promise<Row[]> {
  const bodies = settings.smoke ? 50 : 2_000;
  const traces = Array.from({ length: bodies }, (_, n) => benchTrace(spansPerRequest, n));
  const encoded = new Map(
    formats.map((format) => [format, traces.map((trace) => encode(format, trace))]),
  );
  for (const [at, body] of (encoded.get('json') ?? []).entries()) {
    const other = encoded.get('proto')?.[at] ?? Buffer.alloc(0);
    deepStrictEqual(
      decodeSegment('proto', other),
      decodeSegment('json', body),
      'void: one format decodes to other spans',
    );
  }
  const contenders = formats.flatMap((format) =>
    (['read', 'decode'] as const).map(
      (step): Contender => ({
        name: `${step} ${format}`,
        run: async () => ({ us: cpuOf(step, format, encoded.get(format) ?? []) }),
      }),
    ),
  );
  const measured = await runRounds('I1p decode', contenders, settings);
  const perSecond = (step: Step, format: Format): number[] =>
    measured(`${step} ${format}`, 'us').map((us) => 1e6 / us);
  const both = (format: Format): number[] =>
    measured(`read ${format}`, 'us').map(
      (us, round) => 1e6 / (us + (measured(`decode ${format}`, 'us')[round] ?? Number.NaN)),
    );
  const row = (figure: string, assayValues: number[], floor: number[], goal?: number): Row =>
    compare({
      figure,
      unit: 'spans/CPU s',
      assayValues,
      floor,
      ...(goal === undefined ? {} : { goal: { min: goal } }),
    });
  return [
    row(
      'I1p decoding alone, in process, protobuf against JSON: intake and reader together',
      both('proto'),
      both('json'),
      1.6,
    ),
    row('I1p of it: intake (readExport)', perSecond('read', 'proto'), perSecond('read', 'json')),
    row(
      'I1p of it: reader (decodeSegment)',
      perSecond('decode', 'proto'),
      perSecond('decode', 'json'),
    ),
  ];
}

/** Processor microseconds per span, including the garbage collector's. */
function cpuOf(step: Step, format: Format, bodies: readonly Buffer[]): number {
  const before = process.cpuUsage();
  for (const body of bodies) steps[step](format, body);
  const { user, system } = process.cpuUsage(before);
  return micros((user + system) / 1e6, bodies.length * spansPerRequest);
}
