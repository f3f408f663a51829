import type { Source } from '../../../server/domain';
import { columnsOf, csv, json, keyValues, markdown, plain, rowsOf, type Table } from '../table';
import type { Random } from './random';
import type { Measure, Shape } from './shapes';

/** One row of a generated table: a name, a date, or a name on a date. */
export interface Entry {
  readonly name: string | null;
  /** `2024-03-05`, `2024-03` or `2024`. */
  readonly date: string | null;
  readonly values: readonly number[];
  readonly change: number;
}

export const axes = ['names', 'days', 'months', 'years', 'grid'] as const;
export type Axis = (typeof axes)[number];

export interface Drawn {
  readonly shape: Shape;
  readonly axis: Axis;
  readonly entries: readonly Entry[];
  readonly source: Source;
}

const pad = (value: number): string => String(value).padStart(2, '0');

export function draw(shape: Shape, axis: Axis, random: Random): Drawn {
  const taken: number[] = [];
  const entries = keysOf(shape, axis, random).map(
    (key): Entry => ({
      ...key,
      values: shape.measures.map((measure) => valueOf(measure, taken, random)),
      change: changeOf(taken, random),
    }),
  );
  return { shape, axis, entries, source: sourceOf(shape, axis, entries, random) };
}

function keysOf(
  { names }: Shape,
  axis: Axis,
  random: Random,
): readonly Pick<Entry, 'name' | 'date'>[] {
  const year = 1995 + random.below(28);
  const month = 1 + random.below(6);
  const day = 1 + random.below(20);
  const steps = [0, 1, 2, 3, 4];
  if (axis === 'names') return random.shuffle(names).map((name) => ({ name, date: null }));
  if (axis === 'years') return steps.map((step) => ({ name: null, date: String(year + step) }));
  if (axis === 'months')
    return steps.map((step) => ({ name: null, date: `${year}-${pad(month + step)}` }));
  const days = steps.map((step) => `${year}-${pad(month)}-${pad(day + step)}`);
  if (axis === 'days') return days.map((date) => ({ name: null, date }));
  const some = random.shuffle(names).slice(0, 2);
  return some.flatMap((name) => days.slice(0, 3).map((date) => ({ name, date })));
}

/**
 * A value far from every other value of the table, so that no figure is right by chance, and whose
 * last digit is not a tie.
 */
function valueOf({ low, high, decimals }: Measure, taken: number[], random: Random): number {
  const scale = 10 ** decimals;
  for (let i = 0; i < 5_000; i++) {
    // Later tries come closer to the others: a narrow range has space for only a few.
    const room = (decimals === 0 ? 0.02 * low : 1.05 * 10 ** (1 - decimals)) / (1 + i / 200);
    const value = Math.round((low + random.next() * (high - low)) * scale) / scale;
    const last = Math.round(value * scale) % 10;
    if (last === 0 || last === 5 || taken.some((other) => Math.abs(other - value) < room)) continue;
    taken.push(value);
    return value;
  }
  throw new Error('no room for another value');
}

function changeOf(taken: number[], random: Random): number {
  const key = { key: '', words: [], unit: { key: '', signs: [], wrong: '', converted: null } };
  const size = valueOf({ ...key, low: 1, high: 39, decimals: 1 }, taken, random);
  return random.next() < 0.5 ? size : -size;
}

function sourceOf(shape: Shape, axis: Axis, entries: readonly Entry[], random: Random): Source {
  const heads = [
    ...(axis === 'names' || axis === 'grid' ? [shape.key] : []),
    ...(axis === 'names' ? [] : [dateKey(axis)]),
  ];
  const table = (pretty: boolean): Table => {
    const keys = [
      ...heads.map((head) => (pretty ? title(head) : head)),
      ...shape.measures.map((each) => (pretty ? headOf(each) : each.key)),
    ];
    const columns = [...keys, pretty ? 'Change (%)' : 'change_pct'];
    const rows = entries.map(
      ({ name, date, values, change }, i): [string, Record<string, string>] => {
        const cells = [name, date].filter((cell) => cell !== null);
        const numbers = [
          ...values.map((value, at) => value.toFixed(shape.measures[at]?.decimals ?? 0)),
          change.toFixed(1),
        ];
        return [
          String(i),
          Object.fromEntries([...cells, ...numbers].map((cell, at) => [columns[at] ?? '', cell])),
        ];
      },
    );
    return { columns, rows: new Map(rows) };
  };
  const label = `get_${shape.name}`;
  const raw = table(false);
  const formats: readonly (() => Source)[] = [
    () => json(label, rowsOf(raw)),
    () => json(label, { status: 'ok', data: { [shape.name]: rowsOf(raw) } }),
    () => plain(label, csv(raw)),
    () => plain(label, markdown(table(true))),
    () => plain(label, keyValues(table(true))),
    ...(axis === 'grid'
      ? []
      : [() => json(label, keyed(raw, heads[0] ?? '')), () => json(label, columnsOf(raw))]),
  ];
  return random.pick(formats)();
}

function dateKey(axis: Axis): string {
  return axis === 'months' ? 'month' : axis === 'years' ? 'year' : 'date';
}

function keyed(table: Table, head: string): unknown {
  return Object.fromEntries(
    rowsOf(table).map((row) => [
      String(row[head]),
      Object.fromEntries(Object.entries(row).filter(([key]) => key !== head)),
    ]),
  );
}

function headOf({ words: [word = ''], unit }: Measure): string {
  const sign = unit.key === '' ? '' : ` (${(unit.signs[0] ?? '').trim()})`;
  return title(word) + sign;
}

function title(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
