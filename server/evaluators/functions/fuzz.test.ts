// lines of the harness, mutated: each is read strictly or refused, and every result can be
// stored.
import { expect, test } from 'vitest';
import { hasUnstorableText } from '../../domain';
import { fuzzExtent, fuzzOptions } from '../../../testing/fuzz/extent';
import { check, fuzz, type Outcome } from '../../../testing/fuzz/fuzz';
import { cutBytes, mutateBytes, mutateJson, pick } from '../../../testing/fuzz/mutate';
import type { Random } from '../../../testing/seed';
import { createLineReader, readLine } from './lines';
import { readResult } from './outcome';

const extent = fuzzExtent(8_000);
const lines: readonly unknown[] = [
  [
    'ready',
    [
      ['output', true],
      ['context', false],
    ],
    true,
  ],
  ['fault', 'syntax', 'SyntaxError: invalid syntax', 2],
  ['t', 1.5, 'ok', 0.5, 'printed', null],
  ['t', 1.5, 'ok', { score: 0.5, label: 'fine', reason: 'r', metadata: { a: [1] } }, '', null],
  [
    't',
    1.5,
    'ok',
    [
      { name: 'a', score: 1, weight: 2, must_pass: true },
      { name: 'b', score: null, label: 'n/a' },
    ],
    'printed',
    null,
  ],
  ['t', 2, 'bad', "KeyError: 'x'", 'printed', 3],
];

function makeInput(random: Random): readonly Buffer[] {
  const written = Array.from({ length: random.between(1, 4) }, () => {
    const line = Buffer.from(mutateJson(pick(lines, random), random));
    return Buffer.concat([
      random.next() < 0.2 ? mutateBytes(line, random) : line,
      Buffer.from(random.next() < 0.95 ? '\n' : ''),
    ]);
  });
  return cutBytes(Buffer.concat(written), random);
}

/** JSON writes both as escapes. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

function take(parts: readonly Buffer[]): Outcome {
  let results = 0;
  const read = createLineReader();
  const found = parts.flatMap((part) => read(part) ?? []);
  for (const line of found) {
    const answer = readLine(line);
    if (answer?.state !== 'answer') continue;
    check(!hasUnstorableText(answer.stdout), 'the printed text can be stored');
    if ('fault' in answer.returned) {
      check(!hasUnstorableText(answer.returned.fault), 'a fault can be stored');
      continue;
    }
    const result = readResult(answer.returned.value);
    if ('fault' in result) {
      check(result.fault !== '', 'a refusal names its fault');
      continue;
    }
    check(
      result.value === null || (result.value >= 0 && result.value <= 1),
      'a value is from 0 to 1',
    );
    // Half a surrogate pair is written as an escape.
    check(!unstorable.test(JSON.stringify(result)), 'a result can be stored');
    results++;
  }
  return results > 0 ? 'taken' : 'refused';
}

test(
  'R-106 lines of the harness that are mutated are read or refused, never slowly',
  fuzzOptions(extent),
  () => {
    const taken = fuzz('R-106 functions', extent, {
      make: makeInput,
      run: take,
      show: (parts) => JSON.stringify(parts.map(String)),
    });
    expect(taken).toBeGreaterThan(0);
  },
);
