/** Edits of cells of a Jupyter notebook (nbformat 4). */
import { z } from 'zod';
import { EditProblem, type Workspace } from './workspace';

const Cell = z.looseObject({ cell_type: z.string(), id: z.string().optional() });
const Notebook = z.looseObject({ cells: z.array(Cell) });

export interface CellEdit {
  readonly mode: 'replace' | 'insert' | 'delete';
  /** The cell's id or `cell-<index>`; for an insertion, the cell before it. */
  readonly cell: string | number | null;
  readonly source: string;
  readonly type: string | null;
}

export function editNotebook(workspace: Workspace, path: string, edit: CellEdit): void {
  const text = workspace.contentOf(path);
  const notebook = readNotebook(path, text);
  const { cells } = notebook;
  const at = findCell(cells, edit.cell);
  if (edit.mode === 'insert') {
    if (edit.cell !== null && at === -1) throw noCell(path, edit.cell);
    const place = typeof edit.cell === 'number' ? at : at + 1;
    cells.splice(place, 0, newCell(edit.type ?? 'code', edit.source));
  } else {
    const cell = cells[at];
    if (cell === undefined) throw noCell(path, edit.cell);
    if (edit.mode === 'delete') cells.splice(at, 1);
    else cells[at] = replaced(cell, edit);
  }
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? ' ';
  workspace.write(
    path,
    `${JSON.stringify(notebook, null, indent)}${text.endsWith('\n') ? '\n' : ''}`,
  );
}

function readNotebook(path: string, text: string): z.infer<typeof Notebook> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new EditProblem(path, 'its content is no notebook: it is no JSON');
  }
  const read = Notebook.safeParse(value);
  if (!read.success) throw new EditProblem(path, 'its content is no notebook: it has no cells');
  return read.data;
}

function findCell(cells: readonly z.infer<typeof Cell>[], cell: CellEdit['cell']): number {
  if (cell === null) return -1;
  if (typeof cell === 'number') return cell >= 0 && cell <= cells.length ? cell : -1;
  const byId = cells.findIndex(({ id }) => id === cell);
  const index = /^(?:cell-)?(\d+)$/.exec(cell)?.[1];
  return byId === -1 && index !== undefined && Number(index) < cells.length ? Number(index) : byId;
}

const noCell = (path: string, cell: CellEdit['cell']): EditProblem =>
  new EditProblem(path, `it has no cell ${JSON.stringify(cell)}`);

function newCell(type: string, source: string): z.infer<typeof Cell> {
  const cell = { cell_type: type, metadata: {}, source };
  return type === 'code' ? { ...cell, execution_count: null, outputs: [] } : cell;
}

function replaced(cell: z.infer<typeof Cell>, edit: CellEdit): z.infer<typeof Cell> {
  const type = edit.type ?? cell.cell_type;
  const changed = { ...cell, cell_type: type, source: edit.source };
  return type === 'code' ? { ...changed, execution_count: null, outputs: [] } : changed;
}
