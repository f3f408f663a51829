/**
 * Topics of the generated tables: names, and quantities with the words that writers use for them.
 */
export interface Measure {
  readonly key: string;
  readonly words: readonly string[];
  readonly unit: Unit;
  readonly low: number;
  readonly high: number;
  readonly decimals: number;
}

export interface Unit {
  /** As in keys and column headings; empty for a plain number. */
  readonly key: string;
  /** Follows the number; a currency sign precedes it. */
  readonly signs: readonly string[];
  /** A unit that would make the number wrong. */
  readonly wrong: string;
  /** The same amount in another unit. */
  readonly converted: { readonly sign: string; readonly by: (value: number) => number } | null;
}

export interface Shape {
  readonly name: string;
  /** Key of the name column. */
  readonly key: string;
  readonly names: readonly string[];
  readonly measures: readonly Measure[];
}

const unit = (
  key: string,
  signs: string,
  wrong: string,
  to = '',
  by: ((value: number) => number) | null = null,
): Unit => ({
  key,
  signs: signs.split(','),
  wrong,
  converted: by === null ? null : { sign: to, by },
});
const UNITS = {
  none: unit('', '', ''),
  c: unit('c', ' °C,°C, degrees Celsius', ' °F', ' °F', (value) => value * 1.8 + 32),
  km: unit('km', ' km, kilometres', ' miles', ' miles', (value) => value * 0.621371),
  kmh: unit('kmh', ' km/h, kph', ' mph', ' mph', (value) => value * 0.621371),
  m: unit('m', ' m, metres', ' km', ' ft', (value) => value * 3.28084),
  mm: unit('mm', ' mm, millimetres', ' cm', ' in', (value) => value / 25.4),
  kg: unit('kg', ' kg, kilograms', ' lb', ' lb', (value) => value * 2.20462),
  pct: unit('pct', '%, percent', ''),
  ms: unit('ms', ' ms, milliseconds', ' s', ' s', (value) => value / 1000),
  mib: unit('mib', ' MiB', ' GiB'),
  min: unit('min', ' min, minutes', ' hours', ' hours', (value) => value / 60),
  usd: unit('usd', '$', '€'),
  eur: unit('eur', '€', '£'),
  kwh: unit('kwh', ' kWh', ' MWh'),
  g: unit('g', ' g, grams', ' kg', ' oz', (value) => value / 28.3495),
};

/** One measure per line: `key: words, with commas: unit: lowest: highest: decimals`. */
function shape(name: string, key: string, names: string, ...measures: readonly string[]): Shape {
  return { name, key, names: names.split(', '), measures: measures.map(measure) };
}

function measure(line: string): Measure {
  const [key = '', words = '', of = 'none', low, high, decimals] = line.split(': ');
  const found = Object.entries(UNITS).find(([id]) => id === of)?.[1] ?? UNITS.none;
  const named = found.key === '' ? key : `${key}_${found.key}`;
  return {
    key: named,
    words: words.split(', '),
    unit: found,
    low: Number(low),
    high: Number(high),
    decimals: Number(decimals),
  };
}

export const shapes: readonly Shape[] = [
  shape(
    'weather',
    'city',
    'Oslo, Bergen, Lyon, Porto, Ghent',
    'temperature: temperature: c: 4: 34: 1',
    'rain: rainfall, rain: mm: 1: 60: 1',
    'wind: wind speed, wind: kmh: 5: 99: 1',
    'gust: gust speed, gusts: kmh: 5: 99: 1',
  ),
  shape(
    'pods',
    'pod',
    'api-7f9c, web-5d2a, job-88b1, auth-3c4d',
    'memory: memory, memory use: mib: 120: 990: 1',
    'p95: p95, p95 latency: ms: 1100: 9900: 0',
    'p99: p99, p99 latency: ms: 1100: 9900: 0',
  ),
  shape(
    'hosts',
    'host',
    'web-1, web-2, db-1, cache-3',
    'disk: disk usage, disk: pct: 11: 97: 1',
    'cpu: CPU, CPU usage: pct: 11: 97: 1',
    'uptime: uptime: min: 200: 9000: 0',
  ),
  shape(
    'prices',
    'product',
    'Espresso, Latte, Mocha, Chai, Cortado',
    'price: price: usd: 2: 60: 2',
    'cost: cost: usd: 2: 60: 2',
    'weight: weight: g: 20: 900: 0',
  ),
  shape(
    'standings',
    'team',
    'Falcons, Otters, Ravens, Lynxes',
    'points: points total: none: 31: 99: 0',
    'goals: goal count: none: 31: 99: 0',
    'ticket: ticket price, average ticket price: usd: 9: 90: 2',
  ),
  shape(
    'economies',
    'country',
    'Norway, Chile, Kenya, Japan, Spain',
    'inflation: inflation, inflation rate: pct: 1: 19: 1',
    'unemployment: unemployment, unemployment rate: pct: 1: 19: 1',
    'population: population: none: 1200000: 90000000: 0',
    'gdp: GDP per head, GDP per capita: usd: 2100: 98000: 0',
  ),
  shape(
    'tickets',
    'ticket',
    'OPS-A, OPS-B, NET-C, NET-D',
    'age: age: min: 70: 900: 0',
    'wait: wait, waiting time: min: 70: 900: 0',
    'effort: effort: usd: 40: 900: 2',
  ),
  shape(
    'funds',
    'fund',
    'Alpha, Birch, Cedar, Delta',
    'return: return: pct: 1: 29: 2',
    'fee: fee: pct: 1: 29: 2',
    'assets: assets: usd: 1100000: 90000000: 0',
  ),
  shape(
    'models',
    'model',
    'Kestrel, Heron, Swift, Osprey',
    'accuracy: accuracy: pct: 41: 97: 1',
    'recall: recall: pct: 41: 97: 1',
    'latency: latency, response time: ms: 1200: 9000: 0',
  ),
  shape(
    'stations',
    'station',
    'Harbor, Summit, Valley, Airport',
    'visibility: visibility: km: 2: 60: 1',
    'snow: snow depth: mm: 20: 900: 0',
    'humidity: humidity: pct: 21: 98: 1',
    'clouds: cloud cover: pct: 21: 98: 1',
  ),
  shape(
    'regions',
    'region',
    'North, South, East, West',
    'revenue: revenue, sales: eur: 11000: 990000: 0',
    'profit: profit: eur: 11000: 990000: 0',
    'margin: margin: pct: 4: 60: 1',
  ),
  shape(
    'stores',
    'store',
    'Elm Street, Oak Road, Pine Square, Maple Lane',
    'visitors: visitor count, footfall: none: 1200: 48000: 0',
    'orders: order count: none: 1200: 48000: 0',
    'basket: average basket: eur: 9: 90: 2',
  ),
  shape(
    'runners',
    'runner',
    'Ana, Ben, Cleo, Dov, Eva',
    'distance: distance: km: 4: 60: 2',
    'climb: climb: m: 120: 2400: 0',
    'descent: descent: m: 120: 2400: 0',
    'weight: weight: kg: 45: 99: 1',
  ),
  shape(
    'patients',
    'patient',
    'Ida, Jon, Kim, Lea',
    'weight: weight, body weight: kg: 45: 99: 1',
    'saturation: oxygen saturation: pct: 21: 99: 1',
    'hematocrit: hematocrit: pct: 21: 99: 1',
    'temperature: temperature, body temperature: c: 31: 41: 2',
  ),
  shape(
    'crops',
    'crop',
    'Wheat, Barley, Rye, Oats',
    'yield: yield: kg: 2100: 9800: 0',
    'moisture: moisture, moisture content: pct: 5: 39: 1',
    'protein: protein content: pct: 5: 39: 1',
  ),
  shape(
    'plants',
    'plant',
    'Solvik, Nordal, Haugen, Lunde',
    'output: output: kwh: 1200: 98000: 0',
    'loss: loss: kwh: 1200: 98000: 0',
    'downtime: downtime: min: 61: 900: 0',
  ),
  shape(
    'lines',
    'line',
    'Red, Green, Blue, Violet',
    'length: length: km: 5: 80: 1',
    'delay: average delay, delay: min: 61: 600: 0',
    'closure: closure time: min: 61: 600: 0',
    'ridership: ridership: none: 12000: 980000: 0',
  ),
  shape(
    'queues',
    'queue',
    'mail, billing, search, export',
    'depth: depth, queue depth: none: 1200: 99000: 0',
    'wait: wait: ms: 1200: 9000: 0',
    'service: service time: ms: 1200: 9000: 0',
    'errors: error rate: pct: 1: 39: 2',
  ),
  shape(
    'courses',
    'course',
    'Physics, Botany, Latin, Algebra',
    'enrolment: enrolment: none: 110: 990: 0',
    'score: average score, score: none: 41: 99: 1',
    'dropout: dropout rate: pct: 2: 59: 1',
    'absence: absence rate: pct: 2: 59: 1',
    'fee: course fee, fee: eur: 110: 990: 2',
  ),
  shape(
    'banks',
    'bank',
    'Astra, Boreal, Cumulus, Dorado',
    'deposits: deposits: eur: 1200000: 98000000: 0',
    'loans: loans: eur: 1200000: 98000000: 0',
    'leverage: leverage ratio, leverage: pct: 3: 29: 2',
  ),
];
