import { isDigit, skipDigits, toAsciiDigits } from './characters';
import { readLaterDay, readMoment } from './date-token';
import { exemptRegions, type ExemptOptions } from './exempt';
import type { SourceText } from './standards';
import { findNameEnd, readIpv6, readPrefixedVersion, readVersion, skipName } from './identifier';
import { UNSOURCED_MARK } from './mark-sign';
import { readNumber } from './number-token';
import { shareRangeUnits } from './range';
import type { Token } from './reading';

/**
 * A figure of an answer: a token with its text and its range in code points, end exclusive (api.md,
 * Conventions).
 */
export interface ScannedFigure extends Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Equal for figures with the same meaning in the same notation. */
export function figureKey(figure: ScannedFigure): string {
  return `${figure.text}\u0000${figure.value}\u0000${figure.unit ?? ''}`;
}

const ANSWER: ExemptOptions = { markdown: true, numbering: true };

/**
 * Every figure of an answer in order (INT-2, INT-5), each one whole token. Existing marks are
 * ignored, so marked text has the same figures (INT-22). `from` and `to` index the text as given.
 * @param sources the sources of the turn, which may contradict a standard in the answer
 */
export function scanFigures(
  answer: string,
  sources: readonly SourceText[] = [],
): readonly ScannedFigure[] {
  const { text, removed } = withoutMarks(answer);
  const figures: ScannedFigure[] = [];
  const narrow = !/[\ud800-\udbff]/.test(answer);
  let before = 0;
  let seenUnits = 0;
  let seenPoints = 0;
  const pointAt = (unit: number): number => {
    if (narrow) return unit;
    for (; seenUnits < unit; seenUnits++) if (!isLowHalf(answer, seenUnits)) seenPoints++;
    return seenPoints;
  };
  for (const token of readNumberTokens(text, { ...ANSWER, sources })) {
    while (before < removed.length && (removed[before] ?? 0) <= token.from) before++;
    const from = token.from + before * UNSOURCED_MARK.length;
    while (before < removed.length && (removed[before] ?? 0) < token.to) before++;
    const to = token.to + before * UNSOURCED_MARK.length;
    const start = pointAt(from);
    const end = pointAt(to);
    const { kind, value, unit, scale, reading } = token;
    figures.push({
      from,
      to,
      kind,
      value,
      unit,
      scale,
      reading,
      text: text.slice(token.from, token.to),
      start,
      end,
    });
  }
  return figures;
}

/** Figures of any text, without regard to marks. Linear in its length. */
export function readNumberTokens(raw: string, options: ExemptOptions): readonly Token[] {
  const text = toAsciiDigits(raw);
  const regions = exemptRegions(text, options);
  const tokens: Token[] = [];
  let region = 0;
  let floor = 0;
  let at = 0;
  while (at < text.length) {
    if (!isDigit(text.charCodeAt(at))) {
      at++;
      continue;
    }
    while (region < regions.length && (regions[region]?.to ?? 0) <= at) region++;
    const exempt = regions[region];
    if (exempt !== undefined && exempt.from <= at) {
      at = exempt.to;
      floor = at;
      continue;
    }
    const found = readAt(text, at, floor, tokens.at(-1) ?? null);
    if (typeof found === 'number') at = found;
    else {
      tokens.push(found);
      at = found.to;
    }
    floor = at;
  }
  return shareRangeUnits(text, tokens);
}

/** The token with the digit at `at`, or the position to continue from if it belongs to none. */
function readAt(text: string, at: number, floor: number, before: Token | null): Token | number {
  const literal = readIpv6(text, at, floor) ?? readPrefixedVersion(text, at, floor);
  if (literal !== null) return literal;
  const nameEnd = findNameEnd(text, at, floor);
  if (nameEnd !== null) return Math.max(nameEnd, at + 1);
  const carried = before?.kind === 'date' ? readLaterDay(text, at, before) : null;
  const token =
    readMoment(text, at, floor) ?? carried ?? readVersion(text, at) ?? readNumber(text, at, floor);
  return token ?? Math.max(skipName(text, at), skipDigits(text, at));
}

/** The text without marks after figures, and the positions of the marks (in that text). */
function withoutMarks(answer: string): { text: string; removed: readonly number[] } {
  const removed: number[] = [];
  if (!answer.includes(UNSOURCED_MARK)) return { text: answer, removed };
  const keptTokens: string[] = [];
  let from = 0;
  let length = 0;
  let at = answer.indexOf(UNSOURCED_MARK);
  while (at !== -1) {
    const behind = at + UNSOURCED_MARK.length;
    // Our marks are right after a figure and never before a letter or digit; others are ignored.
    if (
      at > from &&
      /[^\s\ufe0f]/u.test(answer.charAt(at - 1)) &&
      !/[\p{Script=Latin}\d]/u.test(answer.charAt(behind))
    ) {
      keptTokens.push(answer.slice(from, at));
      length += at - from;
      removed.push(length);
      from = behind;
    }
    at = answer.indexOf(UNSOURCED_MARK, behind);
  }
  keptTokens.push(answer.slice(from));
  return { text: keptTokens.join(''), removed };
}

function isLowHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xdc00 || unit > 0xdfff || at === 0) return false;
  const high = text.charCodeAt(at - 1);
  return high >= 0xd800 && high <= 0xdbff;
}
