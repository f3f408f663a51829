/**
 * Sentences about several records of a table, seeded: correct ones, and the same ones with one planted fault. What is wrong is known from
 * how a sentence is made, so no label needs a person.
 */
export const faults = ['place', 'date', 'unit', 'quantity', 'sign', 'rounding', 'extreme'] as const;
export type Fault = (typeof faults)[number];

export interface Case {
  /** JSON of the source. */
  readonly source: string;
  readonly text: string;
  /** What was planted; null in a correct text. */
  readonly fault: Fault | null;
}

interface Shape {
  readonly key: string;
  readonly names: readonly string[];
  /** Key and word of two quantities. */
  readonly measures: readonly [readonly [key: string, word: string], readonly [key: string, word: string]];
}

const shape = (key: string, names: string, first: string, second: string): Shape => {
  const measure = (word: string): readonly [string, string] => [word.replaceAll(' ', '_'), word];
  return { key, names: names.split(' '), measures: [measure(first), measure(second)] };
};

const shapes: readonly Shape[] = [
  shape('host', 'web-1 web-2 db-1 cache-3', 'disk', 'load'),
  shape('pod', 'api-7f9c web-5d2a job-88b1 auth-3c4d', 'cpu', 'memory'),
  shape('city', 'Oslo Bergen Lyon Porto', 'temperature', 'humidity'),
  shape('product', 'Espresso Latte Mocha Chai', 'price', 'stock'),
  shape('team', 'Falcons Otters Ravens Lynxes', 'points', 'goals'),
  shape('country', 'Norway Chile Kenya Japan', 'growth', 'inflation'),
  shape('ticket', 'OPS-A OPS-B OPS-C OPS-D', 'age', 'replies'),
  shape('fund', 'Alpha Birch Cedar Delta', 'return', 'fee'),
  shape('model', 'Kestrel Heron Swift Osprey', 'accuracy', 'latency'),
  shape('station', 'Harbor Summit Valley Airport', 'pressure', 'rainfall'),
  shape('region', 'North South East West', 'revenue', 'margin'),
  shape('store', 'Elm Oak Pine Maple', 'visitors', 'sales'),
  shape('driver', 'Ana Ben Cleo Dov', 'speed', 'distance'),
  shape('patient', 'Ida Jon Kim Lea', 'pulse', 'weight'),
  shape('crop', 'Wheat Barley Rye Oats', 'yield', 'moisture'),
  shape('plant', 'Solvik Nordal Haugen Lunde', 'output', 'downtime'),
  shape('route', 'Red Green Blue Violet', 'delay', 'ridership'),
  shape('queue', 'mail billing search export', 'depth', 'wait'),
  shape('course', 'Physics Botany Latin Algebra', 'enrolment', 'score'),
  shape('bank', 'Astra Boreal Cumulus Dorado', 'deposits', 'leverage'),
];

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `rounds` times, for each shape and each fault, a correct text and the one with the fault. */
export function generate(seed: number, rounds: number): readonly Case[] {
  const next = numbersOf(seed);
  const cases: Case[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const each of shapes) for (const fault of faults) cases.push(...pairOf(each, fault, next));
  }
  return cases;
}

/** Values with one decimal, far apart, none a rounding of another. */
function valuesOf(next: () => number, count: number): readonly number[] {
  const start = 11 + Math.floor(next() * 5);
  const values = Array.from({ length: count }, (_, i) => (start * 10 + i * 83 + 1 + Math.floor(next() * 8)) / 10);
  return values
    .map((value) => ({ value, order: next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

function pairOf({ key, names, measures }: Shape, fault: Fault, next: () => number): readonly Case[] {
  const [[first, word], [second, other]] = measures;
  const values = valuesOf(next, 8);
  const at = (i: number): number => values[i] ?? 0;
  const rows = names.map((name, i) => ({ [key]: name, [first]: at(i), [second]: at(i + 4) }));
  const [a, b] = [names[0] ?? '', names[1] ?? ''];
  const cases = (data: unknown, right: string, wrong: string): readonly Case[] => {
    const source = JSON.stringify(data);
    return [
      { source, text: right, fault: null },
      { source, text: wrong, fault },
    ];
  };
  const compare = (x: number, y: number): string => `The ${word} of ${a} is ${x}, while the ${word} of ${b} is ${y}.`;
  if (fault === 'place') return cases(rows, compare(at(0), at(1)), compare(at(1), at(0)));
  if (fault === 'rounding') return cases(rows, compare(at(0), at(1)), compare(at(0), Math.round(at(1) * 10 + 1) / 10));
  if (fault === 'quantity') {
    const say = (x: number, y: number): string => `${a} has a ${word} of ${x} and a ${other} of ${y}.`;
    return cases(rows, say(at(0), at(4)), say(at(4), at(0)));
  }
  if (fault === 'extreme') {
    const sorted = values.slice(0, 4).toSorted((x, y) => y - x);
    const say = (x: number | undefined): string => `The highest ${word} is ${x ?? 0}.`;
    return cases(rows, say(sorted[0]), say(sorted[1]));
  }
  if (fault === 'date') {
    const year = 1990 + Math.floor(next() * 30);
    const say = (x: number, y: number): string => `The ${word} was ${x} in ${year} and ${y} in ${year + 1}.`;
    const series = [0, 1, 2, 3].map((i) => ({ year: year + i, [first]: at(i) }));
    return cases(series, say(at(0), at(1)), say(at(1), at(0)));
  }
  if (fault === 'unit') {
    const data = names.map((name, i) => ({ [key]: name, span_km: at(i) }));
    return cases(data, `The span of ${a} is ${at(0)} km.`, `The span of ${a} is ${at(0)} miles.`);
  }
  const data = names.map((name, i) => ({ [key]: name, change_pct: -at(i) }));
  return cases(data, `${a} fell by ${at(0)}% and ${b} fell by ${at(1)}%.`, `${a} rose by ${at(0)}% and ${b} rose by ${at(1)}%.`);
}
