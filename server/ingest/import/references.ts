import { invalid } from '../../platform';
import type { ImportMapping } from './mapping';

/**
 * The text of a JSON row with referenced texts in place of their names; everything else stays as
 * sent, so that digits survive.
 * @throws AssayError invalid_request (a name without a text)
 */
export function withReferences(row: string, references: ImportMapping['references']): string {
  if (references === undefined || !row.includes(`"${references.member}"`)) return row;
  const { member, texts } = references;
  // A quote inside a string is escaped by a backslash, so only a member's own name begins with an
  // unescaped one. A name has a limit: each of its characters takes room on the engine's stack.
  const named = new RegExp(String.raw`(?<!\\)"${member}"\s*:\s*("(?:[^"\\]|\\.){0,10000}")`, 'g');
  return row.replaceAll(named, (_whole, name: string) => {
    const id = JSON.parse(name) as string;
    const text = Object.hasOwn(texts, id) ? texts[id] : undefined;
    if (text === undefined)
      throw invalid(
        `${member}: names "${id.slice(0, 100)}", which "references.texts" of the mapping lacks; add it there`,
      );
    return `"${member.slice(0, -'_ref'.length)}":${JSON.stringify(text)}`;
  });
}
