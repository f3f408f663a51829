import { describe, expect, test } from 'vitest';
import type { Figure, Source } from '../../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

const json = (value: unknown): Source => ({ id: 'tc1', label: 'tool', format: 'json', text: JSON.stringify(value) });
const text = (value: string): Source => ({ id: 'tc1', label: 'context', format: 'text', text: value });

function trace(answer: string, source: Source): readonly Figure[] {
  const index = new SourceIndex([source]);
  return traceFigures(scanFigures(answer), answer, index).map((found) => figureOf(found, index));
}

/** Each number of the answer with its status, and the place the sentence points at where that is another one. */
function statuses(answer: string, source: Source): readonly string[] {
  return trace(answer, source).map(({ text: shown, status, expected }) => `${shown} ${status}${expected ? ` ${expected.value}` : ''}`);
}

const forecast = json({
  list: [
    { dt: '2024-01-04 08:00:00', main: { temp: -7.85, feels_like: -9.02, pressure: 1019 }, wind: { speed: 0.59, gust: 0.8 } },
    { dt: '2024-01-04 14:00:00', main: { temp: 1.11, feels_like: -1.4, pressure: 1010 }, wind: { speed: 0.93, gust: 2.93 } },
    { dt: '2024-01-05 08:00:00', main: { temp: -10.06, feels_like: -12.5, pressure: 1026 }, wind: { speed: 0.84, gust: 0.82 } },
    { dt: '2024-01-06 08:00:00', main: { temp: -9.63, feels_like: -9.7, pressure: 1025 }, wind: { speed: 0.81, gust: 0.92 } },
  ],
});
const series = text(
  '# unit: R\ndate,value\n2020-03-12,0.88\n2020-04-10,2.65\n2020-05-10,1.4\n2020-07-01,0.9\n2021-01-05,0.7\n2021-06-01,1.2\n2022-01-03,0.74\n',
);

describe('INT-2 the place that a sentence points at', () => {
  test.each<[string, string, readonly string[]]>([
    ['date', 'On January 5th the temperature is -10.06°C.', ['January 5th sourced', '-10.06°C sourced']],
    ['date of another row', 'On January 5th the temperature is -7.85°C.', ['January 5th sourced', '-7.85°C misattributed -10.06']],
    ['ordinal', 'On the second day, the temperature will be -7.85°C.', ['-7.85°C misattributed -10.06']],
    ['ordinal', 'On the first day, the temperature will be -7.85°C.', ['-7.85°C sourced']],
    ['weekday', 'On Friday the temperature will be -10.06°C.', ['-10.06°C sourced']],
    ['weekday', 'On Saturday the temperature will be -10.06°C.', ['-10.06°C misattributed -9.63']],
    ['sentence before', 'On January 5th it is clear. The wind speed will be 0.59 m/s.', ['January 5th sourced', '0.59 misattributed 0.84']],
    ['date behind', 'The wind speed is 0.84 m/s on January 5th.', ['0.84 sourced', 'January 5th sourced']],
    ['label', 'The wind speed on January 4th is 0.8 m/s.', ['January 4th sourced', '0.8 misattributed 0.59']],
    ['quantity that no key names', 'On January 4th the humidity is 1019.', ['January 4th sourced', '1019 misattributed']],
    ['superlative', 'The highest gust is 0.92 m/s.', ['0.92 misattributed 2.93']],
    ['superlative', 'The highest gust is 2.93 m/s.', ['2.93 sourced']],
    ['no row of that date', 'On January 6th, 2025 the temperature is 1.11°C.', ['January 6th, 2025 unsourced', '1.11°C misattributed']],
    ['nothing speaks against it', 'We saw 1.11 and 1026.', ['1.11 sourced', '1026 sourced']],
  ])('%s: %s', (_, answer, expected) => {
    const got = statuses(answer, forecast).map((each) => each.replace(/ m\/s/u, ''));
    expect(got).toEqual(expected);
  });

  test.each<[string, readonly string[]]>([
    ['R was 0.88 in March 2020.', ['0.88 sourced', 'March 2020 sourced']],
    ['R was 0.74 in March 2020.', ['0.74 misattributed 0.88', 'March 2020 sourced']],
    ['R ranged from 0.7 to 2.65.', ['0.7 sourced', '2.65 sourced']],
    ['R ranged from 0.88 to 2.65.', ['0.88 misattributed 0.7', '2.65 sourced']],
    ['The chart shows R from March 2020 to January 2022.', ['March 2020 sourced', 'January 2022 sourced']],
    ['The chart shows R from March 2020 to June 2021.', ['March 2020 sourced', 'June 2021 misattributed 0.74']],
    ['R peaked in April 2020.', ['April 2020 sourced']],
    ['R peaked in June 2021.', ['June 2021 misattributed 2.65']],
    ['From May to July 2020, R was 1.4.', ['July 2020 sourced', '1.4 sourced']],
    ['In 2021 R was over 1.', ['2021 sourced', '1 sourced']],
  ])('a series: %s', (answer, expected) => {
    expect(statuses(answer, series)).toEqual(expected);
  });

  test('prose is told apart by the words beside a figure', () => {
    const letter = text(
      'Installation and setup cost you a fee of $300 today.\nA replacement keyboard for the laptop computer sells at $40 per piece.',
    );
    expect(statuses('Installation and setup cost a fee of $300.', letter)).toEqual(['$300 sourced']);
    expect(statuses('Installation and setup cost a fee of $40.', letter)).toEqual(['$40 misattributed $300']);
  });

  test('a temperature in brackets repeats the one before it', () => {
    expect(statuses('It is -10.06°C (14°F) on January 5th.', forecast)).toEqual([
      '-10.06°C sourced',
      '14°F sourced',
      'January 5th sourced',
    ]);
  });

  test('the row that the sentence names', () => {
    const hosts = json({
      rows: [
        { host: 'web-1', state: 'up', disk: 91.4 },
        { host: 'web-2', state: 'up', disk: 40 },
      ],
    });
    expect(statuses('The disk of web-1 is at 91.4.', hosts)).toEqual(['91.4 sourced']);
    expect(statuses('The disk of web-2 is at 91.4.', hosts)).toEqual(['91.4 misattributed 40']);
    expect(statuses('The disk of web-9 is at 91.4.', hosts)).toEqual(['91.4 sourced']);
    expect(statuses('web-1 is at 91.4 and web-2 is at 40.', hosts)).toEqual(['91.4 sourced', '40 sourced']);
  });

  test('R-94 prototype keys are names like others', () => {
    expect(statuses('It is 41.', json({ rows: [{ __proto__x: 41, constructor: 2 }, { constructor: 41 }] }))).toEqual(['41 sourced']);
  });
});
