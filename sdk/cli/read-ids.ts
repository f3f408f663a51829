import { CliFailure } from './failure';
import { readTurns } from './read-turns';

/**
 * Ids of turns: one per line, the output of `assay send --json`, or turns with ids.
 *
 * @throws CliFailure on a turn without an id
 */
export function readIds(file: string): string[] {
  const text = file.replace(/^\uFEFF/, '').trim();
  if (!/^[[{]/.test(text)) {
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }
  const printed = idsOf(text);
  if (printed !== null) return printed;
  const { turns, bad } = readTurns(text, {}, () => '');
  const nameless = turns.find(({ id }) => id === '');
  const [fault] = bad;
  if (fault !== undefined) throw new CliFailure(`Line ${fault.line} of the file: ${fault.message}`);
  if (nameless !== undefined)
    throw new CliFailure(
      `Line ${nameless.line} has a turn without an id, which cannot be looked up`,
    );
  return turns.map(({ id }) => id);
}

function idsOf(text: string): string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const ids: unknown =
      typeof value === 'object' && value !== null && 'ids' in value ? value.ids : value;
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : null;
  } catch {
    return null;
  }
}
