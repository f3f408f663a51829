/**
 * Units that names end in (`free_gib`, `p95_ms`), as what they measure and a rank, by which two units of one measure are told apart. 1000 and 1024 are not told apart (people
 * write GB for GiB), and neither are words that names use for something else as well (`min` is a minimum).
 */
const SCALES: readonly (readonly [measured: string, lines: readonly (readonly [power: number, words: string])[]])[] = [
  [
    'bytes',
    [
      [3, 'kb kib kilobytes kilobyte'],
      [6, 'mb mib megabytes megabyte'],
      [9, 'gb gib gigabytes gigabyte'],
      [12, 'tb tib terabytes terabyte'],
      [15, 'pb pib'],
    ],
  ],
  [
    'time',
    [
      [0, 'ns nanoseconds'],
      [3, 'us µs μs microseconds'],
      [6, 'ms millisecond milliseconds'],
      [9, 's sec secs second seconds'],
      [11, 'mins minute minutes'],
      [13, 'h hr hrs hour hours'],
      [14, 'd day days'],
    ],
  ],
  [
    'length',
    [
      [0, 'mm millimetre millimetres millimeter millimeters'],
      [1, 'cm centimetre centimetres centimeter centimeters'],
      [6, 'km kilometre kilometres kilometer kilometers'],
      [2, 'ft foot feet'],
      [7, 'mi mile miles'],
    ],
  ],
  [
    'speed',
    [
      [0, 'm/s mps'],
      [1, 'km/h kmh kph'],
      [2, 'mph'],
      [3, 'kn kt knots'],
    ],
  ],
  [
    'temperature',
    [
      [0, '°c ºc ℃ celsius'],
      [1, '°f ºf ℉ fahrenheit'],
    ],
  ],
  [
    'mass',
    [
      [3, 'mg'],
      [6, 'g gram grams'],
      [7, 'oz ounce ounces'],
      [8, 'lb lbs pound pounds'],
      [9, 'kg kilogram kilograms'],
    ],
  ],
  [
    'money',
    [
      [0, 'cents pence'],
      [2, 'usd eur gbp cad aud chf dollars euros'],
    ],
  ],
];

interface Scale {
  readonly measured: string;
  readonly power: number;
}

const scales: ReadonlyMap<string, Scale> = new Map(
  SCALES.flatMap(([measured, lines]) =>
    lines.flatMap(([power, words]) => words.split(' ').map((word): [string, Scale] => [word, { measured, power }])),
  ),
);

/** Letters of a unit in a name that also begin other words stand for it only when they are more than one. */
const SHORTEST = 2;

/** The unit that a name ends in, where the figure's is another one of the same measure; null where nothing speaks against it. */
export function clashingUnit(unit: string | null, own: readonly string[]): string | null {
  const last = own.at(-1);
  if (unit === null || last === undefined || last.length < SHORTEST) return null;
  const shown = scales.get(unit) ?? scales.get(unit.toLowerCase());
  const named = scales.get(last);
  if (shown === undefined || named === undefined || shown.measured !== named.measured || shown.power === named.power) return null;
  return last;
}
