// Mutants of tests for unittest and pytest. Only assertions that are reached in every run of the
// test are changed: none in branches, in handlers, or inside a block that is expected to raise.
import { randomInt } from 'node:crypto';
import type { Node } from 'web-tree-sitter';
import {
  beyondTolerance,
  type ComparisonKind,
  children,
  type MutantEdit,
  type FoundTest,
  insert,
  type MutatedFile,
  mutateEach,
  oddNumber,
  otherFraction,
  otherInteger,
  randomWord,
  replace,
  sample,
} from './mutant';

/** Deeper conditions are inverted as a whole. */
const maxDepth = 50;

/**
 * @param runner decides which functions are tests
 * @returns the file with mutants instead of its tests, and one further test that must fail
 */
export function mutatePython(
  root: Node,
  source: string,
  runner: 'unittest' | 'pytest',
): MutatedFile {
  const helper = randomWord();
  const { content, words } = mutateEach(source, testsOf(root, runner, helper), {
    empty: 'pass',
    between: '_',
  });
  const word = randomWord();
  return {
    content: `${content}\n${helperSource(helper)}${plainTest(runner, word)}`,
    words: [...words, word],
  };
}

/** Without tests that are expected to fail: their mutants would pass. */
function testsOf(root: Node, runner: 'unittest' | 'pytest', helper: string): readonly FoundTest[] {
  return children(root).flatMap((whole) => {
    const node = definitionOf(whole);
    if (node.type === 'class_definition')
      return children(node.childForFieldName('body') ?? node).flatMap((each) =>
        testOf(each, helper),
      );
    return runner === 'pytest' ? testOf(whole, helper) : [];
  });
}

function testOf(whole: Node, helper: string): readonly FoundTest[] {
  const node = definitionOf(whole);
  const [name, body] = [node.childForFieldName('name'), node.childForFieldName('body')];
  if (
    node.type !== 'function_definition' ||
    name === null ||
    body === null ||
    !name.text.startsWith('test')
  )
    return [];
  const decorators = whole === node ? '' : whole.text.slice(0, node.startIndex - whole.startIndex);
  return /\b(?:skip\w*|xfail|expectedFailure)\b/u.test(decorators)
    ? []
    : [{ whole, nameEnd: name.endIndex, changes: changesIn(body, helper) }];
}

const definitionOf = (node: Node): Node =>
  node.type === 'decorated_definition' ? (node.childForFieldName('definition') ?? node) : node;

/** One change for each assertion that can be changed. */
function changesIn(body: Node, helper: string): readonly MutantEdit[] {
  const edits: MutantEdit[] = [];
  for (const statement of children(body)) {
    if (statement.type === 'return_statement' || statement.type === 'raise_statement') break;
    if (statement.type === 'assert_statement') edits.push(...changeOfAssert(statement, helper));
    else if (statement.type === 'expression_statement')
      edits.push(...changeOfCall(statement, helper));
    else if (statement.type === 'with_statement') edits.push(...changesOfWith(statement, helper));
    else if (statement.type === 'for_statement') {
      const inner = statement.childForFieldName('body');
      if (inner !== null) edits.push(...changesIn(inner, helper));
    }
  }
  return edits;
}

function changeOfAssert(statement: Node, helper: string): readonly MutantEdit[] {
  const [condition] = children(statement);
  return condition === undefined || isConstant(condition) ? [] : [falsify(condition, helper)];
}

const isConstant = (node: Node): boolean =>
  ['true', 'false', 'none', 'integer', 'float', 'string'].includes(node.type);

/**
 * Changes a compared value, which detects values that equal everything; without a comparison,
 * inverts the condition.
 */
function falsify(condition: Node, helper: string): MutantEdit {
  const compared = comparisonsIn(condition).flatMap((each) => changeOfComparison(each, helper));
  return sample(compared, 1)[0] ?? replace(condition, `not (${condition.text})`);
}

/** Comparisons that must hold for the condition to be true. */
function comparisonsIn(node: Node, depth = 0): readonly Node[] {
  if (depth > maxDepth) return [];
  const inside = (inner: Node): readonly Node[] => comparisonsIn(inner, depth + 1);
  if (node.type === 'comparison_operator' || claimedIn(node) !== null) return [node];
  const isAll = node.type === 'call' && node.childForFieldName('function')?.text === 'all';
  const isAnd =
    node.type === 'boolean_operator' && node.childForFieldName('operator')?.text === 'and';
  if (isAll) return children(node.childForFieldName('arguments') ?? node).flatMap(inside);
  if (node.type === 'generator_expression' || node.type === 'list_comprehension') {
    const body = node.childForFieldName('body');
    return body === null ? [] : inside(body);
  }
  return isAnd || node.type === 'parenthesized_expression' || node.type === 'argument_list'
    ? children(node).flatMap(inside)
    : [];
}

/**
 * The text in a condition such as `f().startswith('a')`: negating the condition would also invert
 * the meaning of a wrong answer.
 */
function claimedIn(condition: Node): Node | null {
  const called = condition.type === 'call' ? condition.childForFieldName('function') : null;
  const name = called?.childForFieldName('attribute')?.text ?? '';
  const [text] =
    called !== null && /^(?:startswith|endswith)$/u.test(name) ? argumentsOf(condition) : [];
  return text?.type === 'string' ? text : null;
}

function changeOfComparison(node: Node, helper: string): readonly MutantEdit[] {
  const claimed = claimedIn(node);
  if (claimed !== null) return [changeValue(claimed, helper)];
  const [left, right, ...more] = children(node);
  if (left === undefined || right === undefined || more.length > 0) return [];
  const operator = node.text
    .slice(left.endIndex - node.startIndex, right.startIndex - node.startIndex)
    .trim();
  const compared = /\bapprox\s*\(/u.test(node.text) ? 'closely' : 'exactly';
  if (operator === '==') return [changeValue(isLiteral(left) ? left : right, helper, compared)];
  if (operator === 'in') return [changeValue(left, helper, 'in a list')];
  return changeOfOrder(operator, left, right);
}

/** No number is greater than infinity. */
function changeOfOrder(operator: string, left: Node, right: Node): readonly MutantEdit[] {
  const isMore = operator.startsWith('>');
  if (!isMore && !operator.startsWith('<')) return [];
  if (isNumber(right)) return [replace(right, `float("${isMore ? '' : '-'}inf")`)];
  return isNumber(left) ? [replace(left, `float("${isMore ? '-' : ''}inf")`)] : [];
}

const equalities =
  /^(?:assertEqual|assertEquals|assert(?:List|Dict|Tuple|Set|Sequence|Count)Equal|assertMultiLineEqual|assertAlmostEqual|assertAlmostEquals|assert_(?:array_)?(?:almost_)?equal|assert_allclose|assert_(?:frame|series|index)_equal)$/u;
const opposites: ReadonlyMap<string, string> = new Map(
  [
    ['assertIs', 'assertIsNot'],
    ['assertIsNone', 'assertIsNotNone'],
    ['assertIsInstance', 'assertNotIsInstance'],
    ['assertNotEqual', 'assertEqual'],
    ['assertNotAlmostEqual', 'assertAlmostEqual'],
    ['assertNotIn', 'assertIn'],
    ['assertRegex', 'assertNotRegex'],
    ['assertGreater', 'assertLessEqual'],
    ['assertLess', 'assertGreaterEqual'],
  ].flatMap(([a = '', b = '']) => [
    [a, b],
    [b, a],
  ]),
);

function changeOfCall(statement: Node, helper: string): readonly MutantEdit[] {
  const [expression] = children(statement);
  const call = expression?.type === 'await' ? children(expression)[0] : expression;
  const called = call?.childForFieldName('function');
  if (call?.type !== 'call' || called === null || called === undefined) return [];
  const name = called.type === 'attribute' ? called.childForFieldName('attribute') : called;
  const [first, second] = argumentsOf(call);
  if (name === null || first === undefined) return [];
  if (name.text === 'assertTrue') return isConstant(first) ? [] : [falsify(first, helper)];
  if (name.text === 'assertFalse') return isConstant(first) ? [] : [replace(name, 'assertTrue')];
  if (name.text === 'assertRaises' || name.text === 'raises')
    return second === undefined ? [] : [changeError(first)];
  if (name.text === 'assertIn') return [changeValue(first, helper, 'in a list')];
  if (equalities.test(name.text) && second !== undefined) {
    const compared = /almost|allclose/iu.test(name.text) ? 'closely' : 'exactly';
    return [changeValue(isLiteral(first) ? first : second, helper, compared)];
  }
  const opposite = opposites.get(name.text);
  return opposite === undefined ? [] : [replace(name, opposite)];
}

/**
 * Expects another error; code after the raising statement is not reached, so nothing else is
 * changed.
 */
function changesOfWith(statement: Node, helper: string): readonly MutantEdit[] {
  const raising = statement.descendantsOfType('with_item').flatMap((item) => {
    const call = item?.descendantsOfType('call')[0];
    const name = /(?:^|\.)(\w+)$/u.exec(call?.childForFieldName('function')?.text ?? '')?.[1] ?? '';
    return call !== null &&
      call !== undefined &&
      /^(?:raises|assertRaises|assertRaisesRegex)$/u.test(name)
      ? [call]
      : [];
  });
  const [call] = raising;
  const error = call === undefined ? undefined : argumentsOf(call)[0];
  if (error !== undefined) return [changeError(error)];
  const body = statement.childForFieldName('body');
  const swallows = /\b(?:suppress|warns|assertWarns|assertLogs)\b/u.test(
    statement.text.split('\n')[0] ?? '',
  );
  return body === null || swallows ? [] : changesIn(body, helper);
}

const changeError = (error: Node): MutantEdit =>
  replace(error, error.text === 'BlockingIOError' ? 'ChildProcessError' : 'BlockingIOError');

const argumentsOf = (call: Node): readonly Node[] =>
  children(call.childForFieldName('arguments') ?? call).filter(
    ({ type }) => type !== 'keyword_argument',
  );

const isNumber = (node: Node): boolean =>
  node.type === 'integer' ||
  node.type === 'float' ||
  (node.type === 'unary_operator' && /^[-+]/u.test(node.text) && children(node).every(isNumber));

/** A changed literal is indistinguishable from any other value. */
function isLiteral(node: Node): boolean {
  if (isConstant(node) || isNumber(node)) return true;
  if (node.type === 'pair') return children(node).every(isLiteral);
  return (
    ['list', 'tuple', 'set', 'dictionary', 'parenthesized_expression'].includes(node.type) &&
    children(node).every(isLiteral)
  );
}

/** Another value of the same kind. */
function changeValue(node: Node, helper: string, compared: ComparisonKind = 'exactly'): MutantEdit {
  const throughHelper = (): MutantEdit =>
    replace(node, `${helper}(${node.text}${compared === 'exactly' ? '' : `, ${beyondTolerance}`})`);
  const [first] = children(node);
  if (isNumber(node) && compared === 'closely') return throughHelper();
  if (node.type === 'integer' && /^[1-9]\d{0,14}$|^0$/u.test(node.text))
    return replace(node, otherInteger(node.text, compared));
  if (node.type === 'float' && /^\d{1,15}\.\d+$/u.test(node.text))
    return replace(node, otherFraction(node.text, compared));
  if (node.type === 'string' && /^(["'])[^"'\\]{0,2000}\1$/u.test(node.text))
    return insert(node.endIndex - 1, randomWord());
  if (node.type === 'true' || node.type === 'false')
    return replace(node, node.type === 'true' ? 'False' : 'True');
  if (node.type === 'list' && first !== undefined && isLiteral(node))
    return changeValue(first, helper, compared);
  return throughHelper();
}

/**
 * A function that returns an unequal value, of the same type for known types. A number too large to
 * change by addition changes its sign.
 */
const helperSource = (name: string): string => `
def ${name}(value, by=${randomInt(1, 10)}):
    import numbers
    if value is True or value is False:
        return not value
    if isinstance(value, str):
        return value + '${randomWord()}'
    if isinstance(value, (bytes, bytearray)):
        return value + b'${randomWord()}'
    if isinstance(value, numbers.Number):
        if value != value:
            return by
        return value + by if value + by != value else -value
    if isinstance(value, list):
        return value + [${oddNumber()}]
    if type(value) is tuple:
        return value + (${oddNumber()},)
    if isinstance(value, dict):
        return {**value, '${randomWord()}': ${oddNumber()}}
    if isinstance(value, (set, frozenset)):
        return set(value) | {${oddNumber()}}
    return [${oddNumber()}]
`;

const plainTest = (runner: 'unittest' | 'pytest', word: string): string =>
  runner === 'pytest'
    ? `\ndef test_${word}():\n    assert ${oddNumber()} == ${oddNumber()} + 1_0000\n`
    : `\nimport unittest as ${word}_unittest\n\nclass Test${word}(${word}_unittest.TestCase):\n    def test_${word}(self):\n        self.assertEqual(${oddNumber()}, ${oddNumber()} + 1_0000)\n`;
