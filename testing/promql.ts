import { parser } from '@prometheus-io/lezer-promql';

type Node = ReturnType<ReturnType<typeof parser.parse>['cursor']>['node'];

/** A metric of an expression, with the conditions on its labels. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly {
    readonly label: string;
    readonly operator: string;
    readonly value: string;
  }[];
}

/** Labels of a `by`, `without`, `on` or `ignoring`, with the selectors that must have them. */
export interface Grouping {
  readonly labels: readonly string[];
  readonly selectors: readonly Selector[];
}

/** The reads of a PromQL expression. */
export interface Reads {
  readonly selectors: readonly Selector[];
  readonly groupings: readonly Grouping[];
}

/** @throws Error if it is not valid PromQL, with the position of the fault */
export function readPromql(expr: string): Reads {
  const { topNode } = parser.parse(expr);
  const selectors: Selector[] = [];
  const groupings: Grouping[] = [];
  topNode.cursor().iterate((ref) => {
    if (ref.type.isError) throw new Error(`no valid PromQL at ${ref.from}: ${expr}`);
    if (ref.name === 'VectorSelector') selectors.push(readSelector(ref.node, expr));
    if (ref.name === 'GroupingLabels') {
      const scope = findScope(ref.node);
      groupings.push({
        labels: textsOf(ref.node, 'LabelName', expr),
        selectors: nodesIn(scope, 'VectorSelector').map((node) => readSelector(node, expr)),
      });
    }
  });
  if (selectors.length === 0) throw new Error(`reads no metric: ${expr}`);
  return { selectors, groupings };
}

/** The expression that a modifier belongs to. */
function findScope(node: Node): Node {
  let scope: Node | null = node;
  while (scope !== null && !['AggregateExpr', 'BinaryExpr'].includes(scope.name))
    scope = scope.parent;
  if (scope === null) throw new Error('a modifier outside of an expression');
  return scope;
}

function readSelector(node: Node, expr: string): Selector {
  return {
    metric: textsOf(node, 'Identifier', expr)[0] ?? '',
    matchers: nodesIn(node, 'UnquotedLabelMatcher').map((matcher) => ({
      label: textsOf(matcher, 'LabelName', expr)[0] ?? '',
      operator: textsOf(matcher, 'MatchOp', expr)[0] ?? '',
      value: textsOf(matcher, 'StringLiteral', expr)[0]?.slice(1, -1) ?? '',
    })),
  };
}

function nodesIn(node: Node, name: string): Node[] {
  const found: Node[] = [];
  node.cursor().iterate((ref) => {
    if (ref.name === name) found.push(ref.node);
  });
  return found;
}

const textsOf = (node: Node, name: string, expr: string): string[] =>
  nodesIn(node, name).map(({ from, to }) => expr.slice(from, to));

/** Metrics with the values of their labels, as `/metrics` exports them. */
export type Exported = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Reads the text format 0.0.4 of Prometheus, without escapes in label values. */
export function readExported(text: string): Exported {
  const exported = new Map<string, Map<string, Set<string>>>();
  for (const line of text.split('\n')) {
    const [, metric, pairs = ''] = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (metric === undefined) continue;
    const labels = exported.get(metric) ?? new Map<string, Set<string>>();
    exported.set(metric, labels);
    for (const [, label = '', value = ''] of pairs.matchAll(/(\w+)="([^"]*)"/g))
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
  }
  return exported;
}

/** Labels that Prometheus adds to each sample of a target. */
const ofTarget = ['job', 'instance'];

/** The metrics that an expression reads and that are not exported; empty if there are none. */
export function findMissing(expr: string, exported: Exported): readonly string[] {
  const { selectors, groupings } = readPromql(expr);
  const labelsOf = (metric: string): ReadonlyMap<string, ReadonlySet<string>> =>
    // `up` is made by Prometheus for each target.
    metric === 'up' ? new Map() : (exported.get(metric) ?? new Map());
  return [
    ...selectors.flatMap(({ metric, matchers }) => [
      ...(metric === 'up' || exported.has(metric) ? [] : [metric]),
      ...matchers
        .filter(({ label, operator, value }) => {
          if (ofTarget.includes(label)) return false;
          const values = labelsOf(metric).get(label);
          return values === undefined || (operator === '=' && !values.has(value));
        })
        .map(({ label, operator, value }) => `${metric}{${label}${operator}"${value}"}`),
    ]),
    ...groupings.flatMap(({ labels, selectors: inside }) =>
      labels
        .filter((label) => !ofTarget.includes(label))
        .flatMap((label) =>
          inside
            .filter(({ metric }) => !labelsOf(metric).has(label))
            .map(({ metric }) => `${metric} by ${label}`),
        ),
    ),
  ];
}
