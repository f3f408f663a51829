import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readResult, resultLimits } from './outcome';

const plain = { name: null, label: null, reason: null, metadata: null, weight: 1, mustPass: false };
const single = (score: number | null, more = {}) => ({
  value: score,
  mustPass: null,
  isList: false,
  scores: [{ ...plain, score, ...more }],
});
const rate = fc.double({ min: 0, max: 1, noNaN: true });
/** Without negative zero, which JSON does not have. */
const json = fc.jsonValue({ maxDepth: 3 });

describe('the result of a function', () => {
  it.each<readonly [unknown, unknown]>([
    [1, single(1)],
    [0.25, single(0.25)],
    [true, single(1)],
    [false, single(0)],
    [null, single(null)],
    [{ score: null, reason: 'nothing to say' }, single(null, { reason: 'nothing to say' })],
    [
      { name: 'a', score: true, label: 'good', reason: '', metadata: { n: [1] }, error: null },
      single(1, { name: 'a', label: 'good', metadata: { n: [1] } }),
    ],
    [{ score: 1, reason: 'a\u0000b\ud800' }, single(1, { reason: 'a␀b\ufffd' })],
    [{ score: 1, metadata: { '\u0000': '\ud800' } }, single(1, { metadata: { '␀': '\ufffd' } })],
    [{ score: 0, reason: 'x'.repeat(9_000) }, single(0, { reason: 'x'.repeat(2_000) })],
  ])('%j is read', (returned, expected) => {
    expect(readResult(returned)).toEqual(expected);
  });

  it.each<readonly [string, unknown, number | null, number | null]>([
    [
      'the mean',
      [
        { name: 'a', score: 1 },
        { name: 'b', score: 0.5 },
      ],
      0.75,
      null,
    ],
    [
      'the weighted mean',
      [
        { name: 'a', score: 1, weight: 3 },
        { name: 'b', score: 0 },
      ],
      0.75,
      null,
    ],
    [
      'the mean of what is scored',
      [
        { name: 'a', score: 1 },
        { name: 'b', score: null },
      ],
      1,
      null,
    ],
    ['nothing, if nothing is scored', [{ name: 'a', score: null }], null, null],
    ['nothing, if nothing has weight', [{ name: 'a', score: 1, weight: 0 }], null, null],
    [
      'the lowest of what must pass',
      [
        { name: 'a', score: 1 },
        { name: 'b', score: 0.4, must_pass: true },
        { name: 'c', score: 0.6, must_pass: true },
      ],
      0.6667,
      0.4,
    ],
    [
      'nothing, if what must pass is not scored',
      [
        { name: 'a', score: 1 },
        { name: 'b', score: null, must_pass: true },
      ],
      null,
      null,
    ],
  ])('of a list is %s', (_what, returned, value, mustPass) => {
    expect(readResult(returned)).toMatchObject({ value, mustPass, isList: true });
  });

  it.each<readonly [unknown, string]>([
    ['good', 'evaluate returned a text; use a number'],
    [1.5, 'evaluate returned 1.5, which is outside 0 to 1'],
    [-0.1, 'evaluate returned -0.1, which is outside 0 to 1'],
    [[], 'evaluate returned an empty list'],
    [{}, 'score is missing'],
    [{ scroe: 1 }, 'the result has the unknown member "scroe": use "score"'],
    [{ score: '1' }, 'score is a text'],
    [{ score: {} }, 'score is an object'],
    [{ score: 2 }, 'score is 2, which is outside 0 to 1'],
    [{ score: 1, label: 1 }, 'label must be a text'],
    [{ score: 1, label: 'x'.repeat(201) }, 'label has 201 characters; the limit is 200'],
    [
      { score: 1, metadata: 'x'.repeat(16_384) },
      'metadata has 16386 characters as JSON; the limit is 16384',
    ],
    [
      { score: 1, metadata: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) },
      'deeper than 32 levels',
    ],
    [{ score: 0, error: 'no key' }, 'evaluate reported an error: no key'],
    [[1], '[0] of the list is no object'],
    [[{ score: 1 }], '[0].name is missing'],
    [
      [
        { name: 'a', score: 1 },
        { name: 'a', score: 1 },
      ],
      '[1].name repeats "a"',
    ],
    [[{ name: 'a', score: 1, weight: -1 }], '[0].weight must be a number from 0 to 1000'],
    [[{ name: 'a', score: 1, weight: '2' }], '[0].weight must be a number from 0 to 1000'],
    [[{ name: 'a', score: 1, must_pass: 1 }], '[0].must_pass must be a boolean'],
    [
      Array.from({ length: 101 }, (_none, index) => ({ name: String(index), score: 1 })),
      'evaluate returned 101 scores; the limit is 100',
    ],
  ])('%j is a fault', (returned, fault) => {
    expect(readResult(returned)).toEqual({ fault: expect.stringContaining(fault) });
  });

  it('of any JSON is a value from 0 to 1, null or a fault', () => {
    fc.assert(
      fc.property(json, (returned) => {
        const read = readResult(returned);
        const isFault = 'fault' in read;
        expect(isFault ? read.fault : read.scores).not.toHaveLength(0);
        const value = isFault ? null : read.value;
        expect(value === null || (value >= 0 && value <= 1)).toBe(true);
      }),
    );
  });

  it('of a list lies between its lowest and its highest score', () => {
    const list = fc.array(fc.record({ score: rate, weight: fc.integer({ min: 1, max: 1_000 }) }), {
      minLength: 1,
      maxLength: resultLimits.scores,
    });
    fc.assert(
      fc.property(list, (scores) => {
        const read = readResult(scores.map((each, index) => ({ ...each, name: String(index) })));
        const value = 'fault' in read ? null : read.value;
        const values = scores.map((each) => each.score);
        expect(value).toBeGreaterThanOrEqual(Math.min(...values) - 0.0001);
        expect(value).toBeLessThanOrEqual(Math.max(...values) + 0.0001);
      }),
    );
  });
});
