// Mutants of tests in JavaScript and TypeScript: `expect` of Vitest and Jest, `assert` of Node and
// Chai, `console.assert`.
import { randomInt } from 'node:crypto';
import type { Node } from 'web-tree-sitter';
import {
  applyMutantEdits,
  beyondTolerance,
  type ComparisonKind,
  children,
  type MutantEdit,
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

/** Maximum mutants of a script: each needs a separate run. */
const mutantsOfScript = 2;

/** Deeper suites and blocks remain unchanged. */
const maxDepth = 50;

/**
 * For runners whose tests have titles.
 * @returns the file with mutants instead of its tests, and one further test that must fail
 */
export function mutateTitled(root: Node, source: string): MutatedFile {
  const helper = randomWord();
  const tests = testsIn(root).map(({ whole, title, body }) => ({
    whole,
    nameEnd: title.endIndex - 1,
    changes: changesIn(body, helper),
  }));
  const { content, words } = mutateEach(source, tests, { empty: '', between: ' ' });
  const word = randomWord();
  const plain = `it('${word}', () => { expect(${oddNumber()}).toBe(${10_000 + oddNumber()}); });`;
  return { content: `${content}\n${helperSource(helper)}\n${plain}\n`, words: [...words, word] };
}

/**
 * For files that are one test each.
 * @returns copies of the file, each of which must fail as a whole
 */
export function mutateScript(root: Node, source: string): readonly string[] {
  const helper = randomWord();
  const bodies = [root, ...testsIn(root).map(({ body }) => body), ...calledBodies(root)];
  const changes = sample(
    bodies.flatMap((body) => changesIn(body, helper)),
    mutantsOfScript,
  );
  if (changes.length === 0)
    return [`${source}\n;console.assert(${oddNumber()} === ${10_000 + oddNumber()});\n`];
  return changes.map((change) => `${applyMutantEdits(source, [change])}\n;${helperSource(helper)}`);
}

interface TitledTest {
  readonly whole: Node;
  readonly title: Node;
  readonly body: Node;
}

/** Tests at the top level and in suites, without those that are skipped or expected to fail. */
function testsIn(root: Node, depth = 0): readonly TitledTest[] {
  if (depth > maxDepth) return [];
  return children(root).flatMap((whole): readonly TitledTest[] => {
    const call = whole.type === 'expression_statement' ? callIn(whole) : null;
    if (call === null) return [];
    const name = call.childForFieldName('function')?.text ?? '';
    const [title, ...rest] = argumentsOf(call);
    const body = rest.map(bodyOf).find((found) => found !== null);
    if (title === undefined || body === null || body === undefined) return [];
    if (/^(?:describe|suite|context)\b(?!\.(?:skip|todo))/u.test(name))
      return testsIn(body, depth + 1);
    const isTest =
      /^(?:it|test)\b/u.test(name) &&
      !/^\w+(?:\.\w+)*\.(?:skip|todo|fails|failing|skipIf|runIf)\b/u.test(name);
    return isTest && (title.type === 'string' || title.type === 'template_string')
      ? [{ whole, title, body }]
      : [];
  });
}

/** Bodies that top-level code runs: of `main()`, and of a function called in place. */
function calledBodies(root: Node): readonly Node[] {
  const called = new Set<string>();
  const bodies: Node[] = [];
  for (const statement of children(root)) {
    const start = /^(?:await\s+)?([\w$]+)\s*\(/u.exec(statement.text)?.[1];
    if (statement.type === 'expression_statement' && start !== undefined) called.add(start);
    const call = statement.type === 'expression_statement' ? callIn(statement) : null;
    const inner = call?.childForFieldName('function');
    const own = inner?.type === 'parenthesized_expression' ? children(inner)[0] : undefined;
    const body = own === undefined ? null : bodyOf(own);
    if (body !== null) bodies.push(body);
  }
  for (const statement of children(root)) {
    const name =
      statement.type === 'function_declaration'
        ? statement.childForFieldName('name')?.text
        : undefined;
    const body =
      name !== undefined && called.has(name) ? statement.childForFieldName('body') : null;
    if (body !== null) bodies.push(body);
  }
  return bodies;
}

/** Null if it is not a function. */
function bodyOf(node: Node): Node | null {
  const isFunction = ['arrow_function', 'function_expression', 'function'].includes(node.type);
  return isFunction ? node.childForFieldName('body') : null;
}

function callIn(node: Node): Node | null {
  const [inner] = children(node);
  if (inner === undefined) return null;
  if (inner.type === 'await_expression') return callIn(inner);
  return inner.type === 'call_expression' ? inner : null;
}

/** Only assertions that every run of the body reaches: none in branches, handlers or functions. */
function changesIn(body: Node, helper: string, depth = 0): readonly MutantEdit[] {
  if (depth > maxDepth) return [];
  if (body.type === 'call_expression') return changeOfCall(body, helper);
  const edits: MutantEdit[] = [];
  for (const statement of children(body)) {
    if (statement.type === 'return_statement' || statement.type === 'throw_statement') {
      const call = callIn(statement);
      if (call !== null) edits.push(...changeOfCall(call, helper));
      break;
    }
    if (statement.type === 'for_in_statement' || statement.type === 'for_statement') {
      const inner = statement.childForFieldName('body');
      if (inner?.type === 'statement_block') edits.push(...changesIn(inner, helper, depth + 1));
    } else if (statement.type === 'statement_block') {
      edits.push(...changesIn(statement, helper, depth + 1));
    } else if (statement.type === 'expression_statement') {
      const call = callIn(statement);
      const isAwaited = children(statement)[0]?.type === 'await_expression';
      if (
        call !== null &&
        (isAwaited || !/\.(?:resolves|rejects)\b|\b(?:rejects|doesNotReject)\s*\(/u.test(call.text))
      )
        edits.push(...changeOfCall(call, helper));
    }
  }
  return edits;
}

const equalities: ReadonlySet<string> = new Set(
  'toBe toEqual toStrictEqual toBeCloseTo toHaveLength toMatchObject toContain toContainEqual equal eql eqls equals'.split(
    ' ',
  ),
);
const assertEqualities: ReadonlySet<string> = new Set(
  'equal strictEqual deepEqual deepStrictEqual eql'.split(' '),
);
const opposites: ReadonlyMap<string, string> = new Map(
  [
    ['notEqual', 'equal'],
    ['notStrictEqual', 'strictEqual'],
    ['notDeepEqual', 'deepEqual'],
    ['notDeepStrictEqual', 'deepStrictEqual'],
    ['throws', 'doesNotThrow'],
    ['rejects', 'doesNotReject'],
    ['match', 'doesNotMatch'],
    ['isTrue', 'isFalse'],
    ['isNull', 'isNotNull'],
  ].flatMap(([a = '', b = '']) => [
    [a, b],
    [b, a],
  ]),
);

function changeOfCall(call: Node, helper: string): readonly MutantEdit[] {
  const called = call.childForFieldName('function');
  const [first, second] = argumentsOf(call);
  if (called === null) return [];
  const expected = expectIn(called);
  if (expected !== null) return changeOfExpect(called, expected, first, helper);
  if (first === undefined) return [];
  const [, owner, name = ''] =
    /^(console|assert(?:\.strict)?)(?:\.(\w+))?$/u.exec(called.text) ?? [];
  if (owner === undefined || (owner === 'console' && name !== 'assert')) return [];
  if (name === '' || name === 'ok' || name === 'assert')
    return isConstant(first) ? [] : [falsify(first, helper)];
  if (assertEqualities.has(name))
    return second === undefined ? [] : [changeValue(isConstant(first) ? first : second, helper)];
  const opposite = opposites.get(name);
  const property = called.childForFieldName('property');
  return opposite === undefined || property === null ? [] : [replace(property, opposite)];
}

/** @returns the `expect(…)` at the start of a chain of members; null if it starts differently */
function expectIn(chain: Node): Node | null {
  let node: Node | null = chain;
  while (node?.type === 'member_expression') node = node.childForFieldName('object');
  return node?.type === 'call_expression' && node.childForFieldName('function')?.text === 'expect'
    ? node
    : null;
}

function changeOfExpect(
  called: Node,
  expected: Node,
  value: Node | undefined,
  helper: string,
): readonly MutantEdit[] {
  const chain = called.text.slice(expected.endIndex - called.startIndex);
  const matcher = /(\w+)$/u.exec(chain)?.[1] ?? '';
  if (matcher === '' || /Snapshot/u.test(matcher)) return [];
  const not = /\.not\b/u.exec(chain);
  if (not !== null)
    return [
      { from: expected.endIndex + not.index, to: expected.endIndex + not.index + 4, text: '' },
    ];
  const [condition] = argumentsOf(expected);
  const isTrue = matcher === 'toBeTruthy' || (value?.text === 'true' && equalities.has(matcher));
  const claim = isTrue && condition !== undefined ? claimIn(condition, helper) : null;
  if (claim !== null) return [claim];
  if (equalities.has(matcher) && value !== undefined) {
    const compared =
      matcher === 'toBeCloseTo'
        ? 'closely'
        : matcher.startsWith('toContain')
          ? 'in a list'
          : 'exactly';
    return [changeValue(value, helper, compared)];
  }
  const text = textMatchers.has(matcher) && value !== undefined ? otherText(value, helper) : null;
  if (text !== null) return [text];
  const property = called.childForFieldName('property');
  return property === null ? [] : [insert(property.startIndex, 'not.')];
}

/**
 * An object of the code may claim to match anything; if the assertion is negated, that claim makes
 * the mutant fail, as it must.
 */
const textMatchers: ReadonlySet<string> = new Set(
  'toMatch toThrow toThrowError match throw throws string include includes contain contains'.split(
    ' ',
  ),
);

/**
 * A condition that searches a value for a text, such as `f().includes('a')`: another text. Null for
 * any other condition.
 */
function claimIn(condition: Node, helper: string): MutantEdit | null {
  const called =
    condition.type === 'call_expression' ? condition.childForFieldName('function') : null;
  const name = called?.childForFieldName('property')?.text ?? '';
  const [text] = called === null ? [] : argumentsOf(condition);
  return text !== undefined && /^(?:includes|startsWith|endsWith|match)$/u.test(name)
    ? otherText(text, helper)
    : null;
}

/** Null for a value that is neither text nor pattern. */
function otherText(node: Node, helper: string): MutantEdit | null {
  if (node.type === 'regex') return replace(node, `/${randomWord()}${randomWord()}/`);
  return node.type === 'string' || node.type === 'template_string'
    ? changeValue(node, helper, 'in a list')
    : null;
}

function falsify(condition: Node, helper: string): MutantEdit {
  let node = condition;
  for (let left = firstOperand(node); left !== null; left = firstOperand(node)) node = left;
  const claim = claimIn(node, helper);
  if (claim !== null) return claim;
  const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
  const operator =
    node.type === 'binary_expression' ? node.childForFieldName('operator')?.text : undefined;
  if (left !== null && right !== null && (operator === '===' || operator === '=='))
    return changeValue(isConstant(left) ? left : right, helper);
  return replace(node, `!(${node.text})`);
}

/** @returns the left side of `&&`; null for any other expression */
function firstOperand(node: Node): Node | null {
  const isAnd =
    node.type === 'binary_expression' && node.childForFieldName('operator')?.text === '&&';
  return isAnd ? node.childForFieldName('left') : null;
}

const argumentsOf = (call: Node): readonly Node[] => {
  const list = call.childForFieldName('arguments');
  return list === null || list.type !== 'arguments' ? [] : children(list);
};

const isConstant = (node: Node): boolean =>
  ['number', 'string', 'true', 'false', 'null', 'undefined'].includes(node.type);

/** Another value of the same kind. */
function changeValue(node: Node, helper: string, compared: ComparisonKind = 'exactly'): MutantEdit {
  const throughHelper = (): MutantEdit =>
    replace(node, `${helper}(${node.text}${compared === 'exactly' ? '' : `, ${beyondTolerance}`})`);
  if (compared === 'closely') return throughHelper();
  if (node.type === 'number' && /^[1-9]\d{0,14}$|^0$/u.test(node.text))
    return replace(node, otherInteger(node.text, compared));
  if (node.type === 'number' && /^\d{1,15}\.\d+$/u.test(node.text))
    return replace(node, otherFraction(node.text, compared));
  if (node.type === 'string' && /^(["'])[^"'\\]{0,2000}\1$/u.test(node.text))
    return insert(node.endIndex - 1, randomWord());
  if (node.type === 'true' || node.type === 'false')
    return replace(node, node.type === 'true' ? 'false' : 'true');
  const [first] = children(node);
  if (node.type === 'array' && first !== undefined && isConstant(first))
    return changeValue(first, helper, compared);
  return throughHelper();
}

/**
 * A function that returns an unequal value, of the same type for known types. A number too large to
 * change by addition changes its sign.
 */
const helperSource = (name: string): string => `
function ${name}(value, by = ${randomInt(1, 10)}) {
  if (typeof value === 'number') return Number.isNaN(value) ? by : value + by === value ? -value : value + by;
  if (typeof value === 'bigint') return value + BigInt(${oddNumber()});
  if (typeof value === 'string') return value + '${randomWord()}';
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, ${oddNumber()}];
  if (value instanceof Date) return new Date(value.getTime() + ${oddNumber()});
  if (value instanceof Map) return new Map([...value, ['${randomWord()}', ${oddNumber()}]]);
  if (value instanceof Set) return new Set([...value, ${oddNumber()}]);
  if (value !== null && typeof value === 'object' && typeof value.asymmetricMatch !== 'function')
    return { ...value, ${randomWord()}: ${oddNumber()} };
  return '${randomWord()}';
}
`;
