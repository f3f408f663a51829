import type { Node } from 'web-tree-sitter';

/** Top-level statements without effect until something uses them. */
const waiting = new Set([
  'comment',
  'empty_statement',
  'import_statement',
  'function_declaration',
  'generator_function_declaration',
  'class_declaration',
  'abstract_class_declaration',
  'interface_declaration',
  'type_alias_declaration',
  'enum_declaration',
]);
const declarations = new Set(['lexical_declaration', 'variable_declaration']);

/**
 * A module of JavaScript or TypeScript that imports, and neither exports nor runs anything: its
 * purpose was removed, or was never written.
 */
export function isIdleModule(root: Node): boolean {
  const statements = root.namedChildren.filter((each) => each !== null);
  if (!statements.some(({ type }) => type === 'import_statement')) return false;
  return statements.every(
    (each) => waiting.has(each.type) || (declarations.has(each.type) && isPlain(each)),
  );
}

/** Its values are created without a call. */
function isPlain(declaration: Node): boolean {
  return declaration.namedChildren.every((each) => {
    const value = each?.childForFieldName('value')?.type ?? '';
    return (
      value !== 'call_expression' &&
      value !== 'await_expression' &&
      value !== 'assignment_expression'
    );
  });
}
