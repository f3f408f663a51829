import type { ScannedFigure } from '../scan';
import { months } from '../vocabulary';
import type { Sentence } from './sentence';
import { coversParts, type DateParts, singlePeriod, type SentencePeriod } from './sentence-period';
import { periodsOfWords } from './period-words';

const LINKS =
  /^\s{0,2}(?:(?:,|and|or|&|, ?and)|(to|through|thru|until|till|-|–|—))\s{0,2}(?:the\s|on\s|in\s)?(?:(?:early|late|mid)[- ])?$/i;
const OPENS_SPAN =
  /\b(?:from|between|range[ds]?|ranging|period|during)\s{1,2}(?:the\s)?(?:(?:early|late|mid)[- ])?$/i;
const OPENS_REST = /\b(?:since|after)\s{1,2}(?:the\s)?(?:(?:early|late|mid)[- ])?$/i;
const PLAUSIBLE_YEAR = /^(?:1[5-9]|2[01])\d\d$/;
const YEAR_CUE =
  /\b(?:in|since|by|of|during|from|to|until|through|till|year|before|after|around|early|late|mid|and|between|for|as of|throughout|q[1-4]|h[12]|fy|quarter|quarter of|half of)[\s-]{1,2}$/i;
const ORDINAL_CUE = /\b(?:on|the|and|to|through|of)\s{1,2}$|[,–-]\s{0,2}$/i;

/**
 * The periods in one sentence, in order.
 * @param before the last mentioned day, the reference of "the next day"
 */
export function periodsIn(
  sentence: Sentence,
  before: SentencePeriod | null,
): readonly SentencePeriod[] {
  const dated = sentence.figures.flatMap((figure) => fromFigure(figure, sentence, before));
  const found = [...dated, ...periodsOfWords(sentence, dated, before)].sort(
    (a, b) => a.from - b.from,
  );
  const joined: SentencePeriod[] = [];
  for (const when of found) {
    const last = joined.at(-1);
    const merged = last === undefined ? null : join(last, when, sentence);
    if (merged === null) joined.push(when);
    else joined[joined.length - 1] = merged;
  }
  return joined.map((when) => untilNow(when, sentence));
}

function fromFigure(
  figure: ScannedFigure,
  sentence: Sentence,
  before: SentencePeriod | null,
): readonly SentencePeriod[] {
  const { moment, year, ordinalDay } = figure.reading;
  const base = { from: figure.from, to: figure.to, text: figure.text, figures: [figure] };
  const opened = moment === null ? null : openedMonth(figure, sentence);
  if (moment !== null && opened !== null) {
    const first = { ...moment, month: opened.month, day: null };
    const from = figure.from - opened.length;
    const [starts, stops] = [coversParts(first), coversParts(moment)];
    if (!opened.spans)
      return [
        singlePeriod({
          ...base,
          from,
          day: false,
          bounds: null,
          covers: (row, grid) => starts(row, grid) || stops(row, grid),
        }),
      ];
    const [low, high] = [keyOf(first), keyOf(moment)];
    const covers: SentencePeriod['covers'] = (row) =>
      within(keyOf(row, moment.year !== null), low, high);
    return [singlePeriod({ ...base, from, day: false, bounds: [first, moment], covers })];
  }
  if (moment !== null && moment.month !== null)
    return [
      singlePeriod({
        ...base,
        day: moment.day !== null,
        bounds: [moment, moment],
        covers: coversParts(moment),
      }),
    ];
  if (ordinalDay !== null) return ordinalOf(figure, ordinalDay, sentence, before);
  const decade = decadeOf(figure, sentence);
  if (decade !== null) return [decade];
  if (year === null || !PLAUSIBLE_YEAR.test(year) || figure.unit !== null) return [];
  if (
    !YEAR_CUE.test(
      sentence.text.slice(
        Math.max(0, figure.from - sentence.from - 16),
        figure.from - sentence.from,
      ),
    )
  ) {
    if (!isParenthetical(figure, sentence) && !isListed(figure, sentence)) return [];
  }
  const parts = { year, month: null, day: null };
  return [
    singlePeriod({
      ...base,
      day: false,
      bounds: [parts, parts],
      covers: (row) => row.year === null || row.year === year,
    }),
  ];
}

/** "The 1990s", "the early 2000s": its years, or four of them. */
function decadeOf(figure: ScannedFigure, { from, text }: Sentence): SentencePeriod | null {
  const decade = /^(?:1[5-9]|20)\d0/u.exec(figure.text)?.[0];
  const behind = text.slice(figure.from - from + 4, figure.to - from + 2);
  if (decade === undefined || !/^['’]?s\b/u.test(behind)) return null;
  const part = /\b(early|late|mid)[- ]$/iu
    .exec(text.slice(Math.max(0, figure.from - from - 8), figure.from - from))?.[1]
    ?.toLowerCase();
  const first = Number(decade) + (part === 'late' ? 6 : part === 'mid' ? 3 : 0);
  const last = first + (part === undefined ? 9 : 3);
  return singlePeriod({
    from: figure.from,
    to: figure.to,
    text: figure.text,
    figures: [figure],
    day: false,
    bounds: null,
    covers: (row) => row.year === null || (Number(row.year) >= first && Number(row.year) <= last),
  });
}

/** The second of "1921, 1930 and 1937". */
function isListed(figure: ScannedFigure, { from, text }: Sentence): boolean {
  return (
    /\b(?:in|for|of|from|during|and)\s(?:(?:1[5-9]|2[01])\d\d,\s)+$/iu.test(
      text.slice(Math.max(0, figure.from - from - 40), figure.from - from),
    ) && /^(?:,|\s(?:and|or)\s)/u.test(text.slice(figure.to - from, figure.to - from + 5))
  );
}

/** A year on its own: "- 2009: 42.4%", "(1997)", "| 2009 |", "Take 2012: …". */
function isParenthetical(figure: ScannedFigure, { from, text }: Sentence): boolean {
  const before = text.slice(Math.max(0, figure.from - from - 24), figure.from - from);
  const after = text.slice(figure.to - from, figure.to - from + 4);
  return (
    (before.endsWith('(') && after.startsWith(')')) ||
    (APART_BEFORE.test(before) && /^\**\s?[:|]/u.test(after))
  );
}

const APART_BEFORE = /(?:^\s*(?:[-*•]\s+)?\**|\|\s*|^\s*(?:take|consider)\s)$/iu;

/** "The 6th and 7th": days of the last mentioned month, or of the date that follows. */
function ordinalOf(
  figure: ScannedFigure,
  day: string,
  sentence: Sentence,
  before: SentencePeriod | null,
): readonly SentencePeriod[] {
  const at = figure.from - sentence.from;
  if (!ORDINAL_CUE.test(sentence.text.slice(Math.max(0, at - 12), at))) return [];
  const dated = sentence.figures.find(({ reading }) => reading.moment?.day != null)?.reading.moment;
  const month = dated?.month ?? before?.bounds?.[0].month ?? null;
  if (month === null || (before?.bounds?.[0].day ?? dated?.day ?? null) === null) return [];
  const parts = { year: null, month, day };
  const { from, to, text } = figure;
  return [
    singlePeriod({
      from,
      to,
      text,
      figures: [figure],
      day: true,
      bounds: [parts, parts],
      covers: coversParts(parts),
    }),
  ];
}

/** "Since March 2022": everything after it. */
function untilNow(when: SentencePeriod, sentence: Sentence): SentencePeriod {
  const first = when.bounds?.[0];
  const at = when.from - sentence.from;
  if (
    first === undefined ||
    when.ends !== null ||
    !OPENS_REST.test(sentence.text.slice(Math.max(0, at - 18), at))
  )
    return when;
  const low = keyOf(first, first.year !== null);
  const covers: SentencePeriod['covers'] = (row) => keyOf(row, first.year !== null) >= low;
  return singlePeriod({ ...when, day: false, bounds: null, covers });
}

const MONTH_OPENS = new RegExp(
  `\\b(${[...months.keys()].sort((a, b) => b.length - a.length).join('|')})\\s{1,2}(to|through|until|till|and|-|–)\\s{1,2}$`,
  'i',
);

/** "July to September 2020", "October and November 2020": the month before one with a year. */
function openedMonth(
  figure: ScannedFigure,
  sentence: Sentence,
): { readonly month: string; readonly spans: boolean; readonly length: number } | null {
  const at = figure.from - sentence.from;
  const match = MONTH_OPENS.exec(sentence.text.slice(Math.max(0, at - 24), at));
  const month = months.get((match?.[1] ?? '').toLowerCase());
  if (match === null || month === undefined) return null;
  return {
    month: String(month).padStart(2, '0'),
    spans: match[2] !== 'and',
    length: match[0].length,
  };
}

function keyOf({ year, month, day }: DateParts, withYear = true): string {
  return (withYear ? [year, month, day] : [month, day]).filter((part) => part !== null).join('-');
}

/**
 * Keys compare as text, each cut to the shorter. "November to February" spans the end of the year.
 */
function within(key: string, low: string, high: string): boolean {
  const [begun, ended] = [key.slice(0, low.length) >= low, key.slice(0, high.length) <= high];
  return low > high ? begun || ended : begun && ended;
}

/** "January 7th and 8th", "from April 2021 to June 2021"; "Friday, January 5" is the date alone. */
function join(a: SentencePeriod, b: SentencePeriod, sentence: Sentence): SentencePeriod | null {
  const between = sentence.text.slice(a.to - sentence.from, b.from - sentence.from);
  const base = {
    from: a.from,
    to: b.to,
    text: sentence.text.slice(a.from - sentence.from, b.to - sentence.from),
    figures: [...a.figures, ...b.figures],
    ends: null,
  };
  if (a.figures.length === 0 && b.figures.length > 0 && /^,?\s{0,2}\(?(?:the\s)?$/u.test(between))
    return singlePeriod({ ...base, day: b.day, bounds: b.bounds, covers: b.covers });
  const link = LINKS.exec(between);
  if (link === null) return null;
  const listed = [...a.listed, ...b.listed];
  const opened = OPENS_SPAN.test(
    sentence.text.slice(Math.max(0, a.from - sentence.from - 24), a.from - sentence.from),
  );
  const spans = link[1] !== undefined || (opened && between.includes('and'));
  const bounds =
    a.bounds === null || b.bounds === null ? null : ([a.bounds[0], b.bounds[1]] as const);
  if (!spans)
    return {
      ...base,
      day: false,
      bounds,
      listed,
      covers: (row, grid) => a.covers(row, grid) || b.covers(row, grid),
    };
  if (bounds === null) return null;
  const withYear = bounds[0].year !== null && bounds[1].year !== null;
  const [low, high] = [keyOf(bounds[0], withYear), keyOf(bounds[1], withYear)];
  const covers: SentencePeriod['covers'] = (row) => within(keyOf(row, withYear), low, high);
  return { ...base, day: false, ends: [a.covers, b.covers], bounds, listed, covers };
}
