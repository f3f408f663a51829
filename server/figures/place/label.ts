import type { ScannedFigure } from '../scan';
import { currencyCodes } from '../vocabulary';
import type { NamedColumn } from './column';
import { NEXT_PART } from './row-turns';
import { continuesPrevious, type Sentence } from './sentence';
import { unitKey } from './unit-of-name';
import { namesAny, OWN, WordHits } from './word-hits';
import { dimensionWords, quantities, sameStem, stemOf, unitQuantities } from './words';

/**
 * The meaning of the words next to a figure: matching columns, best first, or a quantity without a
 * column.
 */
export interface Named {
  /** Columns by how well the words match them; those without a match are missing. */
  readonly scores: ReadonlyMap<NamedColumn, number>;
  readonly best: number;
  /** The words are before an earlier figure, so this figure may belong to something nearer. */
  readonly distant: boolean;
  /** A quantity that no key of the source names. */
  readonly unknown: string | null;
}

export function bestColumns(named: Named): readonly NamedColumn[] {
  return [...named.scores].filter(([, score]) => score === named.best).map(([column]) => column);
}

/** The columns that the words match best, and the value's columns that they match at all. */
export function namedColumns(
  named: Named,
  columns: readonly (NamedColumn | null)[],
): readonly (NamedColumn | null)[] {
  const otherColumns = columns.filter(
    (column) => column !== null && (named.scores.get(column) ?? 0) > 0,
  );
  return [...new Set([...bestColumns(named), ...otherColumns])];
}

/** Any word may refer to a column without a name. */
export function fitsLabel(column: NamedColumn | null, named: Named): boolean {
  if (column === null || named.best < 1) return true;
  const score = named.scores.get(column) ?? 0;
  return named.distant || (score >= named.best - 1 && score > 0);
}

const NOTHING: Named = { scores: new Map(), best: 0, distant: false, unknown: null };
const WINDOW = 3;
const REACH = 160;
const AFTER_REACH = 60;
const AFTER_WORDS = 5;
const CLAUSE_REACH = 40;
const CLAUSE_WORDS = 4;
/** Words that join the next statement to this one. */
const JOINTS = new Set(['and', 'with', 'while', 'but', 'or']);

export class Labels {
  private readonly words: WordHits;

  constructor(private readonly columns: readonly NamedColumn[]) {
    this.words = new WordHits(columns);
  }

  /**
   * Reads the words before the figure, nearest first, and those after it if none before it match
   * anything.
   */
  named(figure: ScannedFigure, sentence: Sentence): Named {
    const named = this.namedBy(figure, sentence);
    const unit = figure.unit === null ? null : unitKey(figure.unit);
    if (unit === null || named.best === 0) return named;
    // "A loss of 4%" does not refer to `loss_kwh`.
    let isClear = true;
    for (const column of named.scores.keys())
      if (areIncompatible(unit, column.unitKey)) isClear = false;
    if (isClear) return named;
    const scores = [...named.scores].filter(([column]) => !areIncompatible(unit, column.unitKey));
    return {
      ...named,
      scores: new Map(scores),
      best: Math.max(0, ...scores.map(([, score]) => score)),
    };
  }

  private namedBy(figure: ScannedFigure, sentence: Sentence): Named {
    const at = figure.from - sentence.from;
    const start = Math.max(0, at - REACH);
    const previous = sentence.figures.findLast(
      (each) =>
        each.to <= figure.from && each.reading.moment === null && each.reading.year === null,
    );
    const before = sentence.wordsBetween(start, at).reverse();
    const near = previous === undefined ? before.length : this.wordsOwn(previous, at, sentence);
    // "21.6 km/h" does not refer to kilometres.
    const compound =
      figure.unit?.includes('/') === true
        ? sentence.text.indexOf(figure.unit, figure.to - sentence.from)
        : -1;
    const ends =
      compound === -1 || compound > figure.to - sentence.from + 1
        ? 0
        : (figure.unit?.length ?? 0) + 1;
    const behindFrom = figure.to - sentence.from + ends;
    // Words after the next figure belong to that one.
    const next = sentence.figures.find((each) => each.from >= figure.to)?.from ?? Infinity;
    const behindTo = Math.min(
      clauseEnd(sentence.text, behindFrom, AFTER_REACH, false),
      next - sentence.from,
    );
    const behind = sentence.wordsBetween(behindFrom, behindTo);
    // "9 km/h with gusts of 20": a joined phrase belongs to the next figure.
    const joint = next === Infinity ? -1 : behind.findIndex((word) => JOINTS.has(word));
    const after = (joint === -1 ? behind : behind.slice(0, joint)).slice(0, AFTER_WORDS);
    const first = this.byUnit(figure, this.read(before, near));
    if (first.best > 0 || first.unknown !== null) {
      // "a 30% chance of rain": the words right after it belong to it as well.
      const behind = this.read(after.slice(0, 2));
      const next = this.read(after.slice(0, 1));
      if (behind.unknown !== null) return behind;
      // "1,475 signups and 1,389 visitors": the words right after it are nearer than those before.
      if (first.distant && next.best >= OWN) return this.byUnit(figure, next);
      return first.distant && this.isOnlyOne(first, figure, sentence)
        ? { ...first, distant: false }
        : first;
    }
    const last = this.byUnit(figure, this.read(after));
    return last.best > 0 || last.unknown !== null
      ? last
      : (this.fromHead(figure, sentence) ?? this.fromOnlyQuantity(figure, sentence) ?? last);
  }

  /**
   * A quantity without a key that is alone in the clause before a date: "the lowest humidity is
   * expected on 5 May".
   */
  unknownBefore(figure: ScannedFigure, sentence: Sentence): string | null {
    const at = figure.from - sentence.from;
    const before = sentence.text.slice(Math.max(0, at - REACH), at);
    const from =
      at - before.length + Math.max(before.lastIndexOf(','), before.lastIndexOf(';'), -1) + 1;
    const words = sentence.wordsBetween(from, at);
    if (this.columns.length === 0 || words.some((word) => this.words.hits(word).length > 0))
      return null;
    return words.findLast((word) => quantities.has(stemOf(word))) ?? null;
  }

  /** Whether a word is in a column's own name. */
  names(word: string, column: NamedColumn): boolean {
    return this.words.hits(word).some((hit) => hit.column === column && hit.weight >= OWN);
  }

  /** Whether a word names a column. */
  knows(word: string): boolean {
    return this.words.hits(word).length > 0;
  }

  /**
   * The number of words before a figure that do not belong to the previous one: "47 points from 22
   * games".
   */
  private wordsOwn(previous: ScannedFigure, at: number, sentence: Sentence): number {
    const from = previous.to - sentence.from;
    const gap = sentence.text.slice(from, at);
    const opens = gap.search(NEXT_PART);
    if (opens !== -1) return sentence.wordsBetween(from + opens, at).length;
    const words = sentence.wordsBetween(from, at);
    const first = words.findIndex((word) => this.words.hits(word).length > 0);
    return first === -1 || first >= words.length - 2 ? words.length : words.length - first - 1;
  }

  /**
   * The only quantity in a sentence is that of all its figures in its unit: "The load is 4% on a,
   * and on b it is 7%".
   */
  private isOnlyOne(named: Named, figure: ScannedFigure, sentence: Sentence): boolean {
    if (figure.unit === null) return false;
    const first = sentence.figures.find(
      ({ reading }) => reading.quantities.length > 0 && reading.year === null,
    );
    const only = this.onlyIn(sentence.wordsBetween(0, (first?.from ?? 0) - sentence.from));
    if (
      only === null ||
      only.unitKey === null ||
      (named.scores.get(only) ?? 0) === 0 ||
      !isInUnitOf(figure, only)
    )
      return false;
    return this.onlyIn(sentence.wordsBetween(0, figure.from - sentence.from)) === only;
  }

  /** The quantity in a list's first line or in the head of a table's column. */
  private fromHead(figure: ScannedFigure, sentence: Sentence): Named | null {
    const { head } = sentence;
    if (head === null) return null;
    const at = figure.from - sentence.from;
    if (!head.text.trimStart().startsWith('|')) {
      const only = this.onlyIn(head.wordsBetween(0, head.text.length));
      return only !== null && isInUnitOf(figure, only) ? sureOf(only) : null;
    }
    let bars = 0;
    for (let i = 0; i < at; i++) if (sentence.text.charCodeAt(i) === BAR) bars++;
    let from = 0;
    for (; bars > 0 && from !== -1; bars--) from = head.text.indexOf('|', from) + 1 || -1;
    if (from === -1) return null;
    const to = head.text.indexOf('|', from);
    const named = this.read(head.wordsBetween(from, to === -1 ? head.text.length : to));
    return named.best > 0 ? named : null;
  }

  /**
   * "Red (12 min) and Blue (14 min) are compared by delay": the only quantity named here or in the
   * sentence before.
   */
  private fromOnlyQuantity(figure: ScannedFigure, sentence: Sentence): Named | null {
    if (figure.unit === null) return null;
    const { text } = sentence;
    const opened = OPENED.test(text.slice(0, figure.from - sentence.from))
      ? SUBJECT.exec(text.slice(figure.to - sentence.from))
      : null;
    if (opened !== null) {
      const from = figure.to - sentence.from + opened.index;
      const subject = this.onlyIn(sentence.wordsBetween(from, from + opened[0].length));
      return subject !== null && isInUnitOf(figure, subject) ? sureOf(subject) : null;
    }
    const cue = AS_WHAT.exec(text.slice(figure.to - sentence.from));
    const from = cue === null ? 0 : figure.to - sentence.from + cue.index;
    const only =
      this.onlyIn(
        sentence.wordsBetween(from, cue === null ? figure.from - sentence.from : text.length),
      ) ??
      (sentence.previous !== null && (continuesPrevious(sentence) || CONTINUES.test(sentence.text))
        ? this.onlyIn(sentence.previous.wordsBetween(0, sentence.previous.text.length))
        : null);
    return only !== null && only.unitKey !== null && isInUnitOf(figure, only) ? sureOf(only) : null;
  }

  /**
   * The single column that words name; other named columns only share words with it ("inflation
   * rate", `dropout_rate`). Null if there are several.
   */
  private onlyIn(words: readonly string[]): NamedColumn | null {
    const named = new Map<NamedColumn, Set<string>>();
    for (const word of words) {
      for (const { column, weight } of this.words.hits(word)) {
        if (weight < OWN || !column.namingStems.some((stem) => sameStem(stem, stemOf(word))))
          continue;
        named.set(column, (named.get(column) ?? new Set<string>()).add(word));
      }
    }
    const [best, second] = [...named].sort(([, one], [, other]) => other.size - one.size);
    if (best === undefined) return null;
    if (second === undefined) return best[0];
    return second[1].size < best[1].size &&
      [...named.values()].every((own) => [...own].every((word) => best[1].has(word)))
      ? best[0]
      : null;
  }

  /**
   * Whether the figure refers to a column independently of the words before it: its name has the
   * figure's unit (`p95_ms`, `free_gb`, `usd_month`), or the clause continues with a word of it
   * ("655 of them failed").
   */
  supports(
    figure: ScannedFigure,
    sentence: Sentence,
    column: NamedColumn | null,
    named: Named,
  ): boolean {
    if (column === null) return false;
    const unit = figure.unit === null ? null : unitKey(figure.unit);
    // If the words name another column with the same unit (`p95_ms`, `p99_ms`), the unit decides
    // nothing.
    const isShared =
      named.best >= 1 &&
      [...named.scores].some(([each, score]) => score === named.best && each.unitKey === unit);
    if (unit !== null && unit.length > 1 && !isShared && column.unitKey === unit) return true;
    const from = figure.to - sentence.from;
    const words = sentence.wordsBetween(from, clauseEnd(sentence.text, from, CLAUSE_REACH, true));
    const joint = words.findIndex((word) => JOINTS.has(word));
    const clause = (joint === -1 ? words : words.slice(0, joint)).slice(0, CLAUSE_WORDS);
    return clause.some(
      (word) => !(isShared && unitKey(word) === unit) && namesAny(column.namingStems, stemOf(word)),
    );
  }

  /** A unit of a single quantity names it, even if another word is nearer. */
  private byUnit(figure: ScannedFigure, named: Named): Named {
    const quantity = figure.unit === null ? undefined : unitQuantities.get(figure.unit);
    const hits = quantity === undefined ? [] : this.words.hits(quantity);
    if (
      hits.length === 0 ||
      named.unknown !== null ||
      hits.some(({ column }) => (named.scores.get(column) ?? 0) > 0)
    )
      return named;
    return {
      scores: new Map(hits.map(({ column, weight }) => [column, weight])),
      best: OWN,
      distant: true,
      unknown: null,
    };
  }

  private read(words: readonly string[], near = words.length): Named {
    let anchor = words.findIndex(
      (word) => this.words.hits(word).length > 0 || quantities.has(stemOf(word)),
    );
    const measured = words[anchor + 1];
    const isDimension =
      dimensionWords.has(words[anchor] ?? '') && this.words.hits(words[anchor] ?? '').length === 0;
    if (isDimension && measured !== undefined && this.words.hits(measured).length > 0) anchor++;
    const word = words[anchor];
    if (word === undefined) return NOTHING;
    if (this.words.hits(word).length === 0) return { ...NOTHING, unknown: word };
    const scores = new Map<NamedColumn, number>();
    // Words for this figure are not mixed with those for the previous one.
    const end = anchor < near ? Math.min(near, anchor + WINDOW + 1) : anchor + WINDOW + 1;
    for (const each of new Set(words.slice(Math.max(0, anchor - WINDOW), end))) {
      for (const { column, weight } of this.words.hits(each))
        scores.set(column, (scores.get(column) ?? 0) + weight);
    }
    let best = 0;
    const partly: NamedColumn[] = [];
    for (const [column, score] of scores) {
      const missing = Math.max(0, column.naming - Math.floor(score / OWN));
      scores.set(column, score - missing);
      if (missing > 0) partly.push(column);
      best = Math.max(best, score - missing);
    }
    // "CPU usage" is `cpu`, and not `disk_usage`.
    if (
      [...scores].some(
        ([column, score]) => score === best && score >= OWN && !partly.includes(column),
      )
    ) {
      const whole =
        [...scores].find(([column, score]) => score === best && !partly.includes(column))?.[0] ??
        null;
      for (const column of partly) {
        if (column.unitKey !== null && column.unitKey === whole?.unitKey)
          scores.set(column, Math.min(scores.get(column) ?? 0, best - OWN));
      }
    }
    return { scores, best, distant: anchor >= near, unknown: null };
  }
}

function isInUnitOf(figure: ScannedFigure, column: NamedColumn): boolean {
  return (figure.unit === null ? null : unitKey(figure.unit)) === column.unitKey;
}

function sureOf(column: NamedColumn): Named {
  return { scores: new Map([[column, OWN]]), best: OWN, distant: false, unknown: null };
}

/** Whether two units measure different things. */
function areIncompatible(unit: string, other: string | null): boolean {
  const [one, two] = [measureOf(unit), other === null ? null : measureOf(other)];
  return one !== null && two !== null && one !== two;
}

function measureOf(key: string): string | null {
  if (key === '%') return key;
  if (currencyCodes.has(key.toUpperCase())) return 'money';
  return key.includes(' ') ? (key.split(' ')[0] ?? null) : null;
}

const BAR = 124;
/** "At 24%, the load of web-2 differs". */
const OPENED = /^\s*at\s[$€£¥]?$/i;
const SUBJECT = /^[^,\d]{0,16},\s(?:the|its)\s(?:[\p{L}\p{N}]{1,20}\s){1,3}(?:of|at|in|for)\s/iu;
/** The quantity of a comparison, at the end of a sentence. */
const AS_WHAT =
  /\b(?:in terms of|compared by|measured by|ranked by|as (?:its|their|his|her))\s[^.;,]{1,60}[.;,]?\s*$/i;
const CONTINUES = /\b(?:it|this|that|the figure)\s(?:is|was|came|stood|stands|reached|went)\b/i;

/**
 * The end of a clause that begins at `from`: before a stop, a line end or, if they end it, a digit;
 * reads `most` characters.
 */
function clauseEnd(text: string, from: number, max: number, digitsEnd: boolean): number {
  let left = max;
  let at = from;
  for (; at < text.length && left > 0; at++) {
    const unit = text.charCodeAt(at);
    if (
      unit === 46 ||
      unit === 59 ||
      unit === 44 ||
      unit === 10 ||
      (digitsEnd && unit >= 48 && unit <= 57)
    )
      break;
    // The halves of one character count as one.
    if (unit < 0xd800 || unit > 0xdbff) left--;
  }
  return at;
}
