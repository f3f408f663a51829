import type { Node, Tree } from 'web-tree-sitter';
import type { ElementCandidate, ElementKind, Finder } from './candidate';
import { go } from './find-go';
import { javascript } from './find-javascript';
import { python } from './find-python';
import { rust } from './find-rust';
import { isIdleModule } from './idle-module';
import type { ParsedLanguage } from './languages';
import { stubReason } from './stub';

/** A function, method, class or handler of a route (QEL-19). */
export interface CodeElement {
  readonly kind: ElementKind;
  readonly name: string;
  /** From 1. */
  readonly line: number;
  /** Why it is a stub; null for a real one (QEL-22). */
  readonly stub: string | null;
}

/** UTF-16 positions, end exclusive. */
export interface CodeRange {
  readonly from: number;
  readonly to: number;
}

export interface TreeReading {
  readonly elements: readonly CodeElement[];
  /** Ordered and disjoint. */
  readonly comments: readonly CodeRange[];
  /** Line of the first syntax error; null if there is none. */
  readonly errorLine: number | null;
  readonly isIdle: boolean;
}

/** Nodes between two checks of the clock. */
const NODES_PER_CHECK = 256;

const finders: Readonly<Record<ParsedLanguage, Finder>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  python,
  go,
  rust,
};

/**
 * Reads a tree in one walk; null if that takes longer than the deadline: in deep nesting the path
 * from a node to the root is long.
 *
 * @param deadline in milliseconds of `performance.now()`
 */
export function readTree(
  tree: Tree,
  text: string,
  language: ParsedLanguage,
  deadline: number,
): TreeReading | null {
  const finder = finders[language];
  const found: ElementCandidate[] = [];
  const comments: CodeRange[] = [];
  let errorLine: number | null = null;
  const inTime = walk(tree, deadline, (type, node, isMissing) => {
    if (errorLine === null && (type === 'ERROR' || isMissing))
      errorLine = node().startPosition.row + 1;
    if (
      finder.comments.has(type) ||
      (type === 'expression_statement' && finder.isRemark?.(node()) === true)
    ) {
      const { startIndex, endIndex } = node();
      comments.push({ from: startIndex, to: endIndex });
      return false;
    }
    const candidate = finder.elements.get(type)?.(node()) ?? null;
    if (candidate !== null) found.push(candidate);
    return true;
  });
  if (!inTime) return null;
  const elements: CodeElement[] = [];
  for (const each of found) {
    const { kind, name, node } = each;
    elements.push({
      kind,
      name,
      line: node.startPosition.row + 1,
      stub: stubReason(each, remarksOf(node, comments, text), finder),
    });
    if (elements.length % NODES_PER_CHECK === 0 && performance.now() > deadline) return null;
  }
  return {
    elements,
    comments,
    errorLine,
    isIdle: finder === javascript && isIdleModule(tree.rootNode),
  };
}

/** Visits every node, unless `visit` skips its children. False after the deadline. */
function walk(
  tree: Tree,
  deadline: number,
  visit: (type: string, node: () => Node, isMissing: boolean) => boolean,
): boolean {
  const cursor = tree.walk();
  try {
    for (let nodes = 1; ; nodes++) {
      if (nodes % NODES_PER_CHECK === 0 && performance.now() > deadline) return false;
      const isSignificant = cursor.nodeIsNamed || cursor.nodeIsMissing;
      const continues =
        !isSignificant || visit(cursor.nodeType, () => cursor.currentNode, cursor.nodeIsMissing);
      if (continues && cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return true;
    }
  } finally {
    cursor.delete();
  }
}

/** Comments inside the node, and after it on its last line. */
function remarksOf(node: Node, comments: readonly CodeRange[], text: string): string {
  const lineEnd = text.indexOf('\n', node.endIndex);
  const end = lineEnd < 0 ? text.length : lineEnd;
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((comments[middle]?.from ?? 0) < node.startIndex) low = middle + 1;
    else high = middle;
  }
  const found: string[] = [];
  for (let i = low; i < comments.length && found.length < 50; i++) {
    const comment = comments[i];
    if (comment === undefined || comment.from >= end) break;
    found.push(text.slice(comment.from, Math.min(comment.to, comment.from + 500)));
  }
  return found.join('\n');
}
