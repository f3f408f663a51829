import search from 'approx-string-match';
import { editsAllowed, FuzzyText, MyersPattern } from '../../server/code';
import { type Contender, rounded, runRounds } from '../rounds';
import { compare, type Row } from '../row';
import type { Settings, StagelessRowMaker } from '../run';
import { type CodeCorpus, codeCorpora } from './code-corpora';
import { contender } from './s1';

/**
 * S2: 30 patterns of 31 to 240 characters, changed by up to 15 %, in 200 KB of code. Peer:
 * approx-string-match. Floors: the plain matrix, `indexOf`, and the same search without an index.
 * Every distance is compared with those of the peer and the matrix before the measurement.
 */
const SEED = 20_261_122;

export const s2: StagelessRowMaker = {
  name: 'S2',
  async make(settings) {
    const rows: Row[] = [];
    for (const corpus of codeCorpora(SEED)) {
      checkDistances(corpus);
      rows.push(...(await measureCorpus(settings, corpus)));
    }
    return rows;
  },
};

/** The text is passed to each operation, so that the operation includes building its index. */
const countByAssay = (text: string, patterns: readonly string[]): number => {
  const fuzzy = new FuzzyText(text);
  return patterns.reduce(
    (sum, pattern) => sum + (fuzzy.find(pattern, editsAllowed(pattern))?.distance ?? 1_000),
    0,
  );
};
const peer = (text: string, patterns: readonly string[]): number =>
  patterns.reduce(
    (sum, pattern) => sum + (search(text, pattern, editsAllowed(pattern))[0]?.errors ?? 1_000),
    0,
  );
const plain = (text: string, patterns: readonly string[]): number =>
  patterns.reduce(
    (sum, pattern) =>
      sum +
      (new MyersPattern(pattern).search(text, 0, text.length, editsAllowed(pattern))?.distance ??
        1_000),
    0,
  );
const matrix = (text: string, patterns: readonly string[]): number =>
  patterns.reduce((sum, pattern) => sum + (matrixDistance(text, pattern) ?? 1_000), 0);
const verbatim = (text: string, patterns: readonly string[]): number =>
  patterns.reduce((sum, pattern) => sum + (text.includes(pattern) ? 0 : 1_000), 0);

/** Sellers' matrix, one column at a time. */
function matrixDistance(text: string, pattern: string): number | null {
  const codes = Int32Array.from({ length: pattern.length }, (_, i) => pattern.charCodeAt(i));
  const column = Int32Array.from({ length: pattern.length }, (_, i) => i + 1);
  const last = pattern.length - 1;
  let minEdits = editsAllowed(pattern) + 1;
  for (let j = 0; j < text.length; j++) {
    const code = text.charCodeAt(j);
    let diagonal = 0;
    let above = 0;
    for (let i = 0; i <= last; i++) {
      const left = column[i] as number;
      let best = codes[i] === code ? diagonal : diagonal + 1;
      if (left < best) best = left + 1;
      if (above < best) best = above + 1;
      diagonal = left;
      column[i] = best;
      above = best;
    }
    if (above < minEdits) minEdits = above;
  }
  return minEdits > editsAllowed(pattern) ? null : minEdits;
}

/**
 * @throws Error if a distance differs from that of the peer or of the matrix
 */
function checkDistances({ name, text, edited }: CodeCorpus): void {
  const fuzzy = new FuzzyText(text);
  for (const pattern of edited) {
    const maxEdits = editsAllowed(pattern);
    const found = fuzzy.find(pattern, maxEdits)?.distance ?? null;
    const references = [
      search(text, pattern, maxEdits)[0]?.errors ?? null,
      matrixDistance(text, pattern),
    ];
    if (references.some((other) => other !== found))
      throw new Error(`${name}: ${found} edits instead of ${references.join(' and ')}`);
  }
}

async function measureCorpus(
  settings: Settings,
  { name, text, edited, verbatim: cuts }: CodeCorpus,
): Promise<Row[]> {
  const run =
    (
      of: (text: string, patterns: readonly string[]) => number,
      patterns: readonly string[],
    ): (() => number) =>
    () =>
      of(text, patterns);
  const make = (label: string, of: typeof countByAssay, patterns: readonly string[]): Contender =>
    contender(label, settings, run(of, patterns), of(text, patterns));
  const measured = await runRounds(
    `S2 ${name}`,
    [
      make('assay', countByAssay, edited),
      make('peer', peer, edited),
      make('plain', plain, edited),
      make('indexOf', verbatim, cuts),
      make('verbatim', countByAssay, cuts),
      once('matrix', run(matrix, edited)),
    ],
    settings,
  );
  const ms = (label: string): readonly number[] => measured(label, 'ms');
  const unit = 'ms of CPU';
  const found = edited.filter(
    (pattern) => new FuzzyText(text).find(pattern, editsAllowed(pattern)) !== null,
  ).length;
  return [
    compare({
      figure: `S2 30 patterns nearly found in 200 KB (${name}), against approx-string-match`,
      unit,
      assayValues: ms('assay'),
      peer: ms('peer'),
      goal: { max: 0.9 },
      notes: [`${found} of 30 within 15 %; all distances equal`],
    }),
    compare({
      figure: `S2 the same (${name}), against the plain matrix`,
      unit,
      assayValues: ms('assay'),
      floor: ms('matrix'),
      goal: { max: 1 / 16 },
    }),
    compare({
      figure: `S2 the same (${name}), against the bit-parallel search without an index`,
      unit,
      assayValues: ms('assay'),
      floor: ms('plain'),
      goal: { max: 1.3 },
    }),
    compare({
      figure: `S2 30 patterns that stand there word for word (${name}), against indexOf`,
      unit,
      assayValues: ms('verbatim'),
      floor: ms('indexOf'),
      goal: { max: 2 },
      notes: [`${rounded(ms('indexOf').at(-1) ?? 0)} ms for all 30`],
    }),
  ];
}

/** The matrix takes a second, so one operation per round is enough. */
function once(name: string, operate: () => number): Contender {
  return {
    name,
    async run() {
      const before = process.cpuUsage();
      operate();
      const { user, system } = process.cpuUsage(before);
      return { ms: (user + system) / 1_000 };
    },
  };
}
