import {
  contextOf,
  derive,
  scanFigures,
  SourceContents,
  SourceIndex,
  traceFigures,
} from '../../server/figures';
import type { Source } from '../../server/domain';
import { type Contender, median, quantileOf, rounded, runRounds } from '../rounds';
import { absent, bound, compare, type Row } from '../row';
import type { Settings, StagelessRowMaker } from '../run';
import { type Corpus, makeCorpus, withoutFigures } from './corpus';
import { checkAgainstReference } from './check-reference';
import { lengthOf, longestTranscripts } from './transcripts';

/**
 * S1: a 10 KB answer compared with 200 KB of tool results, in process: `JSON.parse` of the same
 * texts is the floor. A round's figure is the processor time of an operation including garbage
 * collection, which other processes hardly affect; p50 and p99 by wall clock are notes.
 */
const SEED = 20_261_122;
const ANSWER_CHARS = 10_000;
const SOURCES_CHARS = 200_000;
const LARGE_CHARS = 1_000_000;
const TRANSCRIPTS = 5;
/** A round has as many operations as fit into this time, but at least a minimum number. */
const OPERATIONS = 2_000;
const ROUND_MS = 3_000;
const MIN_OPERATIONS = 20;
/** Memory for the sources of earlier steps. */
const KNOWN_BYTES = 64 * 1024 * 1024;

export const s1: StagelessRowMaker = {
  name: 'S1',
  async make(settings) {
    const sizes = { sources: SOURCES_CHARS, answer: ANSWER_CHARS };
    const corpus = makeCorpus(sizes, SEED);
    const large = makeCorpus({ ...sizes, sources: LARGE_CHARS }, SEED);
    for (const each of [corpus, large])
      settings.log({ right: checkAgainstReference(each), sources: lengthOf(each.sources) });
    return [
      ...(await compareWithParsing(settings, corpus, large)),
      ...(await measureTranscripts(settings)),
    ];
  },
};

async function compareWithParsing(
  settings: Settings,
  corpus: Corpus,
  large: Corpus,
): Promise<Row[]> {
  const sourceIndex = new SourceIndex(corpus.sources);
  const contents = new SourceContents(KNOWN_BYTES);
  const silent = withoutFigures(ANSWER_CHARS);
  const measured = await runRounds(
    'S1',
    [
      contender(
        'parse',
        settings,
        () => corpus.sources.map(({ text }) => JSON.parse(text) as unknown).length,
        corpus.sources.length,
      ),
      contender(
        'cold',
        settings,
        () => trace(corpus.answer, new SourceIndex(corpus.sources)),
        corpus.stated.length,
      ),
      contender('warm', settings, () => trace(corpus.answer, sourceIndex), corpus.stated.length),
      contender(
        'step',
        settings,
        () => trace(corpus.answer, new SourceIndex(corpus.sources.map(copyOf), contents)),
        corpus.stated.length,
      ),
      contender(
        'large',
        settings,
        () => trace(large.answer, new SourceIndex(large.sources)),
        large.stated.length,
      ),
      contender('silent', settings, () => trace(silent, new SourceIndex(corpus.sources)), 0),
      contender('derived', settings, deriving(corpus), corpus.stated.length),
    ],
    settings,
  );
  const ms = (name: string): readonly number[] => measured(name, 'ms');
  const tail = (name: string): string => {
    const [p50, p99] = ['p50', 'p99'].map((figure) => rounded(median(measured(name, figure))));
    return `by the clock p50 ${p50} ms, p99 ${p99} ms`;
  };
  const shape = `${corpus.stated.length} figures, ${Math.round(corpus.answer.length / 1000)} KB against ${Math.round(lengthOf(corpus.sources) / 1000)} KB`;
  const floor = ms('parse');
  return [
    compare({
      figure: 'S1 scan and trace, cold, against JSON.parse of the sources',
      unit: 'ms of CPU',
      assayValues: ms('cold'),
      floor,
      goal: { max: 3 },
      notes: [shape, tail('cold')],
    }),
    compare({
      figure: 'S1 the same, the sources indexed already',
      unit: 'ms of CPU',
      assayValues: ms('warm'),
      floor,
      goal: { max: 0.3 },
      notes: [
        tail('warm'),
        'each turn has its own index: this is the cost of a second scan of the same turn',
      ],
    }),
    compare({
      figure: 'S1 the same as the next step of an agent, the sources known by their texts',
      unit: 'ms of CPU',
      assayValues: ms('step'),
      floor,
      notes: [tail('step'), 'an index of its own, over sources that an earlier one has read'],
    }),
    compare({
      figure: 'S1 cold with 1 MB of sources, against cold with 200 KB',
      unit: 'ms of CPU',
      assayValues: ms('large'),
      floor: ms('cold'),
      goal: { max: 5.5 },
      notes: [tail('large')],
    }),
    bound({
      figure: 'S1 an answer without figures',
      unit: 'ms of CPU',
      assayValues: ms('silent'),
      goal: { max: 0.1 },
      notes: [tail('silent')],
    }),
    compare({
      figure:
        'S1 looking for a derivation of every figure, counted apart, its sources read already, against JSON.parse',
      unit: 'ms of CPU',
      assayValues: ms('derived'),
      floor,
      notes: [tail('derived')],
    }),
  ];
}

async function measureTranscripts(settings: Settings): Promise<Row[]> {
  const figure = `S1 scan and trace of ${TRANSCRIPTS} real transcripts, cold, against JSON.parse of their tool results`;
  const transcripts = longestTranscripts(TRANSCRIPTS);
  if (transcripts === null)
    return [absent(figure, 'ms of CPU', { max: 8 }, 'the data set is not there')];
  const run = (): number =>
    transcripts.reduce(
      (sum, { sources, answer }) => sum + trace(answer, new SourceIndex(sources)),
      0,
    );
  const parse = (): number =>
    transcripts.reduce(
      (sum, { sources }) => sum + sources.map(({ text }) => JSON.parse(text) as unknown).length,
      0,
    );
  const measured = await runRounds(
    'S1 real',
    [contender('parse', settings, parse, parse()), contender('cold', settings, run, run())],
    settings,
  );
  const chars = (of: readonly Source[]): string => `${Math.round(lengthOf(of) / 1000)} KB`;
  const answersKb = Math.round(
    transcripts.reduce((sum, { answer }) => sum + answer.length, 0) / 1000,
  );
  return [
    compare({
      figure,
      unit: 'ms of CPU',
      assayValues: measured('cold', 'ms'),
      floor: measured('parse', 'ms'),
      goal: { max: 8 },
      notes: [
        `${run()} figures, ${answersKb} KB of answers, ${chars(transcripts.flatMap(({ sources }) => sources))} of tool results: more text than results`,
      ],
    }),
  ];
}

/** A request of the next step has the same text, but not the same string. */
function copyOf(source: Source): Source {
  return { ...source, text: Buffer.from(source.text).toString() };
}

/** Scans and traces. @returns the number of figures */
function trace(answer: string, index: SourceIndex): number {
  return traceFigures(scanFigures(answer), answer, index).length;
}

/**
 * Searches for a derivation of each figure as if no source contained it: all cached data of a turn
 * is recomputed, except for its parsed sources. The operation returns the number of figures.
 */
function deriving({ sources, answer }: Corpus): () => number {
  const sourceIndex = new SourceIndex(sources);
  const figures = scanFigures(answer);
  const placed = figures.map((figure) => ({
    figure,
    item: sourceIndex.find(figure.reading)?.items[0] ?? null,
  }));
  return () => {
    const index = { sources, read: () => sourceIndex.read() };
    for (const [i, figure] of figures.entries())
      derive(figure, contextOf(answer, placed, i), index);
    return figures.length;
  };
}

/**
 * Runs an operation repeatedly.
 * @throws Error if it returns another number than expected, which voids the run
 */
export function contender(
  name: string,
  { smoke }: Settings,
  operate: () => number,
  expected: number,
): Contender {
  return {
    name,
    async run() {
      const took: number[] = [];
      const minOperations = smoke ? 2 : MIN_OPERATIONS;
      const cpuBefore = process.cpuUsage();
      const began = performance.now();
      let last = began;
      while (
        took.length < minOperations ||
        (!smoke && took.length < OPERATIONS && last - began < ROUND_MS)
      ) {
        const got = operate();
        const now = performance.now();
        if (got !== expected) throw new Error(`${name}: ${got} figures instead of ${expected}`);
        took.push(now - last);
        last = now;
      }
      const { user, system } = process.cpuUsage(cpuBefore);
      return {
        ms: (user + system) / 1_000 / took.length,
        p50: quantileOf(took, 0.5),
        p99: quantileOf(took, 0.99),
      };
    },
  };
}
