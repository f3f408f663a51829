import type { DeriveContext, Operation } from './derivation';
import { wordsOf } from './words';

/** Hints about a figure's calculation in the words around it. */
export interface Cues {
  readonly operations: ReadonlySet<Operation>;
  /** Words of the sentence, in lower case. */
  readonly words: readonly string[];
  /** Words that name the counted things: right after the figure, or after "number of". */
  readonly counted: readonly string[];
  /** The direction of a change, if words state it. */
  readonly direction: 'up' | 'down' | null;
}

/** Characters of the sentence that are read on either side. */
const REACH = 200;
/** Characters within which a word refers to the figure and not to another one. */
const NEAR_BEFORE = 90;
const NEAR_AFTER = 60;
const COUNTED_WORDS = 3;

const SUM =
  /\b(?:totals?|totall?(?:ed|ing)|altogether|together|combined|sum|overall|in all|aggregate|cumulative|accumulat\w{1,4}|adds? up|amount(?:s|ed)? to)\b/u;
/** Signs that end the preceding expression: "$100 + $50 = ". */
const EQUALS = /=\s{0,2}$/u;
const OPENS = /\(\s{0,2}$/u;
const AVERAGE = /\b(?:averag\w{1,3}|mean|avg)\b/u;
const DIFFERENCE =
  /\b(?:difference|differs?|gap|more|less|fewer|(?:high|low|great|small|larg|long|short|warm|cold|cheap|fast|slow|new|old)er|above|below|(?:in|de)creas\w{1,3}|rose|risen|ris(?:es?|ing)|fell|fallen|fall(?:s|ing)?|drop\w{0,4}|gr[eo]wn?|growth|grow(?:s|ing)|gain\w{0,3}|los(?:t|s|ses|es|ing)|declin\w{1,3}|chang\w{1,3}|reduc\w{1,4}|remain\w{0,5}|left|sav(?:e[sd]?|ings?)|delta|margin|exceed\w{0,3}|refund\w{0,3})\b/u;
const UP =
  /\b(?:increas\w{1,3}|rose|risen|ris(?:es?|ing)|gr[eo]wn?|growth|grow(?:s|ing)|gain\w{0,3}|more|up)\b/u;
const DOWN =
  /\b(?:decreas\w{1,3}|fell|fallen|fall(?:s|ing)?|drop\w{0,4}|declin\w{1,3}|reduc\w{1,4}|los(?:t|s|ses|es|ing)|less|fewer|down)\b/u;
const SHARE =
  /\b(?:of|share|portion|proportion|fraction|percentage|accounts?|accounted|makes? up|represent\w{0,4}|compris\w{1,3})\b/u;
const TIMES_BEHIND = /^[\s-]{0,2}(?:times|fold|x\b|×)/u;
const RATIO = /\b(?:ratio|factor)\b/u;
const PER_BEHIND = /^\s{0,2}(?:per|each|apiece)\b/u;
const MAX =
  /\b(?:max(?:imum)?|highest|peak\w{0,3}|largest|greatest|top|most|warmest|hottest|fastest|slowest|longest|up to)\b/u;
const MIN = /\b(?:min(?:imum)?|lowest|smallest|least|coldest|coolest|shortest|fewest|cheapest)\b/u;
const NUMBER_OF = /\b(?:number|count|total) of(?: the| all)?((?: \p{L}{1,30}){1,3})/u;

/** Reads the sentence around a figure. */
export function readCues(context: DeriveContext, percent: boolean): Cues {
  const before = context.before.slice(-REACH).toLowerCase();
  const after = context.after.slice(0, REACH).toLowerCase();
  const near = `${clauseBefore(before)} \u0000 ${clauseAfter(after)}`;
  const behind = after.trimStart();
  const operations = new Set<Operation>();
  const equals = EQUALS.test(before);
  if (equals || SUM.test(near)) operations.add('sum');
  if (AVERAGE.test(near)) operations.add('average');
  if (MAX.test(near)) operations.add('max');
  if (MIN.test(near)) operations.add('min');
  if (equals || DIFFERENCE.test(near)) operations.add('difference');
  if (percent && operations.has('difference')) operations.add('change');
  if (percent && (equals || OPENS.test(before) || SHARE.test(near))) operations.add('share');
  if (equals || TIMES_BEHIND.test(after) || PER_BEHIND.test(after) || RATIO.test(near))
    operations.add('ratio');
  const counted = [
    ...wordsOf(/^[\s\p{L}-]{0,60}/u.exec(behind)?.[0] ?? '').slice(0, COUNTED_WORDS),
    ...wordsOf(NUMBER_OF.exec(near)?.[1] ?? ''),
  ];
  const [up, down] = [UP.test(near), DOWN.test(near)];
  const direction = up === down ? null : up ? 'up' : 'down';
  return { operations, counted, direction, words: [...wordsOf(before), ...wordsOf(after)] };
}

function clauseBefore(before: string): string {
  const near = before.slice(-NEAR_BEFORE);
  return near.slice(Math.max(near.lastIndexOf(';'), near.lastIndexOf('\n')) + 1);
}

function clauseAfter(after: string): string {
  return /^[^;\n]*/u.exec(after.slice(0, NEAR_AFTER))?.[0] ?? '';
}
