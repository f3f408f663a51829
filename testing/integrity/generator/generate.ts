import type { Source } from '../../../server/domain';
import { axes, type Axis, draw, type Drawn, type Entry } from './draw';
import { changeForms, dateForms, extremeForms, nameForms } from './forms';
import { type Random, randomOf } from './random';
import { styleOf, type Twist } from './format';
import { type Measure, type Shape, shapes } from './shapes';
import { type Cast, type Shown, type Span, write } from './write';

/**
 * Seeded sentences about several records of a table: correct ones, and the same ones with one
 * planted fault. The generator knows each fault, so no label needs a person.
 */
export const faults = ['place', 'date', 'unit', 'quantity', 'sign', 'rounding', 'extreme'] as const;
export type Fault = (typeof faults)[number];

export interface Case {
  readonly shape: string;
  readonly source: Source;
  readonly text: string;
  /** The planted kind of fault. Each correct text has a twin with a fault, and has its kind. */
  readonly kind: Fault;
  /** The spans that the fault affects; empty in a correct text. */
  readonly planted: readonly Span[];
}

/** The cast before and after a fault, and the figures and records that the fault makes wrong. */
interface Plan {
  readonly form: string;
  readonly right: Cast;
  readonly wrong: Cast;
  readonly slots: readonly string[];
}

const AXES: Readonly<Record<Fault, readonly Axis[]>> = {
  place: ['names', 'names', 'grid'],
  date: ['days', 'months', 'years', 'grid'],
  unit: axes,
  quantity: axes,
  sign: ['names'],
  rounding: axes,
  extreme: ['names', 'days', 'months', 'years'],
};
const CHANGE: Measure = {
  key: 'change_pct',
  words: ['change'],
  unit: { key: 'pct', signs: ['%', '%', ' percent'], wrong: '', converted: null },
  low: 1,
  high: 39,
  decimals: 1,
};

/** For each shape and each fault, `rounds` pairs of a correct text and its faulty twin. */
export function generate(seed: number, rounds: number): readonly Case[] {
  const random = randomOf(seed);
  const cases: Case[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const shape of shapes)
      for (const kind of faults) cases.push(...pairOf(shape, kind, random));
  }
  return cases;
}

function pairOf(shape: Shape, kind: Fault, random: Random): readonly Case[] {
  for (let i = 0; i < 200; i++) {
    const drawn = draw(shape, random.pick(AXES[kind]), random);
    const style = styleOf(random);
    const plan = planOf(kind, drawn, random);
    if (plan === null) continue;
    const right = write(plan.form, plan.right, style);
    const wrong = write(plan.form, plan.wrong, style);
    // A truncated figure that equals the rounded one is not a fault, nor is a value that looks the
    // same.
    if (right.text === wrong.text) continue;
    const planted = plan.slots.flatMap((slot) => wrong.spans.get(slot) ?? []);
    const base = { shape: shape.name, source: drawn.source, kind };
    return [
      { ...base, text: right.text, planted: [] },
      { ...base, text: wrong.text, planted },
    ];
  }
  throw new Error(`no ${kind} fault fits ${shape.name}`);
}

function planOf(kind: Fault, drawn: Drawn, random: Random): Plan | null {
  if (kind === 'extreme') return extremePlan(drawn, random);
  if (kind === 'sign') return signPlan(drawn, random);
  const cast = castOf(drawn, random);
  const form = random.pick(drawn.axis === 'names' || drawn.axis === 'grid' ? nameForms : dateForms);
  if (kind === 'unit') return unitPlan(form, cast, random);
  if (kind === 'rounding') {
    const rounded = (how: NonNullable<Twist['rounded']>): Cast =>
      twisted(cast, 'Ax', { rounded: how });
    return { form, right: rounded('up or down'), wrong: rounded('cut off'), slots: ['Ax'] };
  }
  if (kind === 'quantity') return quantityPlan(form, cast, drawn);
  return recordPlan(kind, form, cast, drawn, random);
}

function castOf({ shape, entries }: Drawn, random: Random): Cast {
  const [a, b, c] = inOrder(random.shuffle(entries).slice(0, 3));
  const [x, y] = random.shuffle(shape.measures);
  if (a === undefined || b === undefined || c === undefined || x === undefined || y === undefined)
    throw new Error(`${shape.name} is small`);
  return cast({ A: a, B: b, C: c }, { x, y }, shape);
}

/** Sorted by date if there are only dates: "from March to May". */
function inOrder(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((one, other) =>
    one.name === null ? (one.date ?? '').localeCompare(other.date ?? '') : 0,
  );
}

function cast(entries: Cast['entries'], measures: Cast['measures'], shape: Shape): Cast {
  const shown: Record<string, Shown> = {};
  for (const [letter, entry] of Object.entries(entries)) {
    for (const [quantity, measure] of Object.entries(measures))
      shown[letter + quantity] = { value: valueIn(entry, measure, shape), twist: {} };
  }
  return { entries, measures, shown, turned: new Set() };
}

function valueIn(entry: Entry, measure: Measure, shape: Shape): number {
  return entry.values[shape.measures.indexOf(measure)] ?? Math.abs(entry.change);
}

function twisted(of: Cast, slot: string, twist: Twist): Cast {
  const value = of.shown[slot]?.value ?? 0;
  return { ...of, shown: { ...of.shown, [slot]: { value, twist } } };
}

function showing(of: Cast, values: Readonly<Record<string, number | undefined>>): Cast {
  const shown = Object.entries(values).map(([slot, value]): [string, Shown] => [
    slot,
    { value: value ?? 0, twist: {} },
  ]);
  return { ...of, shown: { ...of.shown, ...Object.fromEntries(shown) } };
}

function unitPlan(form: string, of: Cast, random: Random): Plan | null {
  const unit = of.measures['x']?.unit;
  if (unit === undefined || unit.wrong === '') return null;
  const slots = ['Ax'];
  if (unit.converted === null || random.next() < 0.5)
    return { form, right: of, wrong: twisted(of, 'Ax', { unit: 'wrong' }), slots };
  return {
    form,
    right: twisted(of, 'Ax', { converted: 'right' }),
    wrong: twisted(of, 'Ax', { converted: 'wrong' }),
    slots,
  };
}

/**
 * Another quantity of the same record in the same unit, such as the 95th percentile for the 99th.
 */
function quantityPlan(form: string, of: Cast, { shape }: Drawn): Plan | null {
  const { x, y } = of.measures;
  const a = of.entries['A'];
  const other = shape.measures.find(
    (each) => each !== x && each.unit === x?.unit && each.decimals === x.decimals,
  );
  if (other === undefined || a === undefined) return null;
  const value = valueIn(a, other, shape);
  const swap = other === y && form.includes('$Ay');
  const values = swap ? { Ax: value, Ay: of.shown['Ax']?.value } : { Ax: value };
  return { form, right: of, wrong: showing(of, values), slots: swap ? ['Ax', 'Ay'] : ['Ax'] };
}

/**
 * The value of another name or another date: swapped between two records, or taken from one that
 * the text does not mention.
 */
function recordPlan(
  kind: 'place' | 'date',
  form: string,
  of: Cast,
  { shape, entries, axis }: Drawn,
  random: Random,
): Plan | null {
  const { x } = of.measures;
  const a = of.entries['A'];
  if (x === undefined || a === undefined) return null;
  if (axis !== 'grid' && form.includes('$Bx') && random.next() < 0.5) {
    const values = { Ax: of.shown['Bx']?.value, Bx: of.shown['Ax']?.value };
    return { form, right: of, wrong: showing(of, values), slots: ['A', 'Ax', 'B', 'Bx'] };
  }
  const others = entries.filter(
    (each) =>
      each !== a &&
      (axis !== 'grid' || (kind === 'place' ? each.date === a.date : each.name === a.name)),
  );
  return {
    form,
    right: of,
    wrong: showing(of, { Ax: valueIn(random.pick(others), x, shape) }),
    slots: ['A', 'Ax'],
  };
}

function signPlan(drawn: Drawn, random: Random): Plan {
  const [a, b, c] = random.shuffle(drawn.entries);
  if (a === undefined || b === undefined || c === undefined)
    throw new Error(`${drawn.shape.name} is small`);
  const right = cast({ A: a, B: b, C: c }, { x: CHANGE }, drawn.shape);
  return {
    form: random.pick(changeForms),
    right,
    wrong: { ...right, turned: new Set(['A']) },
    slots: ['A', 'Ax'],
  };
}

/** The second highest or lowest instead of the first. */
function extremePlan(drawn: Drawn, random: Random): Plan {
  const { shape, entries } = drawn;
  const x = random.pick(shape.measures);
  const sorted = entries.toSorted(
    (one, other) => valueIn(other, x, shape) - valueIn(one, x, shape),
  );
  const [highest, second] = sorted;
  const [lowest, last] = [sorted.at(-1), sorted.at(-2)];
  if (highest === undefined || second === undefined || lowest === undefined || last === undefined)
    throw new Error(`${shape.name} is small`);
  const form = random.pick(extremeForms);
  const right = cast({ H: highest, L: lowest }, { x }, shape);
  const high = form.includes('$H') && (!form.includes('$L') || random.next() < 0.5);
  const wrong = cast(high ? { H: second, L: lowest } : { H: highest, L: last }, { x }, shape);
  return { form, right, wrong, slots: high ? ['H', 'Hx'] : ['L', 'Lx'] };
}
