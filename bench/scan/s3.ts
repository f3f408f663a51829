import { contractPatterns, extractContract } from '../../server/code';
import { type Contender, median, quantileOf, rounded, runRounds } from '../rounds';
import { bound, compare, type Row } from '../row';
import type { Settings, StagelessRowMaker } from '../run';
import { type CodeRequest, makeRequests } from './request-corpus';
import { contender } from './s1';

/**
 * S3: the contract of a request of 20 KB. Floor: the time that the engine takes to match every
 * pattern of the extraction in the same texts (`matchAll`, with the matches ignored). 200 requests
 * in turn; a hostile one repeats a single piece.
 */
const SEED = 20_261_122;
const DOCUMENTS = 200;
const CHARS = 20_000;
const LARGE_CHARS = 100_000;
const LARGE_DOCUMENTS = 40;
/**
 * The number of readings of each text, so that the time of a text excludes the load of other
 * processes.
 */
const REPEATS = 25;
/** The worst of many ratios is the most disturbed one, so hostile texts are read more often. */
const HOSTILE_REPEATS = 80;
/**
 * Number of small hostile texts per reading; a large text is read once, so that both sizes are the
 * same amount of work.
 */
const SMALL_IN_ONE = LARGE_CHARS / CHARS;

const hostile: readonly string[] = [
  '7',
  ' ',
  '\n',
  'must ',
  'create ',
  'create a ',
  'a.py ',
  '.py',
  'a/',
  '/api/a ',
  'class A, ',
  'functions a, ',
  'react ',
  'express to ',
  'six functions ',
  'tests ',
  '`',
  '(',
  'def a(',
];

export const s3: StagelessRowMaker = {
  name: 'S3',
  async make(settings) {
    const requests = makeRequests(DOCUMENTS, CHARS, SEED);
    const large = makeRequests(LARGE_DOCUMENTS, LARGE_CHARS, SEED);
    for (const request of [...requests, ...large]) checkFiles(request);
    return [
      ...(await measureRequests(settings, requests, large)),
      ...(await measureHostile(settings)),
    ];
  },
};

async function measureRequests(
  settings: Settings,
  requests: readonly CodeRequest[],
  large: readonly CodeRequest[],
): Promise<Row[]> {
  const measured = await runRounds(
    'S3',
    [
      contender('floor', settings, inTurn(requests, matchAll), 1),
      contender('contract', settings, inTurn(requests, extract), 1),
      contender('large', settings, inTurn(large, extract), 1),
      slowestReadings(requests, settings),
    ],
    settings,
  );
  const assayValues = measured('contract', 'ms');
  const [p50, p99] = ['p50', 'p99'].map((figure) => rounded(median(measured('contract', figure))));
  return [
    compare({
      figure: 'S3 contract of a request of 20 KB, against matchAll of the same patterns',
      unit: 'ms of CPU',
      assayValues,
      floor: measured('floor', 'ms'),
      goal: { max: 1.5 },
      notes: [`${contractPatterns.length} patterns over the whole text, ${DOCUMENTS} requests`],
    }),
    bound({
      figure: 'S3 contract of a request of 20 KB, p99 of the documents',
      unit: 'ms',
      assayValues: measured('documents', 'p99'),
      goal: { max: 0.5 },
      notes: [
        `each document by the median of ${REPEATS} readings; single readings, with other load: p50 ${p50} ms, p99 ${p99} ms`,
      ],
    }),
    compare({
      figure: 'S3 contract of a request of 100 KB, against one of 20 KB',
      unit: 'ms of CPU',
      assayValues: measured('large', 'ms'),
      floor: assayValues,
      goal: { max: 6 },
    }),
  ];
}

async function measureHostile(settings: Settings): Promise<Row[]> {
  const run = async (): Promise<Record<string, number>> => {
    const ratios = hostile.map((piece) => {
      const [small, large] = [CHARS, LARGE_CHARS].map((chars) =>
        piece.repeat(chars / piece.length),
      );
      // In turn, so that both run under the same conditions.
      const readings = Array.from({ length: settings.smoke ? 2 : HOSTILE_REPEATS }, () => ({
        small: reading(small ?? '', SMALL_IN_ONE),
        large: reading(large ?? '', 1),
      }));
      return {
        piece,
        ratio:
          Math.min(...readings.map((each) => each.large)) /
          Math.min(...readings.map((each) => each.small)),
      };
    });
    const worst = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    settings.log({ worst: worst.piece, ratio: worst.ratio });
    return { ratio: worst.ratio };
  };
  const measured = await runRounds('S3 hostile', [{ name: 'worst', run }], settings);
  return [
    bound({
      figure: 'S3 hostile requests, 100 KB against 20 KB, the worst of all',
      unit: 'times',
      assayValues: measured('worst', 'ratio'),
      goal: { max: 6 },
      notes: [
        `${hostile.length} pieces repeated, each size by the quickest of ${HOSTILE_REPEATS} readings`,
      ],
    }),
  ];
}

/** Wall-clock milliseconds of one extraction in a reading of `operations` extractions. */
function reading(text: string, operations: number): number {
  const began = performance.now();
  for (let i = 0; i < operations; i++) extractContract(text);
  return (performance.now() - began) / operations;
}

/**
 * The slowest documents, each by the median of its readings, which excludes the load of other
 * processes.
 */
function slowestReadings(requests: readonly CodeRequest[], { smoke }: Settings): Contender {
  const medianOf = ({ text }: CodeRequest): number =>
    median(Array.from({ length: smoke ? 2 : REPEATS }, () => reading(text, 1)));
  return {
    name: 'documents',
    run: async () => ({ p99: quantileOf(requests.map(medianOf), 0.99) }),
  };
}

/** Extracts one request per call, in turn. @returns an operation that returns 1 */
function inTurn(
  requests: readonly CodeRequest[],
  operate: (request: CodeRequest) => void,
): () => number {
  let next = 0;
  return () => {
    const request = requests[next++ % requests.length];
    if (request === undefined) return 0;
    operate(request);
    return 1;
  };
}

function extract({ text, deliverables }: CodeRequest): void {
  const found = extractContract(text).deliverables.length;
  if (found !== deliverables.length)
    throw new Error(`${found} files instead of ${deliverables.length}`);
}

function matchAll({ text }: CodeRequest): void {
  for (const pattern of contractPatterns)
    for (const match of text.matchAll(pattern)) if (match.index < 0) throw new Error('no place');
}

/**
 * @throws Error if the extraction does not return the files of the generated request, which voids
 * the run
 */
function checkFiles({ text, deliverables }: CodeRequest): void {
  const found = extractContract(text).deliverables;
  if (found.join() !== deliverables.join())
    throw new Error(`S3: ${found.join(', ')} instead of ${deliverables.join(', ')}`);
}
