/**
 * A text in Unicode's composed form (NFC), which checks compare: "é" is one letter, whether it was
 * sent as one code point or as "e" with a combining accent. `placesOf` converts positions in it to
 * positions in the original text.
 */
export interface NormalText {
  readonly text: string;
  readonly placesOf: <Place extends { readonly start: number; readonly end: number }>(
    places: readonly Place[],
  ) => readonly Place[];
}

/** Parts that are composed separately: the jamo of one syllable, or a character with its marks. */
const PART = /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|\P{M}\p{M}*|\p{M}+/gsu;

/** Runs in linear time; a text that is already composed is returned unchanged. */
export function normalText(original: string): NormalText {
  const text = original.normalize('NFC');
  if (text === original) return { text, placesOf: (places) => places };
  return {
    text,
    placesOf: (places) => {
      const parts = places.length === 0 ? null : mapBack(original, text);
      if (parts === null) return [];
      // A position inside a part, such as before a further accent, covers the whole part.
      const endOf = (index: number): number =>
        index === 0 ? 0 : (parts.ends[index - 1] ?? original.length);
      return places.map((place) => ({
        ...place,
        start: parts.starts[place.start] ?? original.length,
        end: endOf(place.end),
      }));
    },
  };
}

/**
 * For each unit of the composed text, the start and end of its part of the original; null if the
 * composed parts do not add up to the composed text.
 */
function mapBack(
  original: string,
  text: string,
): { readonly starts: Uint32Array; readonly ends: Uint32Array } | null {
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let at = 0;
  for (const match of original.matchAll(PART)) {
    const part = match[0].normalize('NFC');
    if (!text.startsWith(part, at)) return null;
    starts.fill(match.index, at, at + part.length);
    ends.fill(match.index + match[0].length, at, at + part.length);
    at += part.length;
  }
  return at === text.length ? { starts, ends } : null;
}
