import type { ScannedFigure } from './scan';
import type { SourceIndex } from './source-index';
import type { SourceItem } from './source-items';

/**
 * Places compared for one figure, and figures of one answer that are compared at all: bounds on what an answer costs.
 */
const CANDIDATES_MAX = 64;
const REACH = 160;
const KEY_WEIGHT = 2;
const LABEL_WEIGHT = 3;
const SHORTEST_WORD = 3;

/**
 * The place that a reader would look at: its keys, its row's labels or its source's name stand near the figure in the
 * sentence; the first place where nothing speaks for another.
 */
export function nearestItem(items: readonly SourceItem[], figure: ScannedFigure, answer: string, index: SourceIndex): SourceItem | null {
  const first = items[0] ?? null;
  if (items.length < 2 || first === null) return first;
  const sentence = sentenceAround(answer, figure);
  const words = sentence.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= SHORTEST_WORD);
  let best = first;
  let most = 0;
  for (const item of items.slice(0, CANDIDATES_MAX)) {
    const score = scoreOf(item, sentence, words, index);
    if (score > most) {
      most = score;
      best = item;
    }
  }
  return best;
}

function scoreOf(item: SourceItem, sentence: string, words: readonly string[], index: SourceIndex): number {
  let score = 0;
  for (let node = item.node; node !== null; node = node.parent) {
    if (typeof node.step === 'string') score += KEY_WEIGHT * countWords(node.step, words);
  }
  for (const label of index.labelsOf(item)) if (sentence.includes(label.toLowerCase())) score += LABEL_WEIGHT;
  return score + countWords(index.sources[item.source]?.label ?? '', words);
}

/** Parts of a name (`disk_pct`, `feelsLike`) that begin a word of the sentence. */
function countWords(name: string, words: readonly string[]): number {
  const parts = name
    .slice(0, 80)
    .replace(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return parts.filter((part) => part.length >= SHORTEST_WORD && words.some((word) => word.startsWith(part))).length;
}

function sentenceAround(answer: string, figure: ScannedFigure): string {
  const before = answer.slice(Math.max(0, figure.from - REACH), figure.from);
  const after = answer.slice(figure.to, figure.to + REACH);
  const start = Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n'), before.lastIndexOf('! '), before.lastIndexOf('? '));
  const stop = after.search(/[.!?](?:\s|$)|\n/u);
  return `${before.slice(start + 1)}${figure.text}${stop === -1 ? after : after.slice(0, stop)}`.toLowerCase();
}
