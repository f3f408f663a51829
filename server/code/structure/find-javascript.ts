import type { Node } from 'web-tree-sitter';
import { type ElementCandidate, type ElementKind, type Finder, elementName } from './candidate';

const functions = new Set(['arrow_function', 'function_expression', 'generator_function']);
const routeVerbs = /\.(?:get|post|put|patch|delete|del|options|head|all|use|route|on)$/u;
const routePath = /^["'`](?:\/|\*|[A-Z]+ \/)/u;
const routeDecorator = /^@(?:Get|Post|Put|Patch|Delete|Options|Head|All|Sse)\s*(?:\(|$)/u;
/** Members whose empty function is a default for others to override. */
const replaced = /^(?:on|set|handle)[A-Z]|^(?:noop|cleanup|unsubscribe)$/u;

/**
 * JavaScript and TypeScript. Signatures, overloads, interfaces and abstract or declared members
 * have no body and have different node types.
 */
export const javascript: Finder = {
  comments: new Set(['comment', 'html_comment', 'hash_bang_line']),
  elements: new Map([
    ['function_declaration', (node: Node) => callable(node, 'function', elementName(node))],
    [
      'generator_function_declaration',
      (node: Node) => callable(node, 'function', elementName(node)),
    ],
    ['method_definition', methodOf],
    ['arrow_function', valueOf],
    ['function_expression', valueOf],
    ['generator_function', valueOf],
    ['class_declaration', classOf],
    ['abstract_class_declaration', classOf],
    ['class', classOf],
  ]),
};

function callable(
  node: Node,
  kind: ElementKind,
  name: string,
  mayBeEmpty = false,
): ElementCandidate | null {
  const body = node.childForFieldName('body');
  return body === null ? null : { kind, name, node, body, mayBeEmpty };
}

function methodOf(node: Node): ElementCandidate | null {
  const name = elementName(node);
  // A decorator is a child of its target in JavaScript, and precedes it in TypeScript.
  const before = node.previousNamedSibling;
  const decorator = [node.namedChild(0), before].find((each) => each?.type === 'decorator');
  const isRoute = decorator != null && routeDecorator.test(decorator.text.slice(0, 100));
  // A constructor may only name its parameters as fields.
  return callable(node, isRoute ? 'route' : 'method', name, name === 'constructor');
}

/**
 * A function value counts if it has a name, is the default export, or handles a route. Others are
 * parts of the surrounding element.
 */
function valueOf(node: Node): ElementCandidate | null {
  const { parent } = node;
  if (parent === null) return null;
  switch (parent.type) {
    case 'variable_declarator':
      return callable(node, 'function', elementName(parent));
    case 'public_field_definition':
    case 'field_definition':
      return callable(
        node,
        'method',
        parent.childForFieldName('name')?.text ?? parent.childForFieldName('property')?.text ?? '',
      );
    case 'assignment_expression':
      return callable(node, 'function', parent.childForFieldName('left')?.text.slice(0, 200) ?? '');
    case 'export_statement':
      return callable(node, 'function', 'default');
    case 'pair':
      return memberOf(node, parent);
    case 'arguments':
      return argumentOf(node, parent);
    default:
      return null;
  }
}

function memberOf(node: Node, pair: Node): ElementCandidate | null {
  const key = pair.childForFieldName('key')?.text ?? '';
  const call = pair.parent?.parent?.parent;
  const isDefault =
    replaced.test(key) ||
    (call?.type === 'call_expression' && calleeOf(call).endsWith('createContext'));
  const owner = call?.parent?.type === 'variable_declarator' ? elementName(call.parent) : '';
  return callable(node, 'function', owner === '' ? key : `${owner}.${key}`, isDefault);
}

/** The handler of `app.get('/path', …)`, or the function that `const name = wrap(…)` wraps. */
function argumentOf(node: Node, args: Node): ElementCandidate | null {
  const call = args.parent;
  if (call?.type !== 'call_expression') return null;
  const first = args.namedChild(0);
  const last = args.namedChild(args.namedChildCount - 1);
  if (last === null || !last.equals(node)) return null;
  const path =
    first !== null && (first.type === 'string' || first.type === 'template_string')
      ? first.text.slice(0, 200)
      : null;
  if (path !== null && routeVerbs.test(calleeOf(call)) && routePath.test(path))
    return callable(node, 'route', path.slice(1, -1));
  const holder = call.parent;
  if (holder?.type === 'variable_declarator' && args.namedChildCount <= 2)
    return callable(node, 'function', elementName(holder));
  if (holder?.type === 'export_statement') return callable(node, 'function', 'default');
  // `handler: wrap(async () => …)`
  return holder?.type === 'pair' && args.namedChildCount === 1 ? memberOf(node, holder) : null;
}

const calleeOf = (call: Node): string => call.childForFieldName('function')?.text.slice(-200) ?? '';

/**
 * A class with members is assessed through them. An empty class is a stub unless it is abstract,
 * decorated, or extends or implements something.
 */
function classOf(node: Node): ElementCandidate | null {
  const body = node.childForFieldName('body');
  const members =
    body?.namedChildren.filter((each) => each !== null && each.type !== 'comment') ?? [];
  const name = elementName(node);
  if (body === null || (name === '' && members.length === 0)) return null;
  const derived =
    node.type === 'abstract_class_declaration' ||
    node.namedChildren.some(
      (each) => each?.type === 'class_heritage' || each?.type === 'decorator',
    );
  const isCode = members.some(
    (each) =>
      each?.type === 'method_definition' ||
      functions.has(each?.childForFieldName('value')?.type ?? ''),
  );
  return {
    kind: 'class',
    name,
    node,
    body: isCode || members.length > 0 ? null : body,
    mayBeEmpty: derived,
  };
}
