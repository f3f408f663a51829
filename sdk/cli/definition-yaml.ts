import { Document, isScalar, type Scalar, visit } from 'yaml';

/**
 * Order of members in exported definitions: the most important ones first. Other members follow in
 * alphabetical order, so that equal definitions have equal texts.
 */
const order = (
  'slug name kind description targets mapping judge checks function ' +
  'check model fallbacks jury votes criteria examples output ' +
  'label type choices text value weight must_pass ' +
  'language timeout_ms prompt source thresholds'
).split(' ');
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
  // Quoted texts stay on one line: folded ones would lose spaces.
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_VALUE });
}

/**
 * Texts of several lines are block scalars, which people edit and review by line. A block scalar
 * cannot hold a carriage return, a control character, or spaces alone at its start or end.
 */
function scalarType(text: string): Scalar.Type {
  if (!text.includes('\n')) return /[\p{C}\u2028\u2029]/u.test(text) ? 'QUOTE_DOUBLE' : 'PLAIN';
  const isPlain = /^\n*\S/.test(text) && !/\n[ \t]+\n*$/.test(text);
  return isPlain && !/[^\P{C}\n\t]|[\u2028\u2029]/u.test(text) ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE';
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
