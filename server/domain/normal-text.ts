/**
 * A text in Unicode's composed form (NFC), in which checks compare: "é" is one letter, whether it came as one code point or as "e" with
 * a combining accent. Places that were found in it are given back as places of the text as it came.
 */
export interface NormalText {
  readonly text: string;
  readonly placesOf: <Place extends { readonly start: number; readonly end: number }>(places: readonly Place[]) => readonly Place[];
}

/** Parts that are composed for themselves: jamo of one syllable, a sign with its marks. */
const PART = /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|\P{M}\p{M}*|\p{M}+/gsu;

/** Linear in the text; a text that is composed already is given back as it is. */
export function normalText(given: string): NormalText {
  const text = given.normalize('NFC');
  if (text === given) return { text, placesOf: (places) => places };
  return {
    text,
    placesOf: (places) => {
      const indexOf = places.length === 0 ? null : mapBack(given, text);
      if (indexOf === null) return [];
      return places.map((place) => ({ ...place, start: indexOf(place.start), end: indexOf(place.end) }));
    },
  };
}

/** From indices of the composed text to those of the given one; null where its parts do not add up to it. */
function mapBack(given: string, text: string): ((index: number) => number) | null {
  const from = new Uint32Array(text.length + 1);
  let at = 0;
  for (const match of given.matchAll(PART)) {
    const part = match[0].normalize('NFC');
    if (!text.startsWith(part, at)) return null;
    for (let i = 0; i < part.length; i++) from[at + i] = match.index;
    at += part.length;
  }
  from[text.length] = given.length;
  return at === text.length ? (index) => from[index] ?? given.length : null;
}
