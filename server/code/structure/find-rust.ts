import type { Node } from 'web-tree-sitter';
import { type ElementCandidate, type Finder, elementName } from './candidate';

const route = /^#\[\s*(?:get|post|put|patch|delete|options|head|route|catch)\s*\(/u;

/** Trait functions without a body have a different node type. */
export const rust: Finder = {
  comments: new Set(['line_comment', 'block_comment']),
  elements: new Map([
    ['function_item', functionOf],
    ['struct_item', typeOf],
    ['enum_item', typeOf],
  ]),
};

function functionOf(node: Node): ElementCandidate | null {
  const body = node.childForFieldName('body');
  if (body === null) return null;
  const owner = node.parent?.parent?.type;
  const kind = isRoute(node)
    ? 'route'
    : owner === 'impl_item' || owner === 'trait_item'
      ? 'method'
      : 'function';
  // The default of a trait function may be empty.
  return { kind, name: elementName(node), node, body, mayBeEmpty: owner === 'trait_item' };
}

function isRoute(node: Node): boolean {
  let before = node.previousNamedSibling;
  while (before?.type === 'attribute_item') {
    if (route.test(before.text.slice(0, 200))) return true;
    before = before.previousNamedSibling;
  }
  return false;
}

function typeOf(node: Node): ElementCandidate {
  return { kind: 'class', name: elementName(node), node, body: null, mayBeEmpty: true };
}
