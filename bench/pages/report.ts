import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/data-dir.mjs';
import { machine } from '../report';
import type { ScrolledList } from './long-list';

/** One page: first contentful paint with an empty cache and with a full one, layout shift at its worst, scripts of the first visit, gzip. */
export interface Measured {
  readonly name: string;
  readonly coldMs: number;
  readonly warmMs: number;
  readonly shift: number;
  readonly scriptKb: number;
  readonly requests: number;
}

const most = { paintMs: 1000, shift: 0.05, scriptKb: 250, blankMs: 100, heapBytes: 300_000_000, elements: 5000 } as const;

export const goals = `first contentful paint under ${most.paintMs} ms, layout shift at most ${most.shift}, scripts under ${most.scriptKb} kB, no part of a scrolled list empty for longer than ${most.blankMs} ms, its memory at most ${most.heapBytes / 1e6} MB`;

export function misses(measured: readonly Measured[], list: ScrolledList | null, rows: number): string[] {
  const found = measured.flatMap(({ name, coldMs, warmMs, shift, scriptKb }) => [
    ...(coldMs < most.paintMs ? [] : [`${name} is painted first after ${coldMs} ms, with an empty cache`]),
    ...(warmMs < most.paintMs ? [] : [`${name} is painted first after ${warmMs} ms, with a full cache`]),
    ...(shift <= most.shift ? [] : [`${name} shifts by ${shift}`]),
    ...(scriptKb < most.scriptKb ? [] : [`${name} loads ${scriptKb} kB of scripts`]),
  ]);
  if (list === null) return found;
  return [
    ...found,
    ...(list.rows >= rows ? [] : [`the list ended at ${list.rows} of ${rows} rows`]),
    ...(list.blankMs <= most.blankMs ? [] : [`a part of the list was empty for ${list.blankMs} ms`]),
    ...(list.heapBytes <= most.heapBytes ? [] : [`the list holds ${Math.round(list.heapBytes / 1e6)} MB`]),
    ...(list.elements <= most.elements ? [] : [`the list has ${list.elements} elements`]),
  ];
}

export function print(measured: readonly Measured[], list: ScrolledList | null): string {
  const lines = measured.map(
    ({ name, coldMs, warmMs, shift, scriptKb, requests }) => `| ${[name, coldMs, warmMs, shift, scriptKb, requests].join(' | ')} |`,
  );
  const head = [
    '| page | first paint, empty cache, ms | full cache, ms | layout shift | scripts, kB | requests |',
    `|${' --- |'.repeat(6)}`,
  ];
  return [...head, ...lines, ...(list === null ? [] : ['', listLine(list)])].join('\n');
}

function listLine({ rows, blankMs, frameMs, heapBytes, elements }: ScrolledList): string {
  return `${rows.toLocaleString('en')} verdicts, scrolled by wheel and by the End key to the last of them and back: no part of the list was empty for longer than ${blankMs} ms, the longest time between two frames was ${frameMs} ms, and with all rows loaded the page's scripts hold ${Math.round(heapBytes / 1e6)} MB in ${elements.toLocaleString('en')} elements.`;
}

/** Writes docs/page-speed.md. */
export function save(measured: readonly Measured[], list: ScrolledList, browser: string): void {
  const text = `# Speed of the pages

What each page of the console costs a person, measured in Chromium on a production build with ${list.rows.toLocaleString('en')} stored verdicts, while three verdicts a second arrive. Written by \`npm run measure:pages -- --save\`, which exits 1 where a goal is missed. Goals: ${goals}.

Measured ${new Date().toISOString().slice(0, 10)} on ${machine()}, Chromium ${browser}, with the server, its database and the browser on that one machine. Times are medians of three visits; layout shift and scripts are the worst of them. Scripts count everything that a first visit brings over the network, gzip, with what is fetched ahead.

${print(measured, list)}
`;
  writeFileSync(join(root, 'docs', 'page-speed.md'), text);
}
