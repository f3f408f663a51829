/**
 * Units at the end of names (`free_gib`, `p95_ms`), as a measure and a rank that distinguishes two
 * units of the same measure. 1000 and 1024 are not distinguished (people write GB for GiB), and
 * neither are ambiguous words of names (`min` is a minimum).
 */
const SCALES: readonly (readonly [
  measured: string,
  lines: readonly (readonly [power: number, words: string])[],
])[] = [
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
      [11, 'min mins minute minutes'],
      [13, 'h hr hrs hour hours'],
      [14, 'd day days'],
    ],
  ],
  [
    'length',
    [
      [0, 'mm millimetre millimetres millimeter millimeters'],
      [1, 'cm centimetre centimetres centimeter centimeters'],
      [5, 'm metre metres meter meters'],
      [6, 'km kilometre kilometres kilometer kilometers'],
      [2, 'ft foot feet'],
      [3, 'in inch inches'],
      [4, 'yd yards'],
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
      [2, 'kelvin'],
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
    'energy',
    [
      [0, 'wh'],
      [3, 'kwh'],
      [6, 'mwh'],
      [9, 'gwh'],
    ],
  ],
  [
    'power',
    [
      [3, 'kw kilowatt kilowatts'],
      [6, 'mw megawatt megawatts'],
      [9, 'gw'],
    ],
  ],
  [
    'volume',
    [
      [0, 'ml'],
      [3, 'l litre litres liter liters'],
      [4, 'gal gallons'],
    ],
  ],
  [
    'pressure',
    [
      [0, 'pa'],
      [2, 'hpa mbar hectopascals millibars'],
      [3, 'kpa'],
      [4, 'psi'],
      [5, 'bar'],
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
    lines.flatMap(([power, words]) =>
      words.split(' ').map((word): [string, Scale] => [word, { measured, power }]),
    ),
  ),
);

const NAME_LENGTH_MAX = 80;
/** Names that consist only of the unit, written out. */
const WHOLE_UNIT =
  /^(?:(?:milli|micro|nano)?seconds|minutes|hours|days|kilomet(?:re|er)s|miles|knots)$/iu;
const BRACKETS = /[([]\s*([^()[\]\s]{1,12})\s*[)\]]\s*$/u;

/**
 * The unit at the end of a name: `km/h` of "Wind (km/h)", `mib` of `free_mib`; null without a known
 * one.
 */
export function unitInName(name: string): string | null {
  const short = name.slice(-NAME_LENGTH_MAX);
  const last =
    BRACKETS.exec(short)?.[1] ??
    /(?:[_\-. ]|(?<=\p{Ll})(?=\p{Lu}))([\p{L}°µ]{1,12})$/u.exec(short)?.[1] ??
    WHOLE_UNIT.exec(short)?.[0];
  const unit = last === undefined ? '' : (OF_NAMES.get(last.toLowerCase()) ?? last.toLowerCase());
  return scales.has(unit) ? unit : null;
}

/**
 * The common form of two spellings of one unit: `ms` and milliseconds, `pct` and %, `usd` and $.
 */
export function unitKey(unit: string): string {
  const lower = unit.toLowerCase();
  const scale = scales.get(unit) ?? scales.get(lower);
  if (scale !== undefined && scale.measured !== 'money') return `${scale.measured} ${scale.power}`;
  return PERCENT.has(lower) ? '%' : lower;
}

const PERCENT = new Set(['%', 'pct', 'percent', 'percentage']);

/** Letters that are a unit at the end of a name. */
const OF_NAMES: ReadonlyMap<string, string> = new Map([
  ['c', '°c'],
  ['f', '°f'],
  ['degc', '°c'],
  ['degf', '°f'],
  ['m', 'metres'],
  ['mps', 'm/s'],
]);

/**
 * The unit that a source states next to a value (`"unit": "mg/L"`), if the answer uses a different
 * one of the same form: mg/dL is neither mg/L nor mmol/L. Null without a contradiction.
 */
export function clashingRatio(shown: string, own: string): string | null {
  const [one, two] = [shown, own].map((unit) => unit.replace('μ', 'µ').toLowerCase());
  return one === undefined ||
    two === undefined ||
    !one.includes('/') ||
    !two.includes('/') ||
    one === two
    ? null
    : own;
}

/**
 * The unit in a column's name, if the figure's is a different one of the same measure; null without
 * a contradiction.
 */
export function clashingUnit(unit: string | null, named: string | null): string | null {
  if (unit === null || named === null) return null;
  const shown = scales.get(unit) ?? scales.get(unit.toLowerCase());
  const own = scales.get(named);
  if (
    shown === undefined ||
    own === undefined ||
    shown.measured !== own.measured ||
    shown.power === own.power
  )
    return null;
  // `wait_min` may be the minimum wait, in seconds; hours are neither minutes nor a minimum.
  return named === 'min' && shown.power < own.power ? null : named;
}
