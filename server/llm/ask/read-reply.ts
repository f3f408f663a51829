import { sliceItems, sliceMembers } from '../../domain';
import type { ModelResult } from './model';

/**
 * The text of a reply, as received. Tool calls are not text: judges have no tools (S-37). If
 * Anthropic is made to answer through a `json` tool, the SDK returns the result of JSON.parse,
 * which loses duplicate keys and 1e309, so the text is taken from the body, character by character.
 */
export function readReplyText(result: ModelResult, body: string | null): string {
  const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return (body === null ? null : readToolInput(body)) ?? text;
}

/**
 * Inputs of all calls of the tool `json` in the body of an Anthropic message; null if there is
 * none.
 */
function readToolInput(body: string): string | null {
  const content = sliceMembers(body).get('content');
  if (content === undefined) return null;
  const inputs = sliceItems(body, content.start).flatMap((item) => {
    const block = body.slice(item.start, item.end);
    const members = sliceMembers(block);
    const token = (name: string): string => {
      const at = members.get(name);
      return at === undefined ? '' : block.slice(at.start, at.end);
    };
    return token('type') === '"tool_use"' && token('name') === '"json"' ? [token('input')] : [];
  });
  return inputs.length === 0 ? null : inputs.join('');
}

/** A provider's token count; null if the value cannot be a count. */
export function readTokens(count: number | undefined): number | null {
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 && count <= 1_000_000_000
    ? count
    : null;
}
