import type { RuleBody } from '@/server/rules/input';

type Block = RuleBody['sources']['blocks'][number];

/**
 * Named blocks as people write them, one per line: `<context>` a tag, `# Sources` a heading, `[[ …
 * ]]` two delimiters, `/pattern/` an RE2 pattern; `user: ` or `system: ` before it for messages of
 * that role alone. Blocks that do not fit this format are written as JSON.
 */
export function linesOf(blocks: readonly Block[]): string {
  return blocks.map(lineOf).join('\n');
}

export const sourceBlocksRule =
  'One block per line, at most 20: <tag>, # Heading, start … end (200 characters each), or /RE2 pattern/ (300).';

/**
 * The blocks of a text; an unreadable line stays unchanged, and the settings' schema rejects it.
 */
export function blocksOf(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => readLine(line.trim()));
}

function lineOf(block: Block): string {
  const line = `${block.roles.length === 1 ? `${block.roles.join('')}: ` : ''}${wordsOf(block)}`;
  // The order of roles does not matter.
  const reparsed = { ...(readLine(line.trim()) as Block), roles: block.roles };
  return sorted(reparsed) === sorted(block) ? line : JSON.stringify(block);
}

const sorted = (block: Block): string =>
  JSON.stringify(Object.entries(block).toSorted(([a], [b]) => a.localeCompare(b)));

function wordsOf(block: Block): string {
  if (block.by === 'tag') return `<${block.tag}>`;
  if (block.by === 'heading') return `# ${block.heading}`;
  if (block.by === 'pattern') return `/${block.pattern}/`;
  return block.end === null ? `${block.start} …` : `${block.start} … ${block.end}`;
}

function readLine(line: string): unknown {
  if (line.startsWith('{')) return parsed(line);
  const role = /^(system|user): /.exec(line)?.[1];
  const roles = role === undefined ? ['system', 'user'] : [role];
  const words = role === undefined ? line : line.slice(role.length + 2).trim();
  const tag = /^<([^<>\s]+)>$/.exec(words)?.[1];
  if (tag !== undefined) return { by: 'tag', tag, roles };
  if (/^#+\s/.test(words)) return { by: 'heading', heading: words.replace(/^#+\s+/, ''), roles };
  if (words.length > 2 && words.startsWith('/') && words.endsWith('/'))
    return { by: 'pattern', pattern: words.slice(1, -1), roles };
  const at = words.indexOf(' …');
  if (at === -1) return words;
  const end = words.slice(at + 2).trim();
  return { by: 'delimiters', start: words.slice(0, at), end: end === '' ? null : end, roles };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return line;
  }
}
