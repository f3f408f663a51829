import { VisibleText } from '@/app/_ui/visible-text';
import { type DiffLine, type DiffRow, foldSame } from './diff-lines';

const changeStyles = {
  same: { sign: '', word: '', row: '', changed: '' },
  removed: {
    sign: '−',
    word: 'Removed',
    row: 'bg-sunken text-ink-2',
    changed: 'line-through decoration-2',
  },
  added: {
    sign: '+',
    word: 'Added',
    row: 'bg-accent-wash',
    changed: 'underline decoration-2 underline-offset-2 font-semibold',
  },
} as const;

/** The lines of `diffLines`, with long unchanged parts collapsed. */
export function DiffTable({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  const count = (state: DiffLine['state']) => lines.filter((line) => line.state === state).length;
  const rows = foldSame(lines);
  return (
    <>
      <p className="text-ink-2 px-4 pt-2" role="status">
        {plural(count('added'), 'line')} added, {plural(count('removed'), 'line')} removed.
      </p>
      <div className="overflow-x-auto py-2">
        <table aria-label={label} className="text-12 w-full border-collapse font-mono">
          <thead className="sr-only">
            <tr>
              {['Line before', 'Line after', 'Change', 'Text'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <DiffTableRow key={index} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function DiffTableRow({ row }: { row: DiffRow }) {
  if (row.state === 'fold') {
    return (
      <tr>
        <td colSpan={4} className="text-ink-3 px-4 py-1 font-sans">
          {plural(row.count, 'line')} unchanged
        </td>
      </tr>
    );
  }
  const { sign, word, row: rowClass, changed } = changeStyles[row.state];
  return (
    <tr className={rowClass}>
      <td className="text-ink-3 w-10 pl-4 text-right align-top">{row.before}</td>
      <td className="text-ink-3 w-10 pl-2 text-right align-top">{row.after}</td>
      <td className="w-8 px-2 text-center align-top font-semibold">
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{word}</span>
      </td>
      <td className="pr-4 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]">
        {row.pieces.map((piece, index) => (
          <span key={index} className={piece.changed ? changed : undefined}>
            <VisibleText text={piece.text} />
          </span>
        ))}
      </td>
    </tr>
  );
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
