import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import type { ParsedLanguage } from './languages';

/** Names of grammar files: those for elements, and those only for syntax. */
export type Grammar = ParsedLanguage | 'java' | 'c-sharp';

let ready: Promise<void> | null = null;
const parsers = new Map<Grammar, Promise<Parser>>();

/**
 * A tree of the text, including syntax errors; null if it takes longer than the deadline. The
 * caller deletes it, since it is in the parser's own memory.
 *
 * @param deadline in milliseconds of `performance.now()`
 * @throws Error if the grammar is not installed
 */
export async function parseCode(
  language: Grammar,
  text: string,
  deadline: number,
): Promise<Tree | null> {
  const parser = await parserOf(language);
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  // The next parse would resume a stopped one.
  if (tree === null) parser.reset();
  return tree;
}

/**
 * One parser per language and process: parsing is synchronous, so it is never shared at the same
 * time.
 */
async function parserOf(language: Grammar): Promise<Parser> {
  ready ??= Parser.init();
  await ready;
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const loaded = Language.load(
    join(/* turbopackIgnore: true */ grammarFolder(), `tree-sitter-${language}.wasm`),
  ).then((grammar) => new Parser().setLanguage(grammar));
  parsers.set(language, loaded);
  loaded.catch(() => parsers.delete(language));
  return loaded;
}

/**
 * Grammars are files of a package, loaded on demand, in the same way for the sources, the bundles
 * in `dist/` and the Next.js build.
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
