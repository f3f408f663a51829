// The parser's result on a file's syntax, for files that no compiler compiled. The grammars are
// older than some of the languages, so valid forms that they do not know are rewritten before an
// error counts.
import type { Node, Tree } from 'web-tree-sitter';
import { extensionOf, parsedLanguageOf } from './languages';
import { type Grammar, parseCode } from './parsers';

const otherGrammars: ReadonlyMap<string, Grammar> = new Map([
  ['java', 'java'],
  ['cs', 'c-sharp'],
]);

/** Valid code that the grammar rejects, and an accepted older form with the same lines. */
const gaps: Partial<Record<Grammar, readonly (readonly [RegExp, string])[]>> = {
  // Defaults of type parameters (3.13).
  python: [[/((?:\bdef|\bclass|\btype)\s+\w+\[[^\]\n=]{0,200}?)=\s*\w+(?=[\],])/g, '$1']],
  rust: [
    [/\bsafe(?=\s+(?:fn|static)\b)/g, ''],
    [/\bimpl\s+const\s/g, 'impl '],
  ],
  java: [
    // Module imports, and statements before a constructor's call of another (25).
    [/^(\s*import\s+)module\s/gm, '$1'],
    [/([;{}]\s*)(?:super|this)(\s*\()/g, '$1call$2'],
  ],
  // Extension blocks, and assignments to a member of a nullable value (14).
  'c-sharp': [
    [/\bextension\s*(?:<[^>\n]*>)?\s*\([^)\n]*\)(?=\s*\{)/g, 'class extension'],
    [/\?\.(?=\w+\s*=[^=])/g, '.'],
  ],
};

/** @returns null for files without a grammar */
export function grammarOf(path: string): Grammar | null {
  return parsedLanguageOf(path) ?? otherGrammars.get(extensionOf(path)) ?? null;
}

/**
 * Time and size limits for the files of one subject: files beyond them are not read, and have no
 * error.
 */
export const readLimits = { fileChars: 1_000_000, fileMs: 1_000, allMs: 5_000 } as const;

interface FoundError {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** @returns the first error of each file that has one, in the order of the files */
export async function findSyntaxErrors(
  files: readonly { readonly path: string; readonly content: string }[],
): Promise<readonly FoundError[]> {
  const end = performance.now() + readLimits.allMs;
  const found: FoundError[] = [];
  for (const { path, content } of files) {
    const grammar = grammarOf(path);
    const deadline = Math.min(end, performance.now() + readLimits.fileMs);
    if (grammar === null || content.length > readLimits.fileChars || performance.now() >= end)
      continue;
    const line = await errorLine(grammar, content, deadline);
    if (line !== null) found.push({ path, line });
  }
  return found;
}

/** Also true for a file after the deadline. */
export async function hasSyntaxError(
  grammar: Grammar,
  content: string,
  deadline: number,
): Promise<boolean> {
  if (content.length > readLimits.fileChars || performance.now() >= deadline) return true;
  return (await errorLine(grammar, content, deadline)) !== null;
}

async function errorLine(
  grammar: Grammar,
  content: string,
  deadline: number,
): Promise<number | null> {
  const line = await withTree(grammar, content, deadline, firstError);
  const rewritten = (gaps[grammar] ?? []).reduce(
    (text, [form, older]) => text.replaceAll(form, older),
    content,
  );
  if (line === null || rewritten === content) return line;
  return withTree(grammar, rewritten, deadline, firstError);
}

/** @returns null also after the deadline */
export async function withTree<Result>(
  grammar: Grammar,
  content: string,
  deadline: number,
  read: (root: Node) => Result | null,
): Promise<Result | null> {
  // The byte order mark is not part of the code.
  const tree: Tree | null = await parseCode(grammar, content.replace(/^\uFEFF/u, ''), deadline);
  try {
    return tree === null ? null : read(tree.rootNode);
  } finally {
    tree?.delete();
  }
}

/** Descends only into nodes with an error, so that a valid file costs one check. */
function firstError(root: Node): number | null {
  let node = root;
  if (!node.hasError) return null;
  while (!node.isError && !node.isMissing) {
    const inner = node.children.find(
      (child) => child !== null && (child.hasError || child.isMissing),
    );
    if (inner == null) break;
    node = inner;
  }
  return node.startPosition.row + 1;
}
