import type { DatasetItem } from '@/app/_trpc/outputs';
import { titleLine } from '@/server/domain';
import { jsonLines } from '../verdicts/[id]/json-lines';

type Content = DatasetItem['content'];

const members = ['input', 'context', 'tools', 'reference', 'metadata'] as const;
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of a message's content: a string, or the first part that has text. */
function messageText(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  for (const part of content) {
    if (typeof part === 'string') return part;
    if (isObject(part) && typeof part['text'] === 'string') return part['text'];
  }
  return null;
}

/** The latest message of a user, else the latest message. */
function questionText(messages: readonly unknown[]): string | null {
  const all = messages.filter(isObject);
  const question = all.findLast(({ role }) => role === 'user') ?? all.at(-1);
  return question === undefined ? null : messageText(question['content']);
}

/** One line of a value that is stored as JSON text: of its text, or of the JSON itself. */
export function valueLine(json: string | null): string {
  if (json === null) return '';
  const value = parsed(json);
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? questionText(value)
        : isObject(value) && Array.isArray(value['messages'])
          ? questionText(value['messages'])
          : null;
  return titleLine(text ?? json.replace(/\s+/g, ' ')) ?? '';
}

/** The title of an item. */
export const inputLine = ({ input }: Content): string => valueLine(input) || 'Empty input';

/** JSON text with one member per line, and digits and escapes as stored. */
function prettyJson(json: string): string {
  return jsonLines(json)
    .map(({ indent, pieces }) => '  '.repeat(indent) + pieces.map(({ text }) => text).join(''))
    .join('\n');
}

function objectText(entries: readonly (readonly [string, string])[]): string {
  return prettyJson(`{${entries.map(([name, json]) => `"${name}":${json}`).join(',')}}`);
}

const entriesOf = (content: Content): (readonly [string, string])[] =>
  members.flatMap((name) => {
    const json = content[name];
    return json === null ? [] : [[name, json] as const];
  });

/** The content of an item for the editor. */
export const contentText = (content: Content): string => objectText(entriesOf(content));

/** Everything that a person can change in an item, to compare two states of it. */
export function stateText({
  content,
  split,
  tags,
}: Pick<DatasetItem, 'content' | 'split' | 'tags'>): string {
  return objectText([
    ...entriesOf(content),
    ...(split === null ? [] : [['split', JSON.stringify(split)] as const]),
    ...(tags.length === 0 ? [] : [['tags', JSON.stringify(tags)] as const]),
  ]);
}

/** Tags between commas. */
export const readTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
