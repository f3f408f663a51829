import type { ClaimPlace } from './output';
import { type OutputIndex, PLACES_MAX } from './output-index';
import type { Word } from './words';

/** Steps that all claims of an answer may take together; what is left over then is for a judge. */
export class Budget {
  constructor(private left: number) {}

  spend(steps: number): boolean {
    this.left -= steps;
    return this.left >= 0;
  }
}

/** Fewer words in a row may stand in a sentence that says something else. */
const RUN_WORDS = 5;
/** Below so many words in a row the claim must be the first clause of the sentence, or make up this share of it. */
const SHARE = 0.6;
const SHORT_RUN = 3;
const WORDS_MAX = 200;
const PLACES_MAX_FOUND = 8;

/**
 * Sentences of the outputs that say the claim in the same words and order, leaving out none between them. What turns a sentence (not,
 * might, unless) must stand in both, in the same place, and nowhere else in the sentence: words alone would take the contrary for
 * support. `words` are those that count.
 */
export function placesInProse(words: readonly Word[], index: OutputIndex, budget: Budget): readonly ClaimPlace[] {
  if (words.length === 0 || words.length > WORDS_MAX) return [];
  let rarest = { offset: 0, places: index.placesOf(words[0]?.word ?? '') };
  for (const [offset, { word }] of words.entries()) {
    const places = index.placesOf(word);
    if (places.length < rarest.places.length) rarest = { offset, places };
  }
  if (rarest.places.length >= PLACES_MAX) return [];
  const turns = words.filter(({ kind }) => kind === 'turn').length;
  const found: ClaimPlace[] = [];
  for (const place of rarest.places) {
    const first = place - rarest.offset;
    if (found.length >= PLACES_MAX_FOUND || !budget.spend(1)) break;
    if (!stands(words, first, index, budget)) continue;
    const passage = index.passages[index.stream[first]?.passage ?? -1];
    if (passage === undefined || passage.turns !== turns || first + words.length > passage.first + passage.count) continue;
    const isWhole = words.length === passage.count;
    const isMost = words.length >= SHORT_RUN && words.length / passage.count >= SHARE;
    const isClause = words.length >= SHORT_RUN && first === passage.first && words.length === passage.clause;
    if (!isWhole && !isMost && !isClause && words.length < RUN_WORDS) continue;
    const at = index.placeOf(first, first + words.length - 1);
    if (at !== null) found.push(at);
  }
  return found;
}

function stands(words: readonly Word[], first: number, index: OutputIndex, budget: Budget): boolean {
  if (first < 0) return false;
  for (const [i, { word, unit }] of words.entries()) {
    const there = index.stream[first + i];
    if (there?.word !== word) return false;
    // 5 GB is not 5 MB; a figure without a unit may be either.
    if (unit != null && there.unit != null && unit !== there.unit) return false;
    if (!budget.spend(1)) return false;
  }
  return true;
}
