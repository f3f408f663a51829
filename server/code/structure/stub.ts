import type { Node } from 'web-tree-sitter';
import type { ElementCandidate, Finder } from './candidate';

/** Longer statements count as having an effect. */
const SHORT = 300;

const todo =
  /\b(?:TODO|FIXME|XXX)\b|\btodo:|not (?:yet )?implemented|\bimplement (?:me|this)\b|your code here|implementation goes here/u;
/** Text that marks unfinished code. "Todo not found" has another meaning. */
const unwritten =
  /["'`][^"'`\n]{0,80}(?:not\s{1,3}(?:yet\s{1,3})?(?:been\s{1,3})?implemented|unimplemented|implement me)|["'`]\s{0,3}(?:todo|fixme)(?:["'`]|\s{0,3}[:!.(-])/iu;
const unwrittenMacro = /^(?:todo|unimplemented)!\s{0,3}[({[]/u;
const notImplementedError =
  /^raise\s{1,3}NotImplementedError\b|\bnew\s{1,3}NotImplemented(?:Error|Exception)\b/u;
const nothing = /^(?:pass|\.\.\.|;)$/u;
const trivial =
  /^(?:return\b)?[\s(]{0,3}(?:(?:null|undefined|none|nil|true|false|-?\d{1,6}(?:\.\d{1,6})?|""|''|``|\[\]|\{\}|\(\)|ok\(\(\)\)|string::new\(\)|vec!\[\]|vec::new\(\))[\s,)]{0,3}){0,4};?$/iu;
const saying = new Set([
  'throw_statement',
  'raise_statement',
  'return_statement',
  'expression_statement',
  'call_expression',
  'macro_invocation',
]);

/**
 * Why an element is a stub (QEL-22); null for a real one. A stub has an empty body, or one in which
 * every statement has no effect, reports that it is not implemented, or returns a plain value next
 * to a TODO.
 *
 * @param remarks text of the comments inside it and after it on its last line
 */
export function whyStub(
  { body, kind, mayBeEmpty }: ElementCandidate,
  remarks: string,
  finder: Finder,
): string | null {
  if (body === null) return null;
  const statements = kind === 'class' ? [] : statementsOf(body, finder);
  const hasTodo = todo.test(remarks);
  if (statements.length === 0) return hasTodo ? 'only a TODO' : mayBeEmpty ? null : 'empty body';
  const kinds = statements.map(kindOfStatement);
  if (kinds.some((each) => each === 'more')) return null;
  if (kinds.some((each) => each === 'unwritten')) return 'not implemented';
  if (kinds.every((each) => each === 'nothing')) return hasTodo ? 'only a TODO' : 'empty body';
  return hasTodo ? 'only a TODO' : null;
}

function statementsOf(body: Node, finder: Finder): readonly Node[] {
  // An arrow function may be a single expression.
  const isBlock =
    body.type === 'block' || body.type === 'statement_block' || body.type === 'statement_list';
  if (!isBlock) return [body];
  return body.namedChildren.flatMap((child) => {
    if (child === null || finder.comments.has(child.type) || child.type === 'empty_statement')
      return [];
    if (finder.isRemark?.(child) === true) return [];
    return child.type === 'statement_list' ? statementsOf(child, finder) : [child];
  });
}

/** Whether a statement has no effect, reports missing code, is a plain value, or does more. */
function kindOfStatement(node: Node): 'nothing' | 'unwritten' | 'plain' | 'more' {
  const length = node.endIndex - node.startIndex;
  if (length > SHORT) return 'more';
  const text = node.text.trim();
  if (nothing.test(text)) return 'nothing';
  if (unwrittenMacro.test(text) || notImplementedError.test(text)) return 'unwritten';
  if (saying.has(node.type) && unwritten.test(text)) return 'unwritten';
  return trivial.test(text) ? 'plain' : 'more';
}
