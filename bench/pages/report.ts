import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/data-dir.mjs';
import { machine } from '../report';
import type { ScrolledList } from './long-list';

/**
 * One page: first contentful paint with an empty cache and with a full one, layout shift at its
 * worst, scripts of the first visit, gzip.
 */
export interface Measured {
  readonly name: string;
  readonly coldMs: number;
  readonly warmMs: number;
  readonly shift: number;
  /** Those that the document itself loads. */
  readonly firstScriptKb: number;
  readonly scriptKb: number;
  readonly requests: number;
}

const limits = {
  paintMs: 1000,
  shift: 0.05,
  firstScriptKb: 250,
  blankMs: 100,
  heapBytes: 300_000_000,
  elements: 5000,
} as const;

export const goals = `first contentful paint under ${limits.paintMs} ms, layout shift at most ${limits.shift}, scripts of the first load under ${limits.firstScriptKb} kB, no part of a scrolled list empty for longer than ${limits.blankMs} ms, its memory at most ${limits.heapBytes / 1e6} MB`;

export function misses(
  measured: readonly Measured[],
  list: ScrolledList | null,
  rows: number,
): string[] {
  const found = measured.flatMap(({ name, coldMs, warmMs, shift, firstScriptKb }) => [
    ...(coldMs < limits.paintMs
      ? []
      : [`${name} is painted first after ${coldMs} ms, with an empty cache`]),
    ...(warmMs < limits.paintMs
      ? []
      : [`${name} is painted first after ${warmMs} ms, with a full cache`]),
    ...(shift <= limits.shift ? [] : [`${name} shifts by ${shift}`]),
    ...(firstScriptKb < limits.firstScriptKb
      ? []
      : [`${name} loads ${firstScriptKb} kB of scripts first`]),
  ]);
  if (list === null) return found;
  return [
    ...found,
    ...(list.rows >= rows ? [] : [`the list ended at ${list.rows} of ${rows} rows`]),
    ...(list.blankMs <= limits.blankMs
      ? []
      : [`a part of the list was empty for ${list.blankMs} ms`]),
    ...(list.heapBytes <= limits.heapBytes
      ? []
      : [`the list holds ${Math.round(list.heapBytes / 1e6)} MB`]),
    ...(list.elements <= limits.elements ? [] : [`the list has ${list.elements} elements`]),
  ];
}

export function print(measured: readonly Measured[], list: ScrolledList | null): string {
  const lines = measured.map(
    ({ name, coldMs, warmMs, shift, firstScriptKb, scriptKb, requests }) =>
      `| ${[name, coldMs, warmMs, shift, firstScriptKb, scriptKb, requests].join(' | ')} |`,
  );
  const head = [
    '| page | first paint, empty cache, ms | full cache, ms | layout shift | first scripts, kB | all scripts, kB | requests |',
    `|${' --- |'.repeat(7)}`,
  ];
  return [...head, ...lines, ...(list === null ? [] : ['', listLine(list)])].join('\n');
}

function listLine({ rows, blankMs, frameMs, heapBytes, elements }: ScrolledList): string {
  return `${rows.toLocaleString('en')} verdicts, scrolled by wheel and by the End key to the last of them and back: no part of the list was empty for longer than ${blankMs} ms, the longest time between two frames was ${frameMs} ms, and with all rows loaded the page's scripts hold ${Math.round(heapBytes / 1e6)} MB in ${elements.toLocaleString('en')} elements.`;
}

/** Writes bench/results/page-speed.md. */
export function save(measured: readonly Measured[], list: ScrolledList, browser: string): void {
  const text = `# Speed of the pages

What each page of the console costs a person, measured in Chromium on a production build with ${list.rows.toLocaleString('en')} stored verdicts, while three verdicts a second arrive. Written by \`npm run measure:pages -- --save\`, which exits 1 where a goal is missed. Goals: ${goals}.

Measured ${new Date().toISOString().slice(0, 10)} on ${machine()}, Chromium ${browser}, with the server, its database and the browser on that one machine. Times are medians of three visits; layout shift and scripts are the worst of them. Scripts are of a visit with an empty cache, gzip, as they come over the network without their heads: first those that the document itself loads, then all, with charts, dialogs and what is fetched ahead once the page stands.

${print(measured, list)}
`;
  const file = join(root, 'bench', 'results', 'page-speed.md');
  writeFileSync(file, text);
  // Columns are padded as the project's formatter does.
  execFileSync(process.execPath, [
    join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome'),
    'format',
    '--write',
    file,
  ]);
}
