import { Document, isScalar, type Scalar, visit } from 'yaml';

/**
 * Order of members in exported definitions: what a reader needs first. Other members follow in
 * alphabetical order, so that equal definitions have equal texts.
 */
const order = [
  ...['slug', 'name', 'kind', 'description', 'targets', 'mapping', 'judge', 'checks', 'function'],
  ...['check', 'model', 'fallbacks', 'jury', 'votes', 'criteria', 'examples', 'output'],
  ...['label', 'type', 'choices', 'text', 'value', 'weight', 'must_pass'],
  ...['language', 'timeout_ms', 'prompt', 'source', 'thresholds'],
];
const ranks: ReadonlyMap<string, number> = new Map(order.map((name, at) => [name, at]));

/** A definition as YAML that `assay verifiers apply` reads back without any difference. */
export function definitionYaml(definition: Readonly<Record<string, unknown>>): string {
  const document = new Document(sortMembers(definition), {
    version: '1.2',
    schema: 'core',
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string') node.type = scalarType(node.value);
    },
  });
  return document.toString({ lineWidth: 0 });
}

/**
 * Texts of several lines are block scalars, which people edit and review by line. A block scalar
 * cannot hold a carriage return or a control character.
 */
function scalarType(text: string): Scalar.Type {
  if (!text.includes('\n')) return /[\p{C}\u2028\u2029]/u.test(text) ? 'QUOTE_DOUBLE' : 'PLAIN';
  return /[^\P{C}\n\t]|[\u2028\u2029]/u.test(text) ? 'QUOTE_DOUBLE' : 'BLOCK_LITERAL';
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).toSorted(([one], [other]) => compare(one, other));
  return Object.fromEntries(sorted.map(([name, member]) => [name, sortMembers(member)]));
}

function compare(one: string, other: string): number {
  const byRank = (ranks.get(one) ?? order.length) - (ranks.get(other) ?? order.length);
  return byRank !== 0 ? byRank : one < other ? -1 : 1;
}
