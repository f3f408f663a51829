// answers, sources and envelopes, mutated: nothing throws, and figures lie in their answer.
import { expect, test } from 'vitest';
import { fuzzExtent, fuzzOptions } from '../../testing/fuzz/extent';
import { check, fuzz, type Outcome } from '../../testing/fuzz/fuzz';
import { mutateJson, mutateText, pick } from '../../testing/fuzz/mutate';
import type { Random } from '../../testing/seed';
import type { Source } from '../domain';
import {
  figureOf,
  markUnsourced,
  matchCitations,
  parseEnvelope,
  renderFooter,
  renderReprompt,
  scanFigures,
  SourceIndex,
  traceFigures,
} from './index';

const extent = fuzzExtent(200);

const answers = [
  'The disk of web-1 is at 91.4% and 77 GB are free; 2 of 3 hosts (66.7 %) answered by 14:02.',
  '| Host | CPU | Day |\n| --- | ---: | --- |\n| web-1 | 1,234.5 | 2026-05-01 |\n| web-2 | −7 |\n',
  '1. On May 3rd, €1.2 M (±5%) [1]\n2. v1.2.3 at http://a.b/1?x=2 `42` ISO 9001 <a b="7">3</a>',
  'Von 1.234,5 auf 2.000 kB in 5–7 Tagen; ３５％, ٣٤٥, 10⁶ × 3, 1e-7, 0x1F, ½, 12⚠️ and 3 million.',
];
const pieces = [
  '1',
  '0',
  '9.9',
  ',',
  '.',
  ' ',
  '-',
  '−',
  '–',
  '%',
  '€',
  '$',
  '/',
  ':',
  'e',
  'E+',
  '×',
  '⁶',
  '½',
  '(',
  ')',
  '[',
  ']',
  '](',
  '`',
  '```\n',
  '~~~\n',
  '|',
  '\n',
  '\n\n',
  '# ',
  '1. ',
  '- ',
  '<a ',
  '>',
  'http://',
  '@',
  'May',
  ' of ',
  ' million',
  'GB',
  'ISO ',
  'v',
  '⚠️',
  '\0',
  '\ud800',
  '\udc00',
  '😀',
  'é',
  ' ',
  '\xA0',
  '﻿',
  '٣',
  '３',
  '月',
  '"',
  "'",
  '\\',
  '&nbsp;',
  '<!--',
  '$$',
];
const data: readonly unknown[] = [
  {
    rows: [
      { host: 'web-1', disk_pct: 91.4, free: '77 GB', at: '2026-05-01T14:02:00Z' },
      { host: 'web-2', disk_pct: 1234.5, free: '{"x":[1,2.50]}', at: 1_746_000_000 },
    ],
    total: { usd: '1,234.50', n: 3, share: 0.667, long: 1e21 },
    text: 'May 3rd: 5–7 days, ±5%',
  },
  [
    [1, 2, 3],
    ['host', 'cpu'],
    ['web-1', 5],
  ],
];
const texts = ['host;cpu;day\nweb-1;1,5;2026-05-01\nweb-2;7;', ...answers];
const envelope = {
  answer: 'The disk of web-1 is at 91.4%.',
  facts: [{ value: '91.4', source_id: 's0', path: 'rows[0].disk_pct' }],
};

interface Input {
  readonly answer: string;
  readonly sources: readonly Source[];
  readonly envelope: string;
}

function makeSource(at: number, random: Random): Source {
  const isJson = random.next() < 0.7;
  return {
    id: `s${at}`,
    label: pick(['disk', 'a b', '__proto__', ''], random),
    format: random.next() < 0.1 === isJson ? 'text' : 'json',
    text: isJson
      ? mutateJson(pick(data, random), random)
      : mutateText(pick(texts, random), pieces, random),
  };
}

const makeInput = (random: Random): Input => ({
  answer: mutateText(pick(answers, random), pieces, random),
  sources: Array.from({ length: random.between(0, 2) }, (_, at) => makeSource(at, random)),
  envelope: mutateJson(envelope, random),
});

function take({ answer, sources, envelope: sent }: Input): Outcome {
  const index = new SourceIndex(sources);
  const points = Array.from(answer).length;
  const scanned = scanFigures(answer, sources);
  const outside = scanned.find(
    ({ start, end }, at) => start < (scanned[at - 1]?.end ?? 0) || end <= start || end > points,
  );
  check(outside === undefined, 'each figure lies in the answer, after the one before');
  const traces = traceFigures(scanned, answer, index);
  const figures = traces.map((trace) => figureOf(trace, index));
  const parsed = parseEnvelope(sent);
  const facts = parsed?.facts ?? envelope.facts;
  const cited = matchCitations(traces, facts, index, false);
  check(cited.length === scanned.length, 'each figure is matched');
  renderFooter(figures, sources);
  renderReprompt(cited, sources, true);
  // INT-22: the marked answer has the same figures.
  const marked = markUnsourced(answer, figures);
  const textsOf = (answer: string): string =>
    scanFigures(answer, sources)
      .map(({ text }) => text)
      .join('\n');
  check(textsOf(marked) === textsOf(answer), 'the marked answer has the same figures');
  return parsed !== null && figures.some(({ sourced }) => sourced) ? 'taken' : 'refused';
}

test(
  'R-106 answers, sources and envelopes that are mutated are scanned and traced, never slowly',
  fuzzOptions(extent),
  () => {
    const taken = fuzz<Input>('R-106 figures', extent, {
      make: makeInput,
      run: take,
      show: (input) => JSON.stringify(input),
    });
    expect(taken).toBeGreaterThan(0);
  },
);
