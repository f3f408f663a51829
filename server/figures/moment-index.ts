import { cutTo, type Moment, shape } from './moment';

/** Values that are dates or times. */
export interface Moments {
  /** Their numbers, in order. */
  readonly dated: readonly number[];
  /** Those that could be packed without a full reading, in order, and the others. */
  packed(): PackedMoments;
  momentOf(value: number): Moment | null;
}

export interface PackedMoments {
  readonly values: readonly number[];
  /** `packDate`. */
  readonly dates: Int32Array;
  /** Minutes of the day plus one; 0 without a clock. */
  readonly clocks: Int32Array;
  readonly others: readonly number[];
}

const NONE = -1;
const [YEAR_SHIFT, MONTH_SHIFT] = [9, 5] as const;
const [MONTH_MASK, DAY_MASK] = [0b1111 << MONTH_SHIFT, 0b11111] as const;
const YEAR_MASK = ~(MONTH_MASK | DAY_MASK);
const [HASH, CLOCK_HASH] = [0x9e_37_79_b1, 0x85_eb_ca_6b] as const;

/** Year, month and day as one number, each zero if absent. */
export function packDate(year: number, month: number, day: number): number {
  return (year << YEAR_SHIFT) | (month << MONTH_SHIFT) | day;
}

/**
 * Finds dates by the given parts. Each shape (year and month, day and clock, …) is indexed on first
 * use.
 */
export class MomentIndex {
  private readonly shapes = new Map<string, PackedShape>();
  private readonly read = new Map<string, ReadonlyMap<string, readonly number[]>>();
  private readonly packed: PackedMoments;

  constructor(private readonly moments: Moments) {
    this.packed = moments.packed();
  }

  /** All values that show every part of a moment with equal values. */
  find(moment: Moment): readonly number[] {
    const wanted = shape(moment);
    const key = cutTo(moment, wanted);
    if (key === null || wanted === '') return [];
    // Seconds are not packed.
    if (moment.second !== null || moment.fraction !== null)
      return this.byText(wanted, this.moments.dated).get(key) ?? [];
    const found = this.shapeOf(wanted, moment).find(moment);
    const otherForms =
      this.packed.others.length === 0
        ? []
        : (this.byText(wanted, this.packed.others).get(key) ?? []);
    return otherForms.length === 0 ? found : [...found, ...otherForms].sort((a, b) => a - b);
  }

  private shapeOf(wanted: string, moment: Moment): PackedShape {
    let shape = this.shapes.get(wanted);
    if (shape === undefined) {
      shape = new PackedShape(this.packed, moment);
      this.shapes.set(wanted, shape);
    }
    return shape;
  }

  private byText(
    wanted: string,
    values: readonly number[],
  ): ReadonlyMap<string, readonly number[]> {
    const cached = this.read.get(wanted);
    if (cached !== undefined) return cached;
    const map = new Map<string, number[]>();
    for (const value of values) {
      const moment = this.moments.momentOf(value);
      const cut = moment === null ? null : cutTo(moment, wanted);
      if (cut === null) continue;
      const same = map.get(cut);
      if (same === undefined) map.set(cut, [value]);
      else same.push(value);
    }
    this.read.set(wanted, map);
    return map;
  }
}

/** Packed moments by some of their parts, in chains. */
class PackedShape {
  /** The compared parts. */
  private readonly mask: number;
  private readonly withClock: boolean;
  private readonly heads: Int32Array;
  private readonly next: Int32Array;

  constructor(
    private readonly packed: PackedMoments,
    { year, month, day, clock }: Moment,
  ) {
    this.mask =
      (year === null ? 0 : YEAR_MASK) |
      (month === null ? 0 : MONTH_MASK) |
      (day === null ? 0 : DAY_MASK);
    this.withClock = clock !== null;
    const { dates, clocks } = packed;
    this.next = new Int32Array(dates.length);
    this.heads = new Int32Array(1 << (32 - Math.clz32(Math.max(1, dates.length)))).fill(NONE);
    for (let i = dates.length - 1; i >= 0; i--) {
      const time = this.withClock ? (clocks[i] ?? 0) : 1;
      if (time === 0) continue;
      const slot = this.slotOf((dates[i] ?? 0) & this.mask, time);
      this.next[i] = this.heads[slot] ?? NONE;
      this.heads[slot] = i;
    }
  }

  find({ year, month, day, clock }: Moment): readonly number[] {
    const { dates, clocks, values } = this.packed;
    const date = packDate(Number(year ?? 0), Number(month ?? 0), Number(day ?? 0));
    const time = clock === null ? 1 : Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)) + 1;
    const found: number[] = [];
    for (
      let i = this.heads[this.slotOf(date, time)] ?? NONE;
      i !== NONE;
      i = this.next[i] ?? NONE
    ) {
      if (((dates[i] ?? 0) & this.mask) === date && (!this.withClock || clocks[i] === time))
        found.push(values[i] ?? 0);
    }
    return found;
  }

  private slotOf(date: number, time: number): number {
    return ((Math.imul(date, HASH) ^ Math.imul(time, CLOCK_HASH)) >>> 8) & (this.heads.length - 1);
  }
}
