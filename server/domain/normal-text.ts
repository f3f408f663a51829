/**
 * A text in Unicode's composed form (NFC), in which checks compare: "é" is one letter, whether it
 * came as one code point or as "e" with a combining accent. Positions found in it are converted to
 * positions of the original text.
 */
export interface NormalText {
  readonly text: string;
  readonly placesOf: <Place extends { readonly start: number; readonly end: number }>(
    places: readonly Place[],
  ) => readonly Place[];
}

/** Parts that are composed separately: jamo of one syllable, a sign with its marks. */
const PART = /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|\P{M}\p{M}*|\p{M}+/gsu;

/** Linear in the text; a text that is already composed is returned unchanged. */
export function normalText(given: string): NormalText {
  const text = given.normalize('NFC');
  if (text === given) return { text, placesOf: (places) => places };
  return {
    text,
    placesOf: (places) => {
      const parts = places.length === 0 ? null : mapBack(given, text);
      if (parts === null) return [];
      // A position inside a part, such as before a further accent, covers the whole part.
      const endOf = (index: number): number =>
        index === 0 ? 0 : (parts.ends[index - 1] ?? given.length);
      return places.map((place) => ({
        ...place,
        start: parts.starts[place.start] ?? given.length,
        end: endOf(place.end),
      }));
    },
  };
}

/**
 * For each unit of the composed text its part of the original; null if the parts do not add up to
 * it.
 */
function mapBack(
  given: string,
  text: string,
): { readonly starts: Uint32Array; readonly ends: Uint32Array } | null {
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let at = 0;
  for (const match of given.matchAll(PART)) {
    const part = match[0].normalize('NFC');
    if (!text.startsWith(part, at)) return null;
    starts.fill(match.index, at, at + part.length);
    ends.fill(match.index + match[0].length, at, at + part.length);
    at += part.length;
  }
  return at === text.length ? { starts, ends } : null;
}
