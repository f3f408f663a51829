/**
 * JSONPath queries (RFC 9535) over subjects. The library parses and resolves them; this module
 * bounds their cost: every visited node and every matched character is charged to one budget.
 * Patterns of match() and search() run on RE2, which takes time linear in the text; they are
 * I-Regexp (RFC 9485).
 */
import { FunctionExpressionType, JSONPathEnvironment, JSONPathError, jsonpath } from 'json-p3';
import { RE2JS, RE2JSException } from 're2js';
import { subjectLimits } from '../domain';

/** Nodes that one run may visit. */
const NODES_MAX = 200_000;
/** Values that one query may return. */
const VALUES_MAX = 50_000;
/** Instructions of a pattern times characters of a text that cost as much as one node. */
const MATCHING_OF_A_NODE = 500;
const PATTERN_CHARS_MAX = 1_000;
/** More than the nesting that intake accepts plus the levels that wrap the data. */
const DEPTH_MAX = 128;

export interface Query {
  readonly text: string;
  /** The possible names of its first member; empty if it may be any. */
  readonly firstNames: readonly { readonly name: string; readonly position: number }[];
  /** The values of its nodes, in order. @throws QueryOverLimit */
  select(value: unknown): unknown[];
}

/** Thrown if a query over a value of this size costs too much. */
export class QueryOverLimit extends Error {
  override readonly name = 'QueryOverLimit';
}

/** Why a query cannot be used: position (UTF-16 units), problem, and fix. */
export interface QueryProblem {
  readonly position: number;
  readonly problem: string;
  readonly fix: string;
}

export function compileQuery(text: string): Query | QueryProblem {
  const early = findEarlyProblem(text);
  if (early !== null) return early;
  const meter = new Meter();
  const environment = new BoundedEnvironment({ maxRecursionDepth: DEPTH_MAX }, meter);
  try {
    const query = environment.compile(text);
    const problem = meterQuery(query, meter);
    if (problem !== null) return problem;
    return { text, firstNames: firstNamesOf(query), select: (value) => run(query, meter, value) };
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    return explain(text, error);
  }
}

export const isProblem = (compiled: Query | QueryProblem): compiled is QueryProblem =>
  'problem' in compiled;

type Compiled = jsonpath.JSONPathQuery;

function run(query: Compiled, meter: Meter, value: unknown): unknown[] {
  meter.reset();
  const values: unknown[] = [];
  try {
    for (const node of query.lazyQuery(value as Parameters<Compiled['lazyQuery']>[0])) {
      values.push(node.value);
      if (values.length > VALUES_MAX)
        throw new QueryOverLimit(`the query gives more than ${VALUES_MAX} values`);
    }
  } catch (error) {
    if (error instanceof JSONPathError) throw new QueryOverLimit(withoutPlace(error.message));
    throw error;
  }
  return values;
}

class Meter {
  #spent = 0;
  /** Counts runs: a result cached in one run is not used in the next. */
  runs = 0;

  reset(): void {
    this.#spent = 0;
    this.runs++;
  }

  spend(nodes: number): void {
    this.#spent += nodes;
    if (this.#spent > NODES_MAX)
      throw new QueryOverLimit(`the query visits more than ${NODES_MAX} nodes`);
  }
}

class BoundedEnvironment extends JSONPathEnvironment {
  constructor(
    options: ConstructorParameters<typeof JSONPathEnvironment>[0],
    private readonly meter: Meter,
  ) {
    super(options);
    const { ValueType, LogicalType } = FunctionExpressionType;
    for (const name of ['match', 'search'] as const)
      this.functionRegister.set(name, {
        argTypes: [ValueType, ValueType],
        returnType: LogicalType,
        call: (text: unknown, pattern: unknown) => this.matches(name, text, pattern),
      });
  }

  private readonly patterns = new Map<string, RE2JS | null>();

  private matches(name: 'match' | 'search', text: unknown, pattern: unknown): boolean {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false;
    let compiled = this.patterns.get(pattern);
    if (compiled === undefined) {
      this.meter.spend(1 + pattern.length);
      const read = compilePattern(pattern);
      compiled = typeof read === 'string' ? null : read;
      if (this.patterns.size >= 100) this.patterns.clear();
      this.patterns.set(pattern, compiled);
    }
    if (compiled === null) return false;
    this.meter.spend(Math.ceil((compiled.programSize() * text.length) / MATCHING_OF_A_NODE));
    const matcher = compiled.matcher(text);
    return name === 'match' ? matcher.matches() : matcher.find();
  }
}

/** The compiled pattern, or why it cannot be compiled. An invalid pattern matches nothing. */
function compilePattern(pattern: string): RE2JS | string {
  if (pattern.length > PATTERN_CHARS_MAX)
    return `the pattern has more than ${PATTERN_CHARS_MAX} characters`;
  try {
    return RE2JS.compile(withDots(pattern));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `the pattern cannot be read (${error.message.replace('error parsing regexp: ', '')})`;
  }
}

/** In I-Regexp, a dot matches neither line feed nor carriage return. */
function withDots(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\[^]|[[\].]/gu, (token) => {
    if (token === '[') inClass = true;
    if (token === ']') inClass = false;
    return token === '.' && !inClass ? '[^\\n\\r]' : token;
  });
}

const { FilterSelector, NameSelector, IndexSelector } = jsonpath.selectors;
const expressions = jsonpath.expressions;

/** Makes each selector of a query, including its filters, charge the nodes it visits. */
function meterQuery(query: Compiled, meter: Meter): QueryProblem | null {
  for (const segment of query.segments) {
    for (const selector of segment.selectors) {
      const resolve = selector.resolve.bind(selector);
      const isSingle = selector instanceof NameSelector || selector instanceof IndexSelector;
      selector.resolve = (node) => {
        meter.spend(isSingle ? 1 : 1 + breadthOf(node.value));
        return resolve(node);
      };
      const problem =
        selector instanceof FilterSelector ? meterFilter(selector.expression, meter) : null;
      if (problem !== null) return problem;
    }
  }
  return null;
}

function meterFilter(
  expression: jsonpath.expressions.FilterExpression,
  meter: Meter,
): QueryProblem | null {
  if (expression instanceof expressions.LogicalExpression)
    return meterFilter(expression.expression, meter);
  if (expression instanceof expressions.PrefixExpression)
    return meterFilter(expression.right, meter);
  if (expression instanceof expressions.InfixExpression)
    return meterFilter(expression.left, meter) ?? meterFilter(expression.right, meter);
  if (expression instanceof expressions.RootQuery) memoizeForRun(expression, meter);
  if (expression instanceof expressions.FilterQuery) return meterQuery(expression.path, meter);
  if (!(expression instanceof expressions.FunctionExtension)) return null;
  const unread = unreadPattern(expression);
  if (unread !== null) return unread;
  for (const argument of expression.args) {
    const problem = meterFilter(argument, meter);
    if (problem !== null) return problem;
  }
  return null;
}

/**
 * A query from the root has the same result for every node of a run, so it is resolved once; each
 * use is charged the maximum cost of comparing the result.
 */
function memoizeForRun(expression: jsonpath.expressions.RootQuery, meter: Meter): void {
  const evaluate = expression.evaluate.bind(expression);
  let memo: {
    readonly run: number;
    readonly cost: number;
    readonly nodes: ReturnType<typeof evaluate>;
  } | null = null;
  expression.evaluate = (context) => {
    if (memo?.run !== meter.runs) {
      const nodes = evaluate(context);
      memo = {
        run: meter.runs,
        nodes,
        cost: nodes.values().reduce<number>((sum, value) => sum + sizeOf(value), 1),
      };
    }
    meter.spend(memo.cost);
    return memo.nodes;
  };
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + sizeOf(member), 1);
}

function breadthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function unreadPattern({
  name,
  args,
}: jsonpath.expressions.FunctionExtension): QueryProblem | null {
  const pattern = args[1];
  if (name !== 'match' && name !== 'search') return null;
  if (!(pattern instanceof expressions.StringLiteral)) return null;
  const compiled = compilePattern(pattern.value);
  if (typeof compiled !== 'string') return null;
  return {
    position: pattern.token.index,
    problem: compiled,
    fix: 'use an I-Regexp pattern (RFC 9485): no look-around, no back-references',
  };
}

function firstNamesOf(query: Compiled): { readonly name: string; readonly position: number }[] {
  const [first] = query.segments;
  if (first === undefined || first.toString().startsWith('..')) return [];
  const names = first.selectors.filter((selector) => selector instanceof NameSelector);
  return names.length < first.selectors.length
    ? []
    : names.map(({ name, token }) => ({ name, position: token.index }));
}

function findEarlyProblem(text: string): QueryProblem | null {
  if (text.length > subjectLimits.queryChars)
    return {
      position: subjectLimits.queryChars,
      problem: `the query has ${text.length} characters`,
      fix: `write it in at most ${subjectLimits.queryChars}`,
    };
  if (!text.startsWith('$'))
    return { position: 0, problem: 'the query does not start with $', fix: startFix(text) };
  if (text !== text.trimEnd())
    return {
      position: text.trimEnd().length,
      problem: 'the query ends with white space',
      fix: 'remove it',
    };
  return null;
}

function startFix(text: string): string {
  const start = text.trim();
  if (start === '') return 'write a JSONPath query, for example $.output';
  if (start.startsWith('$')) return 'remove the white space before it';
  return /^[A-Za-z_[.]/.test(start)
    ? `write ${JSON.stringify(/^[.[]/.test(start) ? `$${start}` : `$.${start}`)}, or {"value": …} for a constant`
    : 'start with $, for example $.output, or write {"value": …} for a constant';
}

const functions = 'length, count, match, search and value';
/** The fix for an error of the library, by its wording. */
const fixes: readonly (readonly [RegExp, string])[] = [
  [/no such function/, `the functions are ${functions}`],
  [
    /takes \d+ argument|must be of \w+Type/,
    `see RFC 9535, section 2.4, for the arguments of ${functions}`,
  ],
  [/filter selector token '='/, 'compare with =='],
  [/filter selector token '&'/, 'combine conditions with &&'],
  [/filter selector token '\|'/, 'combine conditions with ||'],
  [/not comparable/, 'compare one value: @.name, not @.* or @..name'],
  [/unclosed string/, 'close the quotes'],
  [/unclosed/, 'close the bracket with ]'],
  [/leading zero/, 'write the index without leading zeros'],
  [
    /shorthand selector/,
    "put names with other characters than letters, digits and _ in brackets: $['a-b']",
  ],
];

function explain(text: string, error: JSONPathError): QueryProblem {
  const problem = withoutPlace(error.message).slice(0, 200);
  const fix = fixes.find(([words]) => words.test(problem))?.[1];
  return {
    position: Math.min(Math.max(error.token.index, 0), text.length),
    problem,
    fix: fix ?? 'see RFC 9535 for the syntax, for example $.context[0].content',
  };
}

/** The library appends the position to its messages. */
const withoutPlace = (message: string): string => message.replace(/ \('[^]*':\d+\)$/, '');
