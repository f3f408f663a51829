import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import type { ParsedLanguage } from './languages';

/** Names of files of grammars: those whose elements are read, and those whose syntax alone is. */
export type Grammar = ParsedLanguage | 'java' | 'c-sharp';

let ready: Promise<void> | null = null;
const parsers = new Map<Grammar, Promise<Parser>>();

/**
 * A tree of the text, errors of syntax and all; null where it takes longer than the deadline. The
 * caller deletes it: it lies in the parser's own memory.
 *
 * @param deadline in milliseconds of `performance.now()`
 * @throws Error when the grammar is not installed
 */
export async function parseCode(
  language: Grammar,
  text: string,
  deadline: number,
): Promise<Tree | null> {
  const parser = await parserOf(language);
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  // A parse that was stopped would be taken up again by the next one.
  if (tree === null) parser.reset();
  return tree;
}

/**
 * One parser a language and process: parsing does not wait, so no one shares it at the same time.
 */
async function parserOf(language: Grammar): Promise<Parser> {
  ready ??= Parser.init();
  await ready;
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const made = Language.load(
    join(/* turbopackIgnore: true */ grammarFolder(), `tree-sitter-${language}.wasm`),
  ).then((grammar) => new Parser().setLanguage(grammar));
  parsers.set(language, made);
  made.catch(() => parsers.delete(language));
  return made;
}

/**
 * Grammars are files of a package, read as they are needed: next to the sources, the bundles in
 * `dist/` and what Next builds alike.
 */
function grammarFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const found = join(
      /* turbopackIgnore: true */ folder,
      'node_modules',
      '@vscode',
      'tree-sitter-wasm',
      'wasm',
    );
    if (existsSync(found)) return found;
    const above = dirname(folder);
    if (above === folder)
      throw new Error('the grammars of @vscode/tree-sitter-wasm are not installed');
    folder = above;
  }
}
