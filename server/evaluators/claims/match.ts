import type { ClaimOutput, ClaimPlace } from './output';
import { OutputIndex, wordTexts, wordingOf } from './output-index';
import { createClaimWords } from './claim-words';
import type { TextRange } from './sentences';
import type { Claim } from './split';
import { firstFrom, wordsIn } from './words';

/**
 * A figure of the answer with its trace to the outputs by the figure evaluator. `from` and `to` are
 * UTF-16 indices.
 */
export interface TracedFigure {
  readonly from: number;
  readonly to: number;
  /** As written. */
  readonly text: string;
  readonly unit: string | null;
  readonly status: 'sourced' | 'misattributed' | 'derived' | 'unsourced';
  /** It occurs in the request. */
  readonly inQuery: boolean;
}

export interface MatchClaims {
  readonly answer: string;
  readonly claims: readonly Claim[];
  readonly outputs: readonly ClaimOutput[];
  readonly query: string;
  /** All figures of the answer, in order. */
  readonly figures: readonly TracedFigure[];
}

/** The result for a claim that needs no judge; `left` is for a judge. */
export type MatchedClaim =
  | {
      readonly state: 'supported';
      readonly by: 'figures' | 'quote' | 'text';
      readonly places: readonly ClaimPlace[];
    }
  | {
      readonly state: 'unsupported';
      readonly by: 'figures' | 'quote' | 'text';
      readonly reason: string;
    }
  | { readonly state: 'left' };

/** Bounds the work for any input to a few seconds on a slow machine. */
const STEPS_MAX = 20_000_000;
const QUOTE = /["“„«]([^"“”„«»\n]{8,2000})["”“»]/gu;
const QUOTE_WORDS = 3;
const PLACES_SHOWN = 8;
const LEFT: MatchedClaim = { state: 'left' };

/**
 * Matches each claim with the outputs (SOAR-21, SOAR-24). Decides only clear cases: a claim that an
 * output states in exactly the same words is supported; a claim with a figure or a quotation that
 * occurs nowhere is unsupported, and so is a claim that merely names an agent. Shared words alone
 * prove nothing: "Few of the hosts passed" does not support that they did. The outputs are indexed
 * once, and the total work is bounded in steps.
 */
export function matchClaims({
  answer,
  claims,
  outputs,
  query,
  figures,
}: MatchClaims): readonly MatchedClaim[] {
  if (claims.length === 0) return [];
  const index = new OutputIndex(outputs);
  const queryIndex = new OutputIndex([{ id: '', agent: '', summary: query, data: null }]);
  const own = createClaimWords(outputs);
  let steps = STEPS_MAX;
  const spend = (count: number): boolean => (steps -= count) >= 0;
  const isInvented = (quote: TextRange): boolean => {
    const words = wordTexts(answer, quote);
    return (
      words.length >= QUOTE_WORDS &&
      index.containsWords(words, spend) === 'nowhere' &&
      queryIndex.containsWords(words, spend) === 'nowhere'
    );
  };
  return claims.map((claim): MatchedClaim => {
    const cited = own.citations(answer, claim);
    const isOutside = ({ from }: { readonly from: number }): boolean =>
      !cited.some(({ start, end }) => from >= start && from < end);
    const { words, named } = own.strip(wordsIn(answer, claim).filter(isOutside));
    if (!words.some(({ kind }) => kind === 'content')) {
      return named
        ? unsupported('text', 'it names an agent and says nothing that an output could bear out')
        : LEFT;
    }
    const stated = figuresOf(figures, claim).filter(isOutside);
    const missing = stated.find((figure) => isMissing(figure, index));
    if (missing !== undefined)
      return unsupported('figures', `${missing.text.slice(0, 60)} is in no output`);
    const quotes = quotesIn(answer, claim);
    const invented = quotes.find(isInvented);
    if (invented !== undefined) {
      return unsupported(
        'quote',
        `“${answer.slice(invented.start, Math.min(invented.end, invented.start + 80))}” is in no output`,
      );
    }
    // The cited output itself must support the claim: support in another output is a different
    // source.
    const ids = cited.flatMap((each) => each.ids);
    const places = index
      .placesOf(wordingOf(withoutStretches(answer, claim, cited)))
      .filter(
        (place) =>
          ids.length === 0 || ids.includes(outputs[place.index]?.id.trim().toLowerCase() ?? ''),
      );
    if (claim.label !== null || places.length === 0) return LEFT;
    const by = stated.length > 0 ? 'figures' : quotes.length > 0 ? 'quote' : 'text';
    return { state: 'supported', by, places: places.slice(0, PLACES_SHOWN) };
  });
}

const unsupported = (by: 'figures' | 'quote' | 'text', reason: string): MatchedClaim => ({
  state: 'unsupported',
  by,
  reason,
});

/** Counts up to a dozen often count listed items, or are written as words. */
const COUNTED_MAX = 12;
/** Times and sizes may be given in other units: 90 minutes, 1.5 hours. */
const CONVERTED =
  /^(?:ms|s|sec|min|h|hours?|minutes?|seconds?|days?|weeks?|months?|years?|[kmgtp]?i?b|bytes?)$/iu;

/**
 * A figure that occurs nowhere, not even in another notation that can be recognised without a
 * model.
 */
function isMissing({ status, inQuery, text, unit }: TracedFigure, index: OutputIndex): boolean {
  if (status !== 'unsourced' || inQuery) return false;
  if (unit !== null && CONVERTED.test(unit)) return false;
  const digits = text.replace(/^[^\d]+|[^\d]+$/gu, '');
  if (!/^\d+$/u.test(digits)) return true;
  return !index.names(digits) && !(Number(digits) <= COUNTED_MAX && digits === text);
}

function figuresOf(
  figures: readonly TracedFigure[],
  { start, end }: TextRange,
): readonly TracedFigure[] {
  const found: TracedFigure[] = [];
  for (let i = firstFrom(figures, start); i < figures.length; i++) {
    const figure = figures[i];
    if (figure === undefined || figure.to > end) break;
    found.push(figure);
  }
  return found;
}

/** Text in quotation marks: fewer than three words are a term or irony. */
function quotesIn(answer: string, { start, end }: TextRange): readonly TextRange[] {
  return Array.from(answer.slice(start, end).matchAll(QUOTE), ({ index, 1: text = '' }) => ({
    start: start + index + 1,
    end: start + index + 1 + text.length,
  }));
}

function withoutStretches(
  text: string,
  { start, end }: TextRange,
  out: readonly TextRange[],
): string {
  let kept = '';
  let from = start;
  for (const each of out) {
    kept += text.slice(from, each.start);
    from = each.end;
  }
  return kept + text.slice(from, end);
}
