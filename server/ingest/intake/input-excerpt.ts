import { cleanText, titleLine } from '../../domain';

/**
 * The title of a turn in lists: the first line of the caller's last message, at most 201 UTF-16
 * units; null without one. Of content in parts, the first text counts.
 */
export function inputExcerptOf(
  input:
    | string
    | readonly { readonly role: string; readonly content?: unknown }[]
    | null
    | undefined,
): string | null {
  if (typeof input === 'string') return storableLine(input);
  for (const { role, content } of input?.toReversed() ?? []) {
    const line = role === 'user' ? storableLine(textOf(content)) : null;
    if (line !== null) return line;
  }
  return null;
}

function storableLine(text: string): string | null {
  const line = titleLine(text);
  return line === null ? null : cleanText(line).text;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  for (const part of content as readonly unknown[]) {
    const text = typeof part === 'object' && part !== null && 'text' in part ? part.text : part;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return '';
}
