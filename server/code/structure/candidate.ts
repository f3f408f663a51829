import type { Node } from 'web-tree-sitter';

export type ElementKind = 'function' | 'method' | 'class' | 'route';

/** A node that may be real or a stub. */
export interface ElementCandidate {
  readonly kind: ElementKind;
  /** '' if it has none. */
  readonly name: string;
  readonly node: Node;
  /**
   * The deciding part: a block, or the expression that is the whole body. Null for a class with
   * members.
   */
  readonly body: Node | null;
  /** Where an empty body is normal: a constructor, a hook's default. */
  readonly mayBeEmpty: boolean;
}

/** The node types of one language that are comments or possible elements. */
export interface Finder {
  readonly comments: ReadonlySet<string>;
  /** Type of node → its element; null if there is none. */
  readonly elements: ReadonlyMap<string, (node: Node) => ElementCandidate | null>;
  /** Statements that only document the code, such as a docstring. */
  readonly isRemark?: (node: Node) => boolean;
}

export const elementName = (node: Node): string =>
  node.childForFieldName('name')?.text.slice(0, 200) ?? '';
