import type { Node } from 'web-tree-sitter';

export type ElementKind = 'function' | 'method' | 'class' | 'route';

/** A node that may be real or a stub. */
export interface Candidate {
  readonly kind: ElementKind;
  /** '' where it has none. */
  readonly name: string;
  readonly node: Node;
  /**
   * What decides: a block, or the expression that is the whole body. Null for a class with members.
   */
  readonly body: Node | null;
  /** Where an empty body is how it is done: a constructor, a hook's default. */
  readonly mayBeEmpty: boolean;
}

/** Of a language: which nodes are comments, and which may be elements. */
export interface Finder {
  readonly comments: ReadonlySet<string>;
  /** Type of node → the element that it is; null where it is none. */
  readonly elements: ReadonlyMap<string, (node: Node) => Candidate | null>;
  /** Statements that only say something about the code, as a docstring does. */
  readonly isRemark?: (node: Node) => boolean;
}

export const nameOf = (node: Node): string =>
  node.childForFieldName('name')?.text.slice(0, 200) ?? '';
