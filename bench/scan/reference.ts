import type { Source } from '../../server/domain';
import type { Stated } from './corpus';

/**
 * A slow reference for the scan: compares every figure with every value of the parsed sources
 * (performance.md 4.0, item 5). Shares no code with the scanner. Numbers are integer multiples of
 * 10^-9, which is finer than any number of the corpus.
 */
interface Value {
  readonly place: string;
  readonly number: bigint | null;
  readonly currency: string | null;
  readonly date: string | null;
}

const PLACES = 9;
const UNIT = 10n ** BigInt(PLACES);

export class Reference {
  private readonly values: readonly Value[];

  constructor(sources: readonly Source[]) {
    this.values = sources.flatMap(({ id, text }) => valuesOf(JSON.parse(text), '', id));
  }

  /** All places of a figure's value, exact ones or else rounded ones, sorted. */
  places(stated: Stated): readonly string[] {
    const found =
      stated.quantum === null ? this.datesAt(stated.value) : this.numbersAt(stated, stated.quantum);
    return found.map(({ place }) => place).sort();
  }

  private datesAt(day: string): readonly Value[] {
    return this.values.filter(({ date }) => date !== null && date.slice(0, 10) === day);
  }

  private numbersAt({ value, percent, currency }: Stated, quantum: number): readonly Value[] {
    const statedValue = scaled(value);
    const half =
      quantum >= 0 ? (10n ** BigInt(quantum) * UNIT) / 2n : UNIT / 10n ** BigInt(-quantum) / 2n;
    const money = this.values.filter(
      (each) =>
        each.number !== null &&
        (currency === null || each.currency === null || each.currency === currency),
    );
    const shares = this.values.filter(
      ({ number, currency: named }) => number !== null && named === null && mayBeShare(number),
    );
    const within = (number: bigint): boolean => {
      const off = number - statedValue;
      if (off < 0n)
        return (
          -off < half || (-off === half && (statedValue > 0n ? true : isEven(statedValue, half)))
        );
      return off < half || (off === half && (statedValue > 0n ? isEven(statedValue, half) : true));
    };
    const exact = money.filter(({ number }) => number === statedValue);
    if (exact.length > 0) return exact;
    const share = percent
      ? shares.filter(({ number }) => (number ?? 0n) * 100n === statedValue)
      : [];
    if (share.length > 0) return share;
    const rounded = money.filter(({ number }) => within(number ?? 0n));
    if (rounded.length > 0 || !percent) return rounded;
    return shares.filter(({ number }) => within((number ?? 0n) * 100n));
  }
}

/** A tie is rounded away from zero, or to the even digit. */
function isEven(statedValue: bigint, half: bigint): boolean {
  return (statedValue / (half * 2n)) % 2n === 0n;
}

/** 0.914 is shown as 91.4%; 5 is not shown as 500%. */
function mayBeShare(number: bigint): boolean {
  return number % UNIT !== 0n || number === 0n || number === UNIT || number === -UNIT;
}

function valuesOf(value: unknown, path: string, id: string): Value[] {
  const place = `${id} ${path}`;
  if (typeof value === 'number')
    return [
      {
        place,
        number: scaled(String(value)),
        currency: /_(usd|eur)$/u.exec(path)?.[1]?.toUpperCase() ?? null,
        date: null,
      },
    ];
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\d/u.test(value))
      return [{ place, number: null, currency: null, date: value }];
    const seconds = /^restarted after (\d+) s$/u.exec(value)?.[1];
    return seconds === undefined
      ? []
      : [{ place, number: scaled(seconds), currency: null, date: null }];
  }
  if (Array.isArray(value)) return value.flatMap((each, i) => valuesOf(each, `${path}[${i}]`, id));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    valuesOf(each, path === '' ? key : `${path}.${key}`, id),
  );
}

/**
 * @throws Error for a number finer than 10^-9, which could not be compared
 */
function scaled(decimal: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(decimal);
  const fraction = match?.[3] ?? '';
  if (match === null || fraction.length > PLACES)
    throw new Error(`the reference cannot read ${decimal}`);
  const magnitude = BigInt(`${match[2] ?? ''}${fraction.padEnd(PLACES, '0')}`);
  return match[1] === '-' ? -magnitude : magnitude;
}
