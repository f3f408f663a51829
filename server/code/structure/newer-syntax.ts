// Syntax from later versions of Python and Java, found by the parser: if an older compiler rejects
// a valid file, it may reject these lines because of its age.
import type { Node } from 'web-tree-sitter';
import type { Grammar } from './parsers';
import { grammarOf, hasSyntaxError, readLimits, withTree } from './syntax';

export interface NewerSyntax {
  readonly path: string;
  /** Lines from 1, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** First version of the language with it: 3.12 as [3, 12], 21 as [21]. */
  readonly since: readonly number[];
  readonly what: string;
}

type Gained = readonly [since: readonly number[], what: string];
type Finder = (node: Node) => Gained | null;

const finders: Partial<Record<Grammar, ReadonlyMap<string, Finder>>> = {
  python: new Map<string, Finder>([
    ['type_alias_statement', () => [[3, 12], 'a type statement']],
    ['type_parameter', (node) => (isOfDefinition(node) ? [[3, 12], 'type parameters'] : null)],
    ['interpolation', nestedInString],
    ['match_statement', () => [[3, 10], 'a match statement']],
    ['except_clause', exceptClause],
    ['except_group_clause', () => [[3, 11], 'except*']],
    [
      'string',
      (node) =>
        /^[rR]?[tT][rR]?["']/.test(node.text.slice(0, 4)) ? [[3, 14], 'a template string'] : null,
    ],
  ]),
  java: new Map<string, Finder>([
    ['record_pattern', () => [[21], 'record patterns']],
    ['type_pattern', () => [[21], 'patterns in switch']],
    ['guard', () => [[21], 'guards in switch']],
    [
      'switch_label',
      (node) =>
        node.namedChildren.some((child) => child?.type === 'null_literal')
          ? [[21], 'case null']
          : null,
    ],
    ['underscore_pattern', () => [[22], 'unnamed variables']],
    [
      'lambda_expression',
      (node) =>
        /^\(?\s*_\s*[,)-]/.test(node.text.slice(0, 40)) ? [[22], 'unnamed variables'] : null,
    ],
    [
      'method_declaration',
      (node) => (node.parent?.type === 'program' ? [[25], 'methods without a class'] : null),
    ],
    ['record_declaration', () => [[16], 'records']],
    ['string_literal', (node) => (node.text.startsWith('"""') ? [[15], 'text blocks'] : null)],
    ['permits', () => [[17], 'sealed classes']],
  ]),
};

/** Syntax that the grammar itself does not support yet. */
const unread: Partial<Record<Grammar, readonly (readonly [RegExp, Gained])[]>> = {
  python: [
    [/(?:\bdef|\bclass|\btype)\s+\w+\[[^\]\n=]{0,200}=/g, [[3, 13], 'defaults of type parameters']],
  ],
  java: [
    [/^\s*import\s+module\s/gm, [[25], 'module imports']],
    [/[;}]\s*(?:super|this)\s*\(/g, [[25], 'statements before the call of a constructor']],
  ],
};

/** @returns nothing for a file with a syntax error, or after the deadline */
export async function findNewerSyntax(
  files: readonly { readonly path: string; readonly content: string }[],
): Promise<readonly NewerSyntax[]> {
  const found: NewerSyntax[] = [];
  const end = performance.now() + readLimits.allMs;
  for (const { path, content } of files) {
    const grammar = grammarOf(path);
    const known = grammar === null ? undefined : finders[grammar];
    const deadline = Math.min(end, performance.now() + readLimits.fileMs);
    if (
      grammar === null ||
      known === undefined ||
      (await hasSyntaxError(grammar, content, deadline))
    )
      continue;
    const nodes = await withTree(grammar, content, deadline, (root) =>
      gainedIn(root, known, deadline),
    );
    for (const one of [...(nodes ?? []), ...unreadIn(content, unread[grammar] ?? [])])
      found.push({ path, ...one });
  }
  return found;
}

type Place = Omit<NewerSyntax, 'path'>;

function gainedIn(
  root: Node,
  known: ReadonlyMap<string, Finder>,
  deadline: number,
): readonly Place[] | null {
  const places: Place[] = [];
  for (const node of root.descendantsOfType([...known.keys()])) {
    if (node === null) continue;
    if (performance.now() > deadline) return null;
    const gained = known.get(node.type)?.(node) ?? null;
    if (gained === null) continue;
    const [since, what] = gained;
    places.push({ from: node.startPosition.row + 1, to: node.endPosition.row + 1, since, what });
  }
  return places;
}

function unreadIn(
  content: string,
  forms: readonly (readonly [RegExp, Gained])[],
): readonly Place[] {
  return forms.flatMap(([form, [since, what]]) =>
    [...content.matchAll(form)].map(({ 0: text, index }) => {
      const line = content.slice(0, index + text.length).split('\n').length;
      return { from: line, to: line, since, what };
    }),
  );
}

function isOfDefinition({ parent }: Node): boolean {
  return parent?.type === 'function_definition' || parent?.type === 'class_definition';
}

/**
 * Inside an f-string of one line: its own quote, a backslash, a comment or a line break (PEP 701).
 */
function nestedInString(node: Node): Gained | null {
  const outer = node.parent?.text.slice(0, 8) ?? '';
  const [, quote = ''] = /^[A-Za-z]{0,3}("""|'''|"|')/.exec(outer) ?? [];
  const inner = node.text;
  const isNewer =
    inner.includes(quote) ||
    inner.includes('\\') ||
    (quote.length === 1 && inner.includes('\n')) ||
    /#/.test(inner);
  return quote !== '' && isNewer
    ? [[3, 12], 'quotes, backslashes or comments inside of an f-string']
    : null;
}

function exceptClause(node: Node): Gained | null {
  const head = node.text.split('\n')[0] ?? '';
  if (/^except\s*\*/.test(head)) return [[3, 11], 'except*'];
  return /^except\s+[\w.]+\s*,/.test(head) ? [[3, 14], 'except without parentheses'] : null;
}

/** @param version output of an installed tool: "Python 3.11.2", "javac 17.0.15" */
export function isNewerThan(since: readonly number[], version: string | null): boolean {
  const installed = (/\d+(?:\.\d+)*/.exec(version ?? '')?.[0] ?? '').split('.').map(Number);
  if (version === null || installed.some(Number.isNaN)) return false;
  for (const [i, part] of since.entries()) {
    const other = installed[i] ?? 0;
    if (part !== other) return part > other;
  }
  return false;
}
