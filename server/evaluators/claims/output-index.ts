import { type ClaimOutput, type ClaimPlace, outputTexts } from './output';
import { splitClaims } from './split';
import type { TextRange } from './sentences';
import { fold } from './words';

/**
 * All outputs indexed for looking up many claims: the exact statements of their summaries, and
 * every word of summaries and data. Built once; linear in the outputs.
 */
export class OutputIndex {
  private readonly statements = new Map<string, ClaimPlace[]>();
  private readonly spoken: string[] = [];
  private readonly spokenAt = new Map<string, number[]>();

  constructor(outputs: readonly ClaimOutput[]) {
    for (const [index, { summary, data }] of outputs.entries()) {
      for (const { start, end, label } of splitClaims(summary)) {
        // Below a label ("Rumours:", "Not done:") a statement may mean the opposite.
        if (label !== null || summary.slice(0, start).trimEnd().endsWith(':')) continue;
        push(this.statements, wordingOf(summary.slice(start, end)), { index, start, end });
      }
      this.addWords(summary);
      for (const text of outputTexts(data)) this.addWords(text);
    }
  }

  /** The places where an output makes exactly this statement. */
  placesOf(wording: string): readonly ClaimPlace[] {
    return this.statements.get(wording) ?? [];
  }

  /** Whether a word, or digits, occur anywhere in a text or value, alone or in a name. */
  names(word: string): boolean {
    return this.spokenAt.has(fold(word));
  }

  /**
   * Whether these words occur in sequence; `unclear` if they occur at too many positions to check.
   */
  containsWords(
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

  private addWords(text: string): void {
    for (const word of wordTexts(text, { start: 0, end: text.length })) {
      push(this.spokenAt, word, this.spoken.length);
      this.spoken.push(word);
    }
    // No sequence spans two texts.
    this.spoken.push('');
  }
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Maximum positions that are checked; a more frequent word does not discriminate. */
const PLACES_MAX = 2_000;

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else if (list.length < PLACES_MAX) list.push(value);
}

/** All words of a range. */
export function wordTexts(text: string, { start, end }: TextRange): readonly string[] {
  return Array.from(text.slice(start, end).matchAll(WORD), ([word]) => fold(word));
}

/**
 * A statement in the form in which it is compared: including every character and its case, since a
 * missing sign or small word changes the meaning. Only white space, emphasis around the whole, and
 * the final period are ignored.
 */
export function wordingOf(statement: string): string {
  const plain = statement.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  const bare = /^(\*\*|__|\*|_)(.+)\1$/u.exec(plain)?.[2] ?? plain;
  return bare.replace(/\s?[.。]$/u, '');
}
