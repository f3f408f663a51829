import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from './fault';
import { createStreamedText } from './streamed-text';

const key = 'sk-live-0123456789abcdef';

/** The displayed parts of a text that arrives in these pieces. */
function partsOf(pieces: readonly string[]): string[] {
  const parts: string[] = [];
  const shown = createStreamedText(key, (text) => void parts.push(text));
  let text = '';
  for (const piece of pieces) {
    text += piece;
    shown.update(text);
  }
  shown.end(redact(text, key));
  return parts;
}

test('S-101 no part of a key is shown, wherever the reply is cut', () => {
  const word = fc.constantFrom('the key', ' ', key, 'and more', '\n', '鍵は', key.slice(0, 9));
  fc.assert(
    fc.property(
      fc.array(word),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
      (words, cuts) => {
        const pieces: string[] = [];
        for (let rest = words.join(''); rest !== ''; ) {
          const size = cuts.next().value ?? 1;
          pieces.push(rest.slice(0, size));
          rest = rest.slice(size);
        }
        const text = partsOf(pieces).join('');
        expect(text).not.toContain(key);
        expect(redact(words.join(''), key).startsWith(text)).toBe(true);
      },
    ),
  );
});

test('a text is shown up to its last word, and whole at its end', () => {
  expect(partsOf(['The disk', ' is full', '. It'])).toEqual(['The ', 'disk is ', 'full. ', 'It']);
  expect(partsOf(['ディス', 'クは満'])).toEqual(['ディス', 'クは満']);
});

// If each character of a word were the start of another search, this would take hours.
test('R-104 a word of two million characters is searched once', () => {
  const word = 'a'.repeat(2_000_000);
  expect(partsOf([`${word}鍵`, ' end']).join('')).toBe(`${word}鍵 end`);
});
