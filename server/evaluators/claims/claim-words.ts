import type { ClaimOutput } from './output';
import type { TextRange } from './sentences';
import { fold, type Word, wordsIn } from './words';

/** `[o1]`, `(o1)`, `[^o2]`: the source that a claim cites. */
const CITATION = /[[(【]\^?([^\])】[(\n]{1,100})[\])】]/gu;

export interface ClaimWords {
  /** Words without names of agents; `named` if there was one. */
  strip(words: readonly Word[]): { readonly words: readonly Word[]; readonly named: boolean };
  /**
   * The citations of outputs in the range, with the cited ids in lower case. A number in brackets
   * that is not the id of an output is not a citation.
   */
  citations(
    text: string,
    stretch: TextRange,
  ): readonly (TextRange & { readonly ids: readonly string[] })[];
  /** Whether a text contains more than names and words of attribution. */
  isMore(text: string): boolean;
}

/**
 * Extracts the content of a claim without its attribution: names of agents and citations are not
 * support (SOAR-24). A name counts wherever its words occur together.
 */
export function createClaimWords(
  outputs: readonly Pick<ClaimOutput, 'id' | 'agent'>[],
): ClaimWords {
  const ids = new Set(outputs.map(({ id }) => id.trim().toLowerCase()));
  const names = new Map<string, (readonly string[])[]>();
  for (const agent of new Set(outputs.map((each) => each.agent))) {
    const words = Array.from(agent.matchAll(/[\p{L}\p{M}\p{N}]+/gu), ([word]) => fold(word));
    const [first] = words;
    // A name that consists of figures or of one letter would remove content of the claim.
    if (first === undefined || !words.some((word) => /\p{L}{2}/u.test(word))) continue;
    names.set(
      first,
      [...(names.get(first) ?? []), words].toSorted((a, b) => b.length - a.length),
    );
  }
  const strip: ClaimWords['strip'] = (words) => {
    const remaining: Word[] = [];
    for (let i = 0; i < words.length; ) {
      const word = words[i];
      if (word === undefined) break;
      const name = names
        .get(word.word)
        ?.find((each) => each.every((part, j) => words[i + j]?.word === part));
      if (name === undefined) remaining.push(word);
      i += name?.length ?? 1;
    }
    return { words: remaining, named: remaining.length < words.length };
  };
  return {
    strip,
    isMore: (text) =>
      strip(wordsIn(text, { start: 0, end: text.length })).words.some(
        ({ kind }) => kind === 'content',
      ),
    citations: (text, { start, end }) =>
      Array.from(text.slice(start, end).matchAll(CITATION)).flatMap((match) => {
        const inside = match[1]?.trim().toLowerCase() ?? '';
        const cited = inside
          .split(/\s*[,;]\s*/u)
          .map((each) => each.replace(/^(?:output|source|see) /u, ''));
        if (!cited.every((each) => ids.has(each))) return [];
        return [
          { start: start + match.index, end: start + match.index + match[0].length, ids: cited },
        ];
      }),
  };
}
