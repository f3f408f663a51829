import { z } from 'zod';

/** The member `fenced` of checks that parse a text. */
export const fencedMember = z
  .boolean()
  .default(false)
  .describe('Also accepts a text that is one fenced code block.');

/** The content of a text that is one fenced code block; any other text stays unchanged. */
export function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return text;
  const first = trimmed.indexOf('\n');
  return first === -1 || first > trimmed.length - 4 ? text : trimmed.slice(first + 1, -3);
}

/** Shows the message of a parser on one line. */
export const shortMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 200) ?? '';
