import type { Node } from 'web-tree-sitter';
import type { ElementCandidate, Finder } from './candidate';

/** Longer statements count as real code. */
const MAX_STUB_CHARS = 300;

const todoRemark =
  /\b(?:TODO|FIXME|XXX)\b|\btodo:|not (?:yet )?implemented|\bimplement (?:me|this)\b|your code here|implementation goes here/u;
/** Text that marks code as unfinished. "Todo not found" has another meaning. */
const unwritten =
  /["'`][^"'`\n]{0,80}(?:not\s{1,3}(?:yet\s{1,3})?(?:been\s{1,3})?implemented|unimplemented|implement me)|["'`]\s{0,3}(?:todo|fixme)(?:["'`]|\s{0,3}[:!.(-])/iu;
const unwrittenMacro = /^(?:todo|unimplemented)!\s{0,3}[({[]/u;
const notImplementedError =
  /^raise\s{1,3}NotImplementedError\b|\bnew\s{1,3}NotImplemented(?:Error|Exception)\b/u;
const noEffect = /^(?:pass|\.\.\.|;)$/u;
const constant =
  /^(?:return\b)?[\s(]{0,3}(?:(?:null|undefined|none|nil|true|false|-?\d{1,6}(?:\.\d{1,6})?|""|''|``|\[\]|\{\}|\(\)|ok\(\(\)\)|string::new\(\)|vec!\[\]|vec::new\(\))[\s,)]{0,3}){0,4};?$/iu;
/** Statements that can report missing code. */
const reporting = new Set([
  'throw_statement',
  'raise_statement',
  'return_statement',
  'expression_statement',
  'call_expression',
  'macro_invocation',
]);

/**
 * The reason why an element is a stub (QEL-22), or null if it is real code. The body of a stub is
 * empty, or each of its statements has no effect, reports missing code, or is a constant. If a
 * statement is a constant, the element is a stub only with a TODO, or if another statement reports
 * missing code.
 * @param remarks text of the comments inside the element and after it on its last line
 */
export function stubReason(
  { body, kind, mayBeEmpty }: ElementCandidate,
  remarks: string,
  finder: Finder,
): string | null {
  if (body === null) return null;
  const statements = kind === 'class' ? [] : statementsOf(body, finder);
  const hasTodo = todoRemark.test(remarks);
  if (statements.length === 0) return hasTodo ? 'only a TODO' : mayBeEmpty ? null : 'empty body';
  const kinds = statements.map(kindOfStatement);
  if (kinds.some((each) => each === 'real')) return null;
  if (kinds.some((each) => each === 'unwritten')) return 'not implemented';
  if (kinds.every((each) => each === 'no_effect')) return hasTodo ? 'only a TODO' : 'empty body';
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

/** Whether a statement has no effect, reports missing code, is a constant, or is real code. */
function kindOfStatement(node: Node): 'no_effect' | 'unwritten' | 'constant' | 'real' {
  const length = node.endIndex - node.startIndex;
  if (length > MAX_STUB_CHARS) return 'real';
  const text = node.text.trim();
  if (noEffect.test(text)) return 'no_effect';
  if (unwrittenMacro.test(text) || notImplementedError.test(text)) return 'unwritten';
  if (reporting.has(node.type) && unwritten.test(text)) return 'unwritten';
  return constant.test(text) ? 'constant' : 'real';
}
