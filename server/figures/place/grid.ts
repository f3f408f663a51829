import type { Moment } from '../moment';
import type { SourceContent, SourceItem } from '../source-items';
import type { NamedColumn } from './column';
import { RowNames } from './entity';
import type { WordPrints } from './fingerprint';
import { gridOfJson } from './grid-of-json';
import { gridOfText } from './grid-of-text';
import { Labels } from './label';
import { isLineYear } from './line-dates';

/**
 * The source of a grid. Lines are rows of a table, or objects and arrays of JSON by their numbers.
 */
export interface GridParts {
  readonly columns: readonly NamedColumn[];
  /** Each value's column by its index, -1 for values in none. */
  readonly columnOf: Int32Array;
  /** Columns of dates and times, built on first use. */
  readonly dateColumns: () => DateColumns;
  /** The values that date a line, at most four, in order; computed on first use. */
  readonly dates: () => ReadonlyMap<number, readonly number[]>;
  /** The line of a value, and the parent of a line; -1 if there is none. */
  lineOf(row: number): number;
  lineAbove(line: number): number;
  readonly labels: RowLabels;
}

/** The dates and times under one name each (`issued`, `due`), separate from the amounts. */
export interface DateColumns {
  readonly columns: readonly NamedColumn[];
  readonly columnOf: ReadonlyMap<number, NamedColumn>;
}

/** The short texts that name the lines of a source, by label number. */
export interface RowLabels {
  /** Labels are numbers below `size`, or bitwise complements of numbers below `complements`. */
  readonly size: number;
  readonly complements: number;
  /** Writes the labels of a value's line to `labels`, nearest first. @returns the number of them */
  of(row: number, labels: number[]): number;
  /** Reads the words of a label. @returns false if there are more than `most` */
  read(label: number, words: WordPrints, max: number): boolean;
  textOf(label: number): string;
}

const LEVELS_MAX = 8;
const NO_MOMENTS: readonly Moment[] = [];

/**
 * One source as rows and columns: which values share a name, and which date belongs to a value's
 * row. Built when a sentence first refers to it; most answers need only a few of its columns.
 */
export class Grid {
  private readonly parts: GridParts;
  private readonly distinct = new Map<string, Moment>();
  private isComplete = false;
  private readonly moved = new Map<number, readonly Moment[]>();
  private dated: ReturnType<GridParts['dates']> | null = null;
  private columnYears: ReadonlyMap<number, readonly Moment[]> | null = null;
  private amountColumns: readonly NamedColumn[] | null = null;
  private allDays: readonly string[] | null = null;
  private read: Labels | null = null;
  private dateColumns: (DateColumns & { readonly labels: Labels }) | null = null;
  /** Its rows by name. */
  readonly rowNames = new RowNames(this);

  constructor(readonly content: SourceContent) {
    this.parts = content.table === null ? gridOfText(content) : gridOfJson(content);
  }

  all(): readonly NamedColumn[] {
    return this.parts.columns;
  }

  /** Its columns, except the one with the years of its lines. */
  amounts(): readonly NamedColumn[] {
    this.amountColumns ??= this.parts.columns.filter(
      ({ own: [name = '', second], size, content, rows }) =>
        second !== undefined || size === 0 || !isLineYear(name, content.itemAt(rows[0] ?? 0).text),
    );
    return this.amountColumns;
  }

  lineOf(row: number): number {
    return this.parts.lineOf(row);
  }

  labelsOfRows(): RowLabels {
    return this.parts.labels;
  }

  columnOf(item: SourceItem): NamedColumn | null {
    return this.parts.columns[this.parts.columnOf[item.row] ?? -1] ?? null;
  }

  /** The columns by the words that name them. */
  labels(): Labels {
    this.read ??= new Labels(this.parts.columns);
    return this.read;
  }

  /** Its columns of dates and times, and the words that name them. */
  ofDates(): DateColumns & { readonly labels: Labels } {
    if (this.dateColumns === null) {
      const dateColumns = this.parts.dateColumns();
      this.dateColumns = { ...dateColumns, labels: new Labels(dateColumns.columns) };
    }
    return this.dateColumns;
  }

  /** The nearest dates of the row or object that contains the value; empty if it has none. */
  momentsOf(row: number): readonly Moment[] {
    const { parts } = this;
    const dates = this.dates();
    if (dates.size === 0) return this.years().get(parts.columnOf[row] ?? -1) ?? NO_MOMENTS;
    let line = parts.lineOf(row);
    for (let level = 0; line !== -1 && level < LEVELS_MAX; level++, line = parts.lineAbove(line)) {
      if (dates.has(line)) return this.momentsIn(line);
    }
    return NO_MOMENTS;
  }

  /** The days of all rows, as `2024-01-04`, in order and each once. */
  days(): readonly string[] {
    this.allDays ??= [
      ...new Set([...this.moments()].flatMap((moment) => dayOf(moment) ?? [])),
    ].sort();
    return this.allDays;
  }

  /** The dates of all rows, each day once. */
  moments(): Iterable<Moment> {
    if (!this.isComplete) {
      for (const line of this.dates().keys()) this.momentsIn(line);
      for (const years of this.years().values()) years.forEach((year) => this.shared(year));
    }
    this.isComplete = true;
    return this.distinct.values();
  }

  /** The years of columns, by their indexes, in a table whose rows have no dates. */
  private years(): ReadonlyMap<number, readonly Moment[]> {
    if (this.columnYears === null) {
      const found = this.parts.columns.flatMap(({ year }, at): [number, readonly Moment[]][] =>
        year === null ? [] : [[at, [{ ...YEAR_ONLY, year }]]],
      );
      this.columnYears = new Map(found.length > 1 && this.dates().size === 0 ? found : []);
    }
    return this.columnYears;
  }

  /** One moment for all rows of a day: a table has many rows and few days. */
  private shared(moment: Moment): Moment {
    const key = `${moment.year}-${moment.month}-${moment.day}`;
    const cached = this.distinct.get(key);
    if (cached !== undefined) return cached;
    this.distinct.set(key, moment);
    return moment;
  }

  private dates(): ReturnType<GridParts['dates']> {
    this.dated ??= this.parts.dates();
    return this.dated;
  }

  private momentsIn(line: number): readonly Moment[] {
    let cached = this.moved.get(line);
    if (cached === undefined) {
      cached = (this.dates().get(line) ?? []).map((row) =>
        this.shared(momentOf(this.content.itemAt(row))),
      );
      this.moved.set(line, cached);
    }
    return cached;
  }
}

const YEAR_ONLY = { month: null, day: null, clock: null, second: null, fraction: null };

/** The moment of a value that dates its line: a date, or a year under a key for years. */
function momentOf({ dated, reading, text }: SourceItem): Moment {
  return dated && reading.moment !== null ? reading.moment : { ...YEAR_ONLY, year: text };
}

function dayOf({ year, month, day }: Moment): string | null {
  return year === null || month === null || day === null ? null : `${year}-${month}-${day}`;
}
