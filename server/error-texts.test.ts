import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { jargon, refusedWords } from '../testing/error-words';

/** The ways to create errors that reach a caller. */
const makers =
  /\b(?:invalid|refused|conflict|forbidden|notFound|unauthorized|tooLarge|rateLimited|unavailable|AssayError)\(/g;

interface Text {
  readonly file: string;
  readonly text: string;
}

/** Up to the bracket that closes the call; quotes in texts are balanced. */
function argumentsAt(source: string, from: number): string {
  let open = 1;
  let at = from;
  for (; at < source.length && open > 0; at++) {
    if (source[at] === '(') open++;
    if (source[at] === ')') open--;
  }
  return source.slice(from, at - 1);
}

function textsOf(file: string): Text[] {
  const source = readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');
  return [...source.matchAll(makers)].flatMap(({ index, 0: call }) =>
    [
      ...argumentsAt(source, index + call.length).matchAll(
        /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g,
      ),
    ].map(([, plain, template]) => ({
      file,
      text: (plain ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, '…'),
    })),
  );
}

const texts = readdirSync(fileURLToPath(new URL('.', import.meta.url)), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|-fixture\.ts$/.test(file))
  .flatMap(textsOf)
  // Codes and paths are not texts.
  .filter(({ text }) => /[a-z] [a-z]/.test(text));

test('errors use the words of the field', () => {
  expect(texts.length).toBeGreaterThan(200);
  const odd = texts.filter(({ text }) => refusedWords.test(text) || jargon.test(text));
  expect(odd).toEqual([]);
});

test('an error has one line, and no mark at its end that the entry points add', () => {
  const odd = texts.filter(({ text }) => /\n|[^.]\.$|!/.test(text.trim()));
  expect(odd.filter(({ text }) => !/^[A-Z`]/.test(text))).toEqual([]);
});
