import { Budget, placesInProse } from './match-prose';
import { placesInRecord, type PlacedFigure } from './match-record';
import type { ClaimOutput, ClaimPlace } from './output';
import { OutputIndex, PLACES_MAX, type ReadFigures, spokenWords } from './output-index';
import { createOwnWords } from './own-words';
import type { Stretch } from './sentences';
import type { Claim } from './split';
import { firstFrom, type ReadFigure, type Word, wordsIn } from './words';

/** A figure of the answer, and how the figure evaluator traced it to the outputs. */
export interface TracedFigure extends ReadFigure {
  readonly text: string;
  readonly status: 'sourced' | 'misattributed' | 'derived' | 'unsourced';
  /** Where it stands in the data of an output; null where that is in a summary, or nowhere. */
  readonly place: PlacedFigure | null;
  /** It stands in what was asked for. */
  readonly asked: boolean;
}

export interface MatchClaims {
  readonly answer: string;
  readonly claims: readonly Claim[];
  readonly outputs: readonly ClaimOutput[];
  readonly query: string;
  /** All figures of the answer, in order. */
  readonly figures: readonly TracedFigure[];
  /** Figures of any text, as in the answer. */
  readonly readFigures: ReadFigures;
}

/** What can be said of a claim without asking anybody; `left` is for a judge. */
export type MatchedClaim =
  | { readonly state: 'supported'; readonly by: 'figures' | 'quote' | 'text'; readonly places: readonly ClaimPlace[] }
  | { readonly state: 'unsupported'; readonly by: 'figures' | 'quote' | 'text'; readonly reason: string }
  | { readonly state: 'left' };

/** Some seconds of a slow machine, whatever is sent. */
const STEPS_MAX = 20_000_000;
const QUOTE = /["“„«]([^"“”„«»\n]{8,2000})["”“»]/gu;
const QUOTE_WORDS = 3;
const LEFT: MatchedClaim = { state: 'left' };

/**
 * Holds each claim against the outputs (SOAR-21, SOAR-24). Decides only what is clear: a figure or a quotation that stands nowhere is
 * unsupported, and so is a claim that merely names an agent; a claim whose words and figures all stand together in one sentence or
 * record is supported by that output. The outputs are indexed once, and the whole is bounded in steps.
 */
export function matchClaims(input: MatchClaims): readonly MatchedClaim[] {
  const { answer, claims, outputs, query, figures, readFigures } = input;
  if (claims.length === 0) return [];
  const index = new OutputIndex(outputs, readFigures);
  const asked = new OutputIndex([{ id: '', agent: '', summary: query, data: null }], readFigures);
  const own = createOwnWords(outputs);
  const budget = new Budget(STEPS_MAX);
  return claims.map((claim) => {
    const cited = own.citations(answer, claim);
    const isOutside = ({ from }: { readonly from: number }): boolean => !cited.some(({ start, end }) => from >= start && from < end);
    const said = figuresOf(figures, claim).filter(isOutside);
    const { words, named } = own.strip(wordsIn(answer, claim, said).filter(isOutside));
    const saying = words.filter(counts);
    if (!saying.some(({ kind }) => kind !== 'saying'))
      return named ? unsupported('text', 'it names an agent and says nothing that an output could bear out') : LEFT;
    const missing = said.find(({ status, asked: isAsked, text }) => status === 'unsourced' && !isAsked && !isPartOfName(text, index));
    if (missing !== undefined) return unsupported('figures', `${missing.text.slice(0, 60)} stands in no output`);
    const quotes = quotesIn(answer, claim).map((quote) => ({ quote, found: findQuote(answer, quote, index, budget) }));
    const invented = quotes.find(({ quote, found }) => found === 'nowhere' && findQuote(answer, quote, asked, budget) === 'nowhere');
    if (invented !== undefined) {
      const quoted = answer.slice(invented.quote.start, Math.min(invented.quote.end, invented.quote.start + 80));
      return unsupported('quote', `“${quoted}” stands in no output`);
    }
    if (said.some(({ status }) => status !== 'sourced')) return LEFT;
    return supportOf({ claim, saying, said, quotes }, answer, index, budget);
  });

  function supportOf({ claim, saying, said, quotes }: Seen, text: string, all: OutputIndex, steps: Budget): MatchedClaim {
    const quoted = quotes.flatMap(({ found }) => (typeof found === 'string' ? [] : [found]));
    const unquoted = saying.filter(
      ({ from, kind }) => kind !== 'saying' && !quotes.some(({ quote }) => from >= quote.start && from < quote.end),
    );
    if (quoted.length > 0 && quoted.length === quotes.length && unquoted.length === 0) {
      return { state: 'supported', by: 'quote', places: quoted };
    }
    const by = quotes.length > 0 ? 'quote' : said.length > 0 ? 'figures' : 'text';
    const label = claim.label === null ? [] : own.strip(wordsIn(text, claim.label, [])).words.filter(counts);
    const prose = label.length === 0 ? placesInProse(saying, all, steps) : [];
    if (prose.length > 0) return { state: 'supported', by, places: prose };
    const placed = said.flatMap(({ place }) => (place === null ? [] : [place]));
    const plain = [...label, ...saying].filter(({ unit }) => unit === undefined);
    const records = placed.length === said.length ? placesInRecord(plain, placed, all, steps) : [];
    return records.length > 0 ? { state: 'supported', by, places: records } : LEFT;
  }
}

interface Seen {
  readonly claim: Claim;
  /** Words that count. */
  readonly saying: readonly Word[];
  readonly said: readonly TracedFigure[];
  readonly quotes: readonly { readonly quote: Stretch; readonly found: FoundQuote }[];
}

type FoundQuote = ClaimPlace | 'nowhere' | 'unclear';

/** "Card 7091239" where an output holds `card_7091239`: whether that is meant is for a judge. */
const isPartOfName = (figure: string, index: OutputIndex): boolean => /^\d{4,}$/.test(figure) && index.names(figure);

const counts = ({ kind }: Word): boolean => kind !== 'stop' && kind !== 'framing';

const unsupported = (by: 'figures' | 'quote' | 'text', reason: string): MatchedClaim => ({ state: 'unsupported', by, reason });

function figuresOf(figures: readonly TracedFigure[], { start, end }: Stretch): readonly TracedFigure[] {
  const found: TracedFigure[] = [];
  for (let i = firstFrom(figures, start); i < figures.length; i++) {
    const figure = figures[i];
    if (figure === undefined || figure.to > end) break;
    found.push(figure);
  }
  return found;
}

/** Text in quotation marks of three words and more: fewer are a term or irony. */
function quotesIn(answer: string, { start, end }: Stretch): readonly Stretch[] {
  return Array.from(answer.slice(start, end).matchAll(QUOTE), ({ index, 1: text = '' }) => ({
    start: start + index + 1,
    end: start + index + 1 + text.length,
  })).filter((quote) => spokenWords(answer, quote).length >= QUOTE_WORDS);
}

function findQuote(answer: string, quote: Stretch, index: OutputIndex, budget: Budget): FoundQuote {
  const words = spokenWords(answer, quote);
  const { offset, places } = index.quoteCandidates(words);
  for (const place of places) {
    if (!budget.spend(words.length)) return 'unclear';
    const found = index.spokenFrom(place - offset, words);
    if (found !== null) return found;
  }
  return places.length < PLACES_MAX ? 'nowhere' : 'unclear';
}
