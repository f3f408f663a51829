import type { Node } from 'web-tree-sitter';
import { type ElementCandidate, type Finder, elementName } from './candidate';

const bodiless =
  /^@(?:\w+\.)*(?:abstractmethod|abstractproperty|overload|abstractclassmethod|abstractstaticmethod)\b/u;
const route =
  /^@[\w.]{1,100}\.(?:route|get|post|put|patch|delete|options|head|websocket|api_route|command)\s*\(/u;
/** Classes whose methods others implement. */
const outline = /\b(?:Protocol|ABC|ABCMeta|Interface)\b/u;

export const python: Finder = {
  comments: new Set(['comment']),
  elements: new Map([
    ['function_definition', functionOf],
    ['class_definition', classOf],
  ]),
  isRemark: isBareString,
};

/**
 * A string that is a statement by itself has no effect: a docstring counts as a comment (QEL-15).
 */
function isBareString(node: Node): boolean {
  if (node.type !== 'expression_statement' || node.namedChildCount !== 1) return false;
  const type = node.namedChild(0)?.type;
  return type === 'string' || type === 'concatenated_string';
}

function functionOf(node: Node): ElementCandidate | null {
  const body = node.childForFieldName('body');
  const decorators = decoratorsOf(node);
  if (body === null || decorators.some((text) => bodiless.test(text))) return null;
  const owner = classAround(node);
  if (owner !== null && outline.test(basesOf(owner)) && isOutline(body)) return null;
  const kind = decorators.some((text) => route.test(text))
    ? 'route'
    : owner === null
      ? 'function'
      : 'method';
  return { kind, name: elementName(node), node, body, mayBeEmpty: false };
}

function classOf(node: Node): ElementCandidate | null {
  const body = node.childForFieldName('body');
  if (body === null) return null;
  const statements = body.namedChildren.filter(
    (each) => each !== null && each.type !== 'comment' && !isBareString(each),
  );
  const isEmpty = statements.every((each) => each === null || isNothing(each));
  // `class NotFound(Exception): pass` is complete.
  const derived = basesOf(node) !== '' || decoratorsOf(node).length > 0;
  return {
    kind: 'class',
    name: elementName(node),
    node,
    body: isEmpty ? body : null,
    mayBeEmpty: derived,
  };
}

/** A body that leaves the work to subclasses. */
function isOutline(body: Node): boolean {
  return body.namedChildren.every(
    (each) =>
      each === null ||
      each.type === 'comment' ||
      isBareString(each) ||
      isNothing(each) ||
      /^raise\s+NotImplementedError\b/u.test(each.text),
  );
}

const isNothing = (node: Node): boolean =>
  node.type === 'pass_statement' || node.text.trim() === '...';

function decoratorsOf(node: Node): readonly string[] {
  if (node.parent?.type !== 'decorated_definition') return [];
  return node.parent.namedChildren.flatMap((each) =>
    each?.type === 'decorator' ? [each.text.slice(0, 300)] : [],
  );
}

function classAround(node: Node): Node | null {
  const outer = node.parent?.type === 'decorated_definition' ? node.parent : node;
  const owner = outer.parent?.parent;
  return owner?.type === 'class_definition' ? owner : null;
}

const basesOf = (node: Node): string =>
  node.childForFieldName('superclasses')?.text.slice(1, 500).replace(/\)$/u, '').trim() ?? '';
