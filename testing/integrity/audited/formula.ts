import { cellOf, type Table } from '../table';

/**
 * Formulas over the cells of tables. `mon.high_c` is a cell, `all.high_c` a column,
 * `mon:wed.high_c` the rows from one to the other. Also `+ - * / ( )`, numbers and the functions
 * below.
 */
export type Value = number | string | readonly number[];

const FUNCTIONS: Readonly<Record<string, (list: readonly number[]) => number>> = {
  sum: (list) => list.reduce((total, each) => total + each, 0),
  avg: (list) => list.reduce((total, each) => total + each, 0) / list.length,
  min: (list) => Math.min(...list),
  max: (list) => Math.max(...list),
  count: (list) => list.length,
  abs: ([value = Number.NaN]) => Math.abs(value),
  /** Change in percent from the first value to the second. */
  pct: ([from = Number.NaN, to = Number.NaN]) => (100 * (to - from)) / from,
  /** The first value as a percentage of the second. */
  share: ([part = Number.NaN, whole = Number.NaN]) => (100 * part) / whole,
  /** Difference from the first date or time of day to the second. */
  days: ([from = Number.NaN, to = Number.NaN]) => to - from,
  minutes: ([from = Number.NaN, to = Number.NaN]) => to - from,
  /** Number of values above, or below, the last one. */
  above: (list) => list.slice(0, -1).filter((each) => each > (list.at(-1) ?? 0)).length,
  below: (list) => list.slice(0, -1).filter((each) => each < (list.at(-1) ?? 0)).length,
  median: (list) => {
    const sorted = list.toSorted((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
  },
};

const TOKEN = /\s*(\d+(?:\.\d+)?|[A-Za-z]\w*(?::[A-Za-z]\w*)?(?:\.\w+)?|[-+*/(),])/y;

export function evaluate(formula: string, tables: readonly Table[]): Value {
  const tokens = tokensOf(formula);
  let at = 0;
  const fail = (why: string): never => {
    throw new Error(`formula "${formula}": ${why}`);
  };
  const take = (token: string): boolean => tokens[at] === token && at++ >= 0;
  const number = (value: Value): number =>
    typeof value === 'number' ? value : fail(`${String(value)} is not a number`);
  const sum = (): Value => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-')
      value = take('+') ? number(value) + number(product()) : minus(value);
    return value;
  };
  const minus = (value: Value): number => {
    at++;
    return number(value) - number(product());
  };
  const product = (): Value => {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/') {
      const times = take('*');
      if (!times) at++;
      const other = number(factor());
      value = times ? number(value) * other : number(value) / other;
    }
    return value;
  };
  const factor = (): Value => {
    if (take('-')) return -number(factor());
    if (take('(')) {
      const value = sum();
      return take(')') ? value : fail('a bracket is not closed');
    }
    const token = tokens[at++] ?? fail('it ends early');
    if (/^\d/.test(token)) return Number(token);
    return take('(') ? call(token) : cellAt(token);
  };
  const call = (name: string): number => {
    const of = FUNCTIONS[name] ?? fail(`no function ${name}`);
    const list: number[] = [];
    do {
      const value = sum();
      if (Array.isArray(value)) list.push(...value);
      else list.push(typeof value === 'string' ? momentOf(value) : number(value));
    } while (take(','));
    return take(')') ? of(list) : fail(`${name}( is not closed`);
  };
  const cellAt = (path: string): Value => cellsAt(path, tables) ?? fail(`no cell ${path}`);
  const value = sum();
  return at === tokens.length ? value : fail(`"${tokens[at] ?? ''}" is left over`);
}

/** A time of day in minutes, a date in days. */
function momentOf(text: string): number {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(text) ?? [];
  return hours === undefined ? Date.parse(text) / 86_400_000 : Number(hours) * 60 + Number(minutes);
}

function tokensOf(formula: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < formula.length; end = TOKEN.lastIndex) {
    const match = TOKEN.exec(formula);
    if (match?.[1] === undefined) throw new Error(`formula "${formula}" cannot be read at ${end}`);
    tokens.push(match[1]);
  }
  return tokens;
}

function cellsAt(path: string, tables: readonly Table[]): Value | null {
  const [rows = '', column = ''] = path.split('.');
  for (const { columns, rows: all } of tables) {
    if (!columns.includes(column)) continue;
    const names = [...all.keys()];
    const [first = '', last] = rows.split(':');
    if (rows === 'all' || (last !== undefined && all.has(first))) {
      const chosen =
        rows === 'all' ? names : names.slice(names.indexOf(first), names.indexOf(last ?? '') + 1);
      const cells = chosen.map((name) => cellOf(all.get(name)?.[column] ?? '-'));
      return cells.filter((cell) => typeof cell === 'number');
    }
    if (all.has(rows)) return cellOf(all.get(rows)?.[column] ?? '-');
  }
  return null;
}
