/** Languages read by a parser (QEL-22). The values name the grammar's file. */
export type ParsedLanguage = 'typescript' | 'tsx' | 'javascript' | 'python' | 'go' | 'rust';

/** JSX occurs in `.js` files as often as in `.jsx`, and the JavaScript grammar parses both. */
const byExtension: ReadonlyMap<string, ParsedLanguage> = new Map([
  ['ts', 'typescript'],
  ['mts', 'typescript'],
  ['cts', 'typescript'],
  ['tsx', 'tsx'],
  ['js', 'javascript'],
  ['mjs', 'javascript'],
  ['cjs', 'javascript'],
  ['jsx', 'javascript'],
  ['py', 'python'],
  ['pyi', 'python'],
  ['go', 'go'],
  ['rs', 'rust'],
]);

/** Null for files that no parser here supports. */
export function parsedLanguageOf(path: string): ParsedLanguage | null {
  return byExtension.get(extensionOf(path)) ?? null;
}

/** Declaration files: nothing in them is a stub. */
export const isDeclaration = (path: string): boolean => /\.(?:pyi|d\.[mc]?ts)$/iu.test(path);

/**
 * In lower case, without the dot; '' if there is none. The whole name for files known by it:
 * `dockerfile`.
 */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'dockerfile' || name === 'makefile') return name;
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}
