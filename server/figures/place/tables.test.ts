import { describe, expect, test } from 'vitest';
import type { Source } from '../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

/** One table in every shape that a tool may return. */
const rows = [
  { city: 'Oslo', wind_kmh: 21, gust_kmh: 48, change_pct: -4 },
  { city: 'Bergen', wind_kmh: 37, gust_kmh: 62, change_pct: 9 },
  { city: 'Narvik', wind_kmh: 15, gust_kmh: 33, change_pct: -7 },
];
const keys = ['city', 'wind_kmh', 'gust_kmh', 'change_pct'] as const;
const heads = ['City', 'Wind (km/h)', 'Gust (km/h)', 'Change (%)'];
const lines = rows.map((row) => keys.map((key) => String(row[key])));
const shapes: readonly (readonly [string, Source['format'], string])[] = [
  ['rows of JSON', 'json', JSON.stringify(rows)],
  [
    'JSON keyed by name',
    'json',
    JSON.stringify(Object.fromEntries(rows.map(({ city, ...values }) => [city, values]))),
  ],
  [
    'JSON arrays side by side',
    'json',
    JSON.stringify(Object.fromEntries(keys.map((key) => [key, rows.map((row) => row[key])]))),
  ],
  ['CSV', 'text', [keys, ...lines].map((line) => line.join(',')).join('\n')],
  [
    'Markdown',
    'text',
    [heads, heads.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n'),
  ],
  ['tabs', 'text', [heads, ...lines].map((line) => line.join('\t')).join('\n')],
  [
    'blocks of pairs',
    'text',
    lines
      .map((line) => line.map((cell, i) => `${heads[i] ?? ''}: ${cell}`).join('\n'))
      .join('\n\n'),
  ],
];
const answers: readonly (readonly [string, readonly string[]])[] = [
  ['The wind is 21 km/h in Oslo and 37 km/h in Bergen.', ['sourced', 'sourced']],
  ['The wind is 37 km/h in Oslo and 21 km/h in Bergen.', ['misattributed', 'misattributed']],
  [
    'Oslo and Bergen have a wind of 37 km/h and 21 km/h, respectively.',
    ['misattributed', 'misattributed'],
  ],
  ['The wind in Oslo is 48 km/h.', ['misattributed']],
  ['The gust in Oslo is 48 km/h.', ['sourced']],
  ['The wind in Oslo is 21 mph.', ['misattributed']],
  ['The wind in Oslo is 13 mph.', ['derived']],
  ['The wind in Oslo is 14 mph.', ['unsourced']],
  ['The wind in Oslo is 21 km/h (13 mph).', ['sourced', 'derived']],
  ['The wind in Oslo is 21 km/h (19 mph).', ['sourced', 'unsourced']],
  ['The highest wind is 37 km/h.', ['sourced']],
  ['The highest wind is 21 km/h.', ['misattributed']],
  ['With 21 km/h, Oslo has the highest wind of all.', ['misattributed']],
  ['The wind ranges from 15 km/h to 37 km/h.', ['sourced', 'sourced']],
  ['The wind ranges from 15 km/h to 21 km/h.', ['sourced', 'misattributed']],
  ['Oslo fell by 4% and Bergen rose by 9%.', ['sourced', 'sourced']],
  ['Oslo fell by 4% and Bergen fell by 9%.', ['sourced', 'misattributed']],
  ['Here is the wind:\n- Oslo: 48 km/h\n- Bergen: 37 km/h', ['misattributed', 'sourced']],
];

describe.each(shapes)('INT-2 figures of a table as %s', (_, format, text) => {
  test.each(answers)('%s', (answer, expected) => {
    const index = new SourceIndex([{ id: 'tc1', label: 'get_wind', format, text }]);
    const statuses = traceFigures(scanFigures(answer), answer, index).map(
      (trace) => figureOf(trace, index).status,
    );
    expect(statuses).toEqual(expected);
  });
});
