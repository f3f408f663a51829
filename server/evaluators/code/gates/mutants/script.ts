// Mutants of tests in JavaScript and TypeScript: `expect` of Vitest and Jest, `assert` of Node and Chai, `console.assert`.
import type { Node } from 'web-tree-sitter';
import {
  applyEdits,
  children,
  type Edit,
  insert,
  type MutatedFile,
  mutateEach,
  oddNumber,
  otherInteger,
  randomWord,
  replace,
  sample,
} from './mutant';

/** Each mutant of a script is a run of its own. */
const mutantsOfScript = 2;

/**
 * For runners whose tests have titles.
 * @returns the file with a mutant for each assertion in the place of its tests; where no assertion can be changed, with a
 * test of its own that must fail
 */
export function mutateTitled(root: Node, source: string): MutatedFile {
  const helper = randomWord();
  const tests = testsIn(root).map(({ whole, title, body }) => ({ whole, nameEnd: title.endIndex - 1, changes: changesIn(body, helper) }));
  const { content, words } = mutateEach(source, tests, { empty: '', between: ' ' });
  const changed = `${content}\n${helperSource(helper)}`;
  if (words.length > 0) return { content: changed, words };
  const word = randomWord();
  return { content: `${changed}\nit('${word}', () => { expect(${oddNumber()}).toBe(${10_000 + oddNumber()}); });\n`, words: [word] };
}

/** For scripts that are one test each. @returns mutants of it, each of which must fail as a whole */
export function mutateScript(root: Node, source: string): readonly string[] {
  const helper = randomWord();
  const bodies = [root, ...testsIn(root).map(({ body }) => body), ...calledBodies(root)];
  const changes = sample(
    bodies.flatMap((body) => changesIn(body, helper)),
    mutantsOfScript,
  );
  if (changes.length === 0) return [`${source}\n;console.assert(${oddNumber()} === ${10_000 + oddNumber()});\n`];
  return changes.map((change) => `${applyEdits(source, [change])}\n;${helperSource(helper)}`);
}

interface TitledTest {
  /** The statement. */
  readonly whole: Node;
  readonly title: Node;
  readonly body: Node;
}

/** Tests at the top and in suites; not those that are skipped or expected to fail. */
function testsIn(root: Node): readonly TitledTest[] {
  return children(root).flatMap((whole): readonly TitledTest[] => {
    const call = whole.type === 'expression_statement' ? callIn(whole) : null;
    if (call === null) return [];
    const name = call.childForFieldName('function')?.text ?? '';
    const [title, ...rest] = argumentsOf(call);
    const body = rest.map(bodyOf).find((found) => found !== null);
    if (title === undefined || body === null || body === undefined) return [];
    if (/^(?:describe|suite|context)\b(?!\.(?:skip|todo))/u.test(name)) return testsIn(body);
    const isTest = /^(?:it|test)\b/u.test(name) && !/^\w+(?:\.\w+)*\.(?:skip|todo|fails|failing|skipIf|runIf)\b/u.test(name);
    return isTest && (title.type === 'string' || title.type === 'template_string') ? [{ whole, title, body }] : [];
  });
}

/** Functions at the top that are called there: `main()`, and those that are called where they stand. */
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
    const name = statement.type === 'function_declaration' ? statement.childForFieldName('name')?.text : undefined;
    const body = name !== undefined && called.has(name) ? statement.childForFieldName('body') : null;
    if (body !== null) bodies.push(body);
  }
  return bodies;
}

/** Null where it is no function. */
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

/** What is reached whenever the body is: not branches, handlers and functions. */
function changesIn(body: Node, helper: string): readonly Edit[] {
  if (body.type === 'call_expression') return changeOfCall(body, helper);
  const edits: Edit[] = [];
  for (const statement of children(body)) {
    if (statement.type === 'return_statement' || statement.type === 'throw_statement') {
      const call = callIn(statement);
      if (call !== null) edits.push(...changeOfCall(call, helper));
      break;
    }
    if (statement.type === 'for_in_statement' || statement.type === 'for_statement') {
      const inner = statement.childForFieldName('body');
      if (inner?.type === 'statement_block') edits.push(...changesIn(inner, helper));
    } else if (statement.type === 'statement_block') {
      edits.push(...changesIn(statement, helper));
    } else if (statement.type === 'expression_statement') {
      const call = callIn(statement);
      const isAwaited = children(statement)[0]?.type === 'await_expression';
      if (call !== null && (isAwaited || !/\.(?:resolves|rejects)\b|\b(?:rejects|doesNotReject)\s*\(/u.test(call.text)))
        edits.push(...changeOfCall(call, helper));
    }
  }
  return edits;
}

const equalities: ReadonlySet<string> = new Set(
  'toBe toEqual toStrictEqual toBeCloseTo toHaveLength toMatchObject toContain toContainEqual equal eql eqls equals'.split(' '),
);
const assertEqualities: ReadonlySet<string> = new Set('equal strictEqual deepEqual deepStrictEqual eql'.split(' '));
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

function changeOfCall(call: Node, helper: string): readonly Edit[] {
  const called = call.childForFieldName('function');
  const [first, second] = argumentsOf(call);
  if (called === null) return [];
  const expected = expectIn(called);
  if (expected !== null) return changeOfExpect(called, expected, first, helper);
  if (first === undefined) return [];
  const [, owner, name = ''] = /^(console|assert(?:\.strict)?)(?:\.(\w+))?$/u.exec(called.text) ?? [];
  if (owner === undefined || (owner === 'console' && name !== 'assert')) return [];
  if (name === '' || name === 'ok' || name === 'assert') return isConstant(first) ? [] : [falsify(first, helper)];
  if (assertEqualities.has(name)) return second === undefined ? [] : [changeValue(isConstant(first) ? first : second, helper)];
  const opposite = opposites.get(name);
  const property = called.childForFieldName('property');
  return opposite === undefined || property === null ? [] : [replace(property, opposite)];
}

/** The call of `expect` that a chain of members begins with; null where it begins otherwise. */
function expectIn(node: Node): Node | null {
  if (node.type === 'member_expression') {
    const object = node.childForFieldName('object');
    return object === null ? null : expectIn(object);
  }
  return node.type === 'call_expression' && node.childForFieldName('function')?.text === 'expect' ? node : null;
}

function changeOfExpect(called: Node, expected: Node, value: Node | undefined, helper: string): readonly Edit[] {
  const chain = called.text.slice(expected.endIndex - called.startIndex);
  const matcher = /(\w+)$/u.exec(chain)?.[1] ?? '';
  if (matcher === '' || /Snapshot/u.test(matcher)) return [];
  const not = /\.not\b/u.exec(chain);
  if (not !== null) return [{ from: expected.endIndex + not.index, to: expected.endIndex + not.index + 4, text: '' }];
  if (equalities.has(matcher) && value !== undefined) return [changeValue(value, helper)];
  const property = called.childForFieldName('property');
  return property === null ? [] : [insert(property.startIndex, 'not.')];
}

function falsify(condition: Node, helper: string): Edit {
  const [left, right] = [condition.childForFieldName('left'), condition.childForFieldName('right')];
  const operator = condition.type === 'binary_expression' ? condition.childForFieldName('operator')?.text : undefined;
  if (left !== null && right !== null && (operator === '===' || operator === '=='))
    return changeValue(isConstant(left) ? left : right, helper);
  if (left !== null && operator === '&&') return falsify(left, helper);
  return replace(condition, `!(${condition.text})`);
}

const argumentsOf = (call: Node): readonly Node[] => {
  const list = call.childForFieldName('arguments');
  return list === null || list.type !== 'arguments' ? [] : children(list);
};

const isConstant = (node: Node): boolean => ['number', 'string', 'true', 'false', 'null', 'undefined'].includes(node.type);

/** Another value of the same kind. */
function changeValue(node: Node, helper: string): Edit {
  if (node.type === 'number' && /^[1-9]\d{0,14}$|^0$/u.test(node.text)) return replace(node, otherInteger(node.text));
  if (node.type === 'number' && /^\d+\.\d+$/u.test(node.text)) return replace(node, `${oddNumber()}.5`);
  if (node.type === 'string' && /^(["'])[^"'\\]{0,2000}\1$/u.test(node.text)) return insert(node.endIndex - 1, randomWord());
  if (node.type === 'true' || node.type === 'false') return replace(node, node.type === 'true' ? 'false' : 'true');
  const [first] = children(node);
  if (node.type === 'array' && first !== undefined && isConstant(first)) return changeValue(first, helper);
  return replace(node, `${helper}(${node.text})`);
}

/** A value of the same type, as far as that can be told, that does not equal the one given. */
const helperSource = (name: string): string => `
function ${name}(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? value + ${oddNumber()} : ${oddNumber()};
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
