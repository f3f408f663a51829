import { invalid } from '../../platform';
import { type ImportRow, type RowEntry, type RowItem, scalarText } from './row';

/**
 * Files of a row as one text: each in a Markdown block under its path. Null if there are none.
 * @throws AssayError invalid_request
 */
export function filesText(row: ImportRow, place: string, item: RowItem | undefined): string | null {
  const entries = row.entries(place, { item });
  if (entries === null) return null;
  const blocks = entries.map((entry) => {
    const { path, content } = fileOf(row, entry, place);
    const fence = '`'.repeat(
      Math.max(3, ...Array.from(content.matchAll(/`+/g), ([ticks]) => ticks.length + 1)),
    );
    return `${path}\n${fence}${/\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1] ?? ''}\n${content}${content.endsWith('\n') ? '' : '\n'}${fence}`;
  });
  return blocks.length === 0 ? null : blocks.join('\n\n');
}

function fileOf(
  row: ImportRow,
  { key, at }: RowEntry,
  place: string,
): { readonly path: string; readonly content: string } {
  const raw = row.read('@@', { entry: at });
  if (raw?.startsWith('{') !== true)
    return { path: key, content: scalarText(raw, `${place}["${key}"]`) ?? '' };
  const path = scalarText(
    row.read('@@.path', { entry: at }) ?? row.read('@@.name', { entry: at }),
    `${place}[${key}].path`,
  );
  if (path === null) throw invalid(`files: item ${key} at "${place}" has no "path"`);
  return {
    path,
    content: scalarText(row.read('@@.content', { entry: at }), `${place}[${key}].content`) ?? '',
  };
}
