import type { Contract } from '../../domain';
import { findFramework } from '../frameworks';

/** Maximum number of items of one kind, since a model reads the whole prompt. */
const ITEMS_MAX = 40;

/**
 * The contract as text for the model's system prompt (QEL-11). Names come from the request, which
 * the model reads anyway; each is on its own line. Empty without deliverables.
 */
export function promptBlock(contract: Contract): string {
  if (!contract.active) return '';
  const { deliverables, patterns, expectedElements, gates } = contract;
  const expected = new Map(Object.entries(expectedElements));
  const files = deliverables.map((path) => {
    const count = expected.get(path);
    return count === undefined ? path : `${path} (at least ${count} functions, classes or routes)`;
  });
  const itemsOf = (kind: 'hard' | 'soft'): string[] =>
    patterns
      .filter((each) => each.kind === kind)
      .map(({ pattern, path }) => (path === null ? pattern : `${pattern} (in ${path})`));
  const parts = [
    section('Write these files, each complete:', files),
    contract.framework === null ? [] : [frameworkLine(contract.framework)],
    section('The code must contain:', itemsOf('hard')),
    section('The code should contain:', itemsOf('soft')),
    section('It will be checked with:', gates),
    ['Leave no empty function, no TODO and no placeholder. Commented-out code does not count.'],
  ];
  return [
    'TASK CONTRACT',
    ...parts.filter((part) => part.length > 0).map((part) => part.join('\n')),
  ].join('\n\n');
}

function section(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const more = items.length - ITEMS_MAX;
  return [
    title,
    ...items.slice(0, ITEMS_MAX).map((item) => `- ${oneLine(item)}`),
    ...(more > 0 ? [`- and ${more} more that the request names`] : []),
  ];
}

function frameworkLine(name: string): string {
  const rivals = findFramework(name)?.rivals ?? [];
  const language = findFramework(name)?.language;
  const near = rivals.filter((rival) => findFramework(rival)?.language === language);
  return near.length === 0 ? `Use ${name}.` : `Use ${name}, and none of ${near.join(', ')}.`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
