import { describe, expect, test } from 'vitest';
import type { Source } from '../domain';
import { scanFigures } from './scan';
import { SourceIndex } from './source-index';
import { figureOf, traceFigures } from './trace';

const json = (text: string, id = 'tc1'): Source => ({ id, label: 'disk', format: 'json', text });
const prose = (text: string, id = 'ctx1'): Source => ({
  id,
  label: 'context',
  format: 'text',
  text,
});

function trace(answer: string, ...sources: Source[]): (string | null)[] {
  const index = new SourceIndex(sources);
  return traceFigures(scanFigures(answer), answer, index).map((found) => {
    const { source } = figureOf(found, index);
    return source === null ? null : `${source.id}#${source.path}`;
  });
}

const isSourced = (answer: string, source: Source): boolean =>
  trace(answer, source).every((place) => place !== null);

describe('INT-18 matching', () => {
  test.each<[string, string, boolean]>([
    // whole tokens
    ['15', '1500', false],
    ['1500', '15', false],
    ['1', '"web-1"', false],
    ['5', '"1,500"', false],
    // separators, signs, trailing zeros
    ['1,234.5', '1234.5', true],
    ['1 234', '1234', true],
    ["1'234", '1234', true],
    ['1\u202f234', '1234', true],
    ['1234', '"1,234"', true],
    ['8.0', '8', true],
    ['0.1', '0.10', true],
    ['−5', '-5', true],
    ['+5', '5', true],
    ['5', '-5', false],
    ['-5', '5', false],
    ['0', '-0', true],
    // display rounding to the digits shown
    ['45.7', '45.73', true],
    ['46', '45.73', true],
    ['45', '45.73', false],
    ['45.73', '45.7', false],
    ['45.70', '45.7', true],
    ['2.5', '2.45', true],
    ['2.4', '2.45', true],
    ['2.6', '2.55', true],
    ['2.5', '2.55', false],
    ['-2.5', '-2.45', true],
    ['3', '2.5', true],
    ['2', '2.5', true],
    ['4', '3.5', true],
    ['3', '3.5', false],
    ['1500', '1487', false],
    ['0', '0.4', true],
    ['1', '0.4', false],
    ['0.3', '0.30000000000000004', true],
    ['9007199254740993', '9007199254740992', false],
    // percent and fraction
    ['91.4%', '0.914', true],
    ['91%', '0.914', true],
    ['91.4 percent', '0.914', true],
    ['91.4', '0.914', false],
    ['0.914', '91.4', false],
    ['91.4%', '91.4', true],
    ['91.4', '"91.4%"', true],
    ['91.4%', '"0.914%"', false],
    ['92%', '0.914', false],
    ['500%', '5', false],
    ['120%', '1.2', true],
    // currency
    ['$5', '5', true],
    ['$5', '"USD 5.00"', true],
    ['$5', '"€5"', false],
    ['5 EUR', '"€5"', true],
    ['5', '"€5"', true],
    ['$12.50', '{"amount":12.5,"currency":"EUR"}', false],
    ['€12.50', '{"amount":12.5,"currency":"EUR"}', true],
    ['€12.50', '{"price_usd":12.5}', false],
    // scale
    ['$1.2 million', '1200000', true],
    ['$1.2 million', '1234567', true],
    ['$1.2M', '1234567', true],
    ['1.3 million', '1234567', false],
    ['5k', '5000', true],
    ['3bn', '3000000000', true],
    ['1.2 million', '1.2', false],
    // dates and times
    ['4 January', '"2024-01-04 14:00:00"', true],
    ['January 4', '"2024-01-04T14:00:00Z"', true],
    ['January 4, 2024', '"2024-01-04 14:00:00"', true],
    ['4th of January 2024', '"2024-01-04"', true],
    ['January 5', '"2024-01-04"', false],
    ['January 4, 2023', '"2024-01-04"', false],
    ['January 2024', '"2024-01-04"', true],
    ['2024', '"2024-01-04"', true],
    ['2023', '"2024-01-04"', false],
    ['the 4th', '"2024-01-04"', true],
    ['14:00', '"2024-01-04 14:00:00"', true],
    ['2 pm', '"2024-01-04 14:00:00"', true],
    ['2 am', '"2024-01-04 14:00:00"', false],
    ['2024-01-04 14:00', '"2024-01-04T14:00:00Z"', true],
    ['2024-01-04', '"4 January 2024"', true],
    ['January 4, 2024', '"January 4"', false],
    ['14:00:05', '"14:00"', false],
    ['14:00', '"14:00:05"', true],
    ['04.01.2024', '"2024-01-04"', true],
    ['2024-01-04', '{"2024-01-04":1}', true],
    // versions and addresses
    ['1.2.3', '"1.2.3"', true],
    ['v1.2.3', '"1.2.3"', true],
    ['1.2.3', '"1.2.30"', false],
    ['10.0.0.1', '"10.0.0.1"', true],
    ['10.0.0.1', '"10.0.0.12"', false],
    // exponents
    ['1e3', '1000', true],
    ['1000', '1E+3', true],
    ['1e400', '1e400', true],
    ['1e401', '1e400', false],
  ])('%s in %s: %s', (answer, source, expected) => {
    expect(isSourced(answer, json(source))).toBe(expected);
  });

  test('INT-19 sums, differences and counts are not in the sources', () => {
    const rows = json('{"rows":[{"a":10.5},{"a":20.25}]}');
    expect(trace('Together 30.75, 9.75 apart, 2 hosts.', rows)).toEqual([null, null, null]);
  });

  test('500 random numbers, written in many ways, trace to their place', () => {
    let seed = 42;
    const random = (): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    };
    for (let i = 0; i < 500; i++) {
      const places = Math.floor(random() * 5);
      const value = ((random() - 0.3) * 10 ** Math.floor(random() * 8)).toFixed(places);
      const source = json(`{"noise":[0.001,"x"],"rows":[{"v":${value}}]}`);
      const number = Number(value);
      const grouped = number.toLocaleString('en-US', {
        minimumFractionDigits: places,
        maximumFractionDigits: places,
      });
      const spellings = [
        value,
        `${value}0`.replace(/^(-?\d+)0$/u, '$1'),
        grouped,
        grouped.replaceAll(',', '\u202f'),
        grouped.replace('-', '−'),
        `${grouped} GB`,
      ];
      if (number > 0) spellings.push(`+${value}`, `$${grouped}`);
      for (const spelling of spellings)
        expect([spelling, trace(`It is ${spelling} now.`, source)]).toEqual([
          spelling,
          ['tc1#rows[0].v'],
        ]);
    }
  });
});

describe('places', () => {
  test('INT-2 paths of JSON, of text and of JSON inside a string', () => {
    expect(trace('91.4%', json('{"rows":[{"disk_pct":91.4}]}'))).toEqual(['tc1#rows[0].disk_pct']);
    expect(trace('91.4%', json('{"a key":{"b.c":[[91.4]]}}'))).toEqual([
      'tc1#["a key"]["b.c"][0][0]',
    ]);
    expect(trace('91.4%', json('91.4'))).toEqual(['tc1#$']);
    expect(trace('91.4%', json(JSON.stringify('{"rows":[{"disk_pct":91.4}]}')))).toEqual([
      'tc1#rows[0].disk_pct',
    ]);
    expect(trace('91.4%', prose('{"rows":[{"disk_pct":91.4}]}', 'tc2'))).toEqual([
      'tc2#rows[0].disk_pct',
    ]);
    expect(trace('91.4%', json('{"note":"disk is at 91.4 percent"}'))).toEqual(['tc1#note']);
    expect(trace('91.4%', prose('🙂 disk at 91.4%'))).toEqual(['ctx1#text[10:15]']);
    expect(trace('91.4%', json('{"broken": 91.4'))).toEqual(['tc1#text[11:15]']);
  });

  test('INT-2 cells of a table are values of their own', () => {
    const table = prose('# per 1,000 people\nhost,pct\n500,123.4\n700,456.7');
    expect(trace('500 and 123.4', table)).toEqual(['ctx1#text[28:31]', 'ctx1#text[32:37]']);
    expect(trace('500,123.4', table)).toEqual([null]);
  });

  test('the place whose words are near the figure wins, and all places are known', () => {
    const rows = json(
      '{"rows":[{"host":"web-1","cpu":40,"disk":91},{"host":"web-2","cpu":91,"disk":40}]}',
    );
    expect(trace('web-2 has its cpu at 91% and web-2 its disk at 40%.', rows)).toEqual([
      'tc1#rows[1].cpu',
      'tc1#rows[1].disk',
    ]);
    const index = new SourceIndex([rows]);
    const reading = scanFigures('91')[0]?.reading;
    expect(reading && index.find(reading)?.items.map((item) => index.placeOf(item).path)).toEqual([
      'rows[0].disk',
      'rows[1].cpu',
    ]);
  });

  test('INT-14 no figures: the sources are not even read', () => {
    const source = {
      id: 'tc1',
      label: 'disk',
      format: 'json' as const,
      get text(): string {
        throw new Error('read');
      },
    };
    expect(trace('All is well.', source)).toEqual([]);
    expect(() => trace('All 5 are well.', source)).toThrow('read');
  });
});

describe('hard numbers and shapes', () => {
  test.each([
    ['12345678901234567890', '12345678901234567890', true],
    ['12345678901234567891', '12345678901234567890', false],
    ['9007199254740993', '9007199254740993', true],
    [
      '0.1234567890123456789012345678901234567890',
      '0.1234567890123456789012345678901234567890',
      true,
    ],
    [
      '0.1234567890123456789012345678901234567891',
      '0.1234567890123456789012345678901234567890',
      false,
    ],
    ['0', '-0', true],
    ['1e400', '1e400', true],
    ['1e400', 'Infinity', false],
    ['5', '[NaN, -Infinity, 5]', true],
    ['1e999999999', '1e999999999', true],
  ])('R-89 the original digits decide: %s in %s: %s', (answer, source, expected) => {
    expect(isSourced(answer, json(source))).toBe(expected);
  });

  test('R-90 deep nesting is cut at 64, without stack overflow', () => {
    const deep = `{"a":1,"deep":${'['.repeat(200_000)}7${']'.repeat(200_000)},"b":2}`;
    expect(trace('1 and 2 and 7', json(deep))).toEqual(['tc1#a', 'tc1#b', null]);
    expect(trace('5', json('['.repeat(200_000)))).toEqual([null]);
    const fair = `${'{"k":'.repeat(63)}[7]${'}'.repeat(63)}`;
    expect(trace('7', json(fair))[0]).toMatch(/k\[0\]$/u);
  });

  test('R-94 prototype keys are text', () => {
    const keys = json(
      '{"__proto__":{"isPublic":41},"constructor":{"prototype":{"x":42}},"toString":43,"then":44}',
    );
    expect(trace('41 42 43 44', keys)).toEqual([
      'tc1#__proto__.isPublic',
      'tc1#constructor.prototype.x',
      'tc1#toString',
      'tc1#then',
    ]);
    expect(Reflect.get({}, 'isPublic')).toBeUndefined();
    expect(trace('5', { ...keys, id: '__proto__', text: '5' })).toEqual(['__proto__#$']);
  });
});
