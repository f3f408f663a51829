import type { Node } from 'web-tree-sitter';
import { type ElementCandidate, type Finder, elementName } from './candidate';

const routeVerbs =
  /\.(?:GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD|Any|Get|Post|Put|Patch|Delete|Options|Head|All|Handle|HandleFunc)$/u;
const routePath = /^["`](?:\/|[A-Z]+ \/)/u;

/**
 * Functions without a body are written in another language, and interfaces have a different node
 * type.
 */
export const go: Finder = {
  comments: new Set(['comment']),
  elements: new Map([
    ['function_declaration', (node: Node) => callable(node, 'function', elementName(node))],
    ['method_declaration', (node: Node) => callable(node, 'method', elementName(node))],
    ['func_literal', handlerOf],
    ['type_spec', structOf],
  ]),
};

function callable(
  node: Node,
  kind: ElementCandidate['kind'],
  name: string,
): ElementCandidate | null {
  const body = node.childForFieldName('body');
  return body === null ? null : { kind, name, node, body, mayBeEmpty: false };
}

function handlerOf(node: Node): ElementCandidate | null {
  const args = node.parent;
  const call = args?.parent;
  if (args?.type !== 'argument_list' || call?.type !== 'call_expression') return null;
  const path = args.namedChild(0)?.text.slice(0, 200) ?? '';
  if (
    !routePath.test(path) ||
    !routeVerbs.test(call.childForFieldName('function')?.text.slice(-200) ?? '')
  )
    return null;
  return callable(node, 'route', path.slice(1, -1));
}

/** A struct without fields is complete. */
function structOf(node: Node): ElementCandidate | null {
  if (node.childForFieldName('type')?.type !== 'struct_type') return null;
  return { kind: 'class', name: elementName(node), node, body: null, mayBeEmpty: true };
}
