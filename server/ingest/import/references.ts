import { invalid } from '../../platform';
import type { ImportMapping } from './mapping';

/**
 * The text of a JSON row with the texts that it names in place of their names; all else stays as
 * sent, so that digits survive.
 * @throws AssayError invalid_request (a name that no text has)
 */
export function withReferences(row: string, references: ImportMapping['references']): string {
  if (references === undefined || !row.includes(`"${references.member}"`)) return row;
  const { member, texts } = references;
  // A quote within a string has a backslash before it, so that only a member's own name begins with
  // a plain one.
  const named = new RegExp(String.raw`(?<!\\)"${member}"\s*:\s*("(?:[^"\\]|\\.)*")`, 'g');
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
