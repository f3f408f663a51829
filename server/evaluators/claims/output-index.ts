import { type ClaimOutput, type ClaimPlace, textsOf } from './output';
import { splitClaims } from './split';
import type { Stretch } from './sentences';
import { fold } from './words';

/**
 * All outputs made ready for looking up many claims: the statements of their summaries as they
 * stand, and every word that is spoken in summaries and data. Made once; linear in the outputs.
 */
export class OutputIndex {
  private readonly statements = new Map<string, ClaimPlace[]>();
  private readonly spoken: string[] = [];
  private readonly spokenAt = new Map<string, number[]>();

  constructor(outputs: readonly ClaimOutput[]) {
    for (const [index, { summary, data }] of outputs.entries()) {
      for (const { start, end, label } of splitClaims(summary)) {
        // Below a label ("Rumours:", "Not done:") a statement may say the contrary.
        if (label !== null || summary.slice(0, start).trimEnd().endsWith(':')) continue;
        push(this.statements, wordingOf(summary.slice(start, end)), { index, start, end });
      }
      this.addSpoken(summary);
      for (const text of textsOf(data)) this.addSpoken(text);
    }
  }

  /** Where an output makes this very statement. */
  placesOf(wording: string): readonly ClaimPlace[] {
    return this.statements.get(wording) ?? [];
  }

  /** Whether a word, or digits, stand anywhere in a text or value, alone or in a name. */
  names(word: string): boolean {
    return this.spokenAt.has(fold(word));
  }

  /**
   * Whether these words are spoken one after another; `unclear` where they stand in too many places
   * to look at.
   */
  speaks(
    words: readonly string[],
    spend: (steps: number) => boolean,
  ): 'somewhere' | 'nowhere' | 'unclear' {
    let rarest = { offset: 0, places: this.spokenAt.get(words[0] ?? '') ?? [] };
    for (const [offset, word] of words.entries()) {
      const places = this.spokenAt.get(word) ?? [];
      if (places.length < rarest.places.length) rarest = { offset, places };
    }
    for (const place of rarest.places) {
      if (!spend(words.length)) return 'unclear';
      if (words.every((word, i) => this.spoken[place - rarest.offset + i] === word))
        return 'somewhere';
    }
    return rarest.places.length < PLACES_MAX ? 'nowhere' : 'unclear';
  }

  private addSpoken(text: string): void {
    for (const word of spokenWords(text, { start: 0, end: text.length })) {
      push(this.spokenAt, word, this.spoken.length);
      this.spoken.push(word);
    }
    // Nothing is spoken across two texts.
    this.spoken.push('');
  }
}

const SPOKEN = /[\p{L}\p{M}\p{N}]+/gu;
/** As many places as are ever looked at; what stands more often tells nothing apart. */
const PLACES_MAX = 2_000;

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else if (list.length < PLACES_MAX) list.push(value);
}

/** Words of a stretch, all that are spoken. */
export function spokenWords(text: string, { start, end }: Stretch): readonly string[] {
  return Array.from(text.slice(start, end).matchAll(SPOKEN), ([word]) => fold(word));
}

/**
 * A statement as it is compared: sign by sign and case by case, since a sign less or a small word
 * else says something else. Only white space, emphasis around the whole, and the final stop do not
 * count.
 */
export function wordingOf(statement: string): string {
  const plain = statement.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  const bare = /^(\*\*|__|\*|_)(.+)\1$/u.exec(plain)?.[2] ?? plain;
  return bare.replace(/\s?[.。]$/u, '');
}
