import { isUtf8 } from 'node:buffer';
import {
  cleanText,
  intakeLimits,
  isJsonContainer,
  skipSpace,
  skipValue,
  sliceItems,
  sliceMembers,
} from '../../domain';
import { csvCells, cutRows } from '../../ingest';
import {
  asAssayError,
  errorText,
  fieldSentence,
  invalid,
  issueDetails,
  notJson,
  unknownMembers,
} from '../../platform';
import {
  datasetLimits,
  ItemsBatch,
  type ItemsFormat,
  type ItemsMode,
  WireItem,
} from './dataset-input';
import { asBlocks, newItem, type NewItem, readItemContent } from './item';

export interface RejectedItem {
  readonly index: number;
  readonly code: string;
  readonly message: string;
  /** Its own id, if it can be read; the id of its source turn. */
  readonly id: string | null;
}

export interface SentItem {
  readonly index: number;
  readonly item: NewItem;
}

export interface SentItems {
  readonly items: readonly SentItem[];
  readonly rejected: readonly RejectedItem[];
  /** The mode that a JSON body names. */
  readonly mode: ItemsMode | null;
}

/**
 * Reads the items of a request. One bad item never rejects its neighbours.
 * @throws AssayError invalid_request: not JSON, no `items`, no column `input`, too many items
 */
export function readItems(bytes: Buffer, format: ItemsFormat): SentItems {
  if (!isUtf8(bytes)) throw invalid('the body is not UTF-8; save the file as UTF-8');
  if (format === 'json') return readJson(bytes.toString('utf8'));
  const rows = format === 'csv' ? csvRows(bytes) : lineRows(bytes);
  if (rows.length === 0)
    throw invalid(`the body has no items${format === 'csv' ? ' after its header' : ''}`);
  const max = datasetLimits.itemsPerRequest;
  if (rows.length > max)
    throw invalid(
      `the body has ${rows.length} items; at most ${max} are allowed, so send several requests`,
    );
  return { ...readRows(rows), mode: null };
}

function readJson(text: string): SentItems {
  const parsed = parseJson(text);
  const batch = ItemsBatch.safeParse(parsed);
  const faults = [
    ...unknownMembers([ItemsBatch], parsed),
    ...issueDetails(batch.error?.issues ?? []),
  ];
  if (faults[0] !== undefined)
    throw invalid(
      fieldSentence(faults[0]),
      faults.map((fault) =>
        fault.path === '' ? { ...fault, message: fieldSentence(fault) } : fault,
      ),
    );
  const at = sliceMembers(text).get('items');
  const slices = at === undefined ? [] : sliceItems(text, at.start);
  const rows = slices.map(
    ({ start, end }) =>
      () =>
        text.slice(start, end),
  );
  return { ...readRows(rows), mode: batch.data?.mode ?? null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson('the body', text);
  }
}

/** The JSON text of a row's item. @throws AssayError invalid_request */
type Row = () => string;

function readRows(rows: readonly Row[]): Pick<SentItems, 'items' | 'rejected'> {
  const items: SentItem[] = [];
  const rejected: RejectedItem[] = [];
  rows.forEach((row, index) => {
    const read = readRow(row);
    if ('code' in read) rejected.push({ index, ...read });
    else items.push({ index, item: read });
  });
  return { items, rejected };
}

type Refusal = Omit<RejectedItem, 'index'>;

function readRow(row: Row): NewItem | Refusal {
  try {
    return readItem(row());
  } catch (error) {
    const known = asAssayError(error);
    if (known.code !== 'invalid_request') throw error;
    return { code: 'invalid', message: errorText(known).message, id: null };
  }
}

/** An item's JSON text. @throws AssayError invalid_request: not JSON */
export function readItem(raw: string): NewItem | Refusal {
  const { depth } = skipValue(raw, skipSpace(raw, 0));
  if (depth > intakeLimits.depth)
    return {
      code: 'too_deep',
      message: `The item nests ${depth} levels deep; at most ${intakeLimits.depth} are allowed.`,
      id: null,
    };
  const value = parseItem(raw);
  const parsed = WireItem.safeParse(value);
  const faults = [
    ...unknownMembers([WireItem], value),
    ...issueDetails(parsed.error?.issues ?? []),
  ];
  if (faults[0] !== undefined || parsed.data === undefined) {
    const fault = faults[0] ?? { path: '', message: 'is not valid' };
    return { code: 'invalid', message: fieldSentence(fault, 'the item'), id: idOf(value) };
  }
  const { id, split, tags } = parsed.data;
  const content = readItemContent(raw);
  const context = content.context === null ? null : asBlocks(content.context);
  return newItem({ id: id ?? null, split, tags, content: { ...content, context } });
}

function parseItem(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    throw notJson('the item', raw);
  }
}

const idOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
    ? cleanText(value.id).text
    : null;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const comma = 0x2c;

/** The texts of the rows of a file; blank lines are not rows. */
function rowTexts(bytes: Buffer, delimiter: number | null): string[] {
  const body = bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
  const { rows } = cutRows(body, { limit: Number.POSITIVE_INFINITY, isEndOfFile: true, delimiter });
  return rows
    .map(({ start, end }) => body.toString('utf8', start, end))
    .filter((text) => text.trim() !== '');
}

const lineRows = (bytes: Buffer): Row[] => rowTexts(bytes, null).map((text) => () => text);

function csvRows(bytes: Buffer): Row[] {
  const [header, ...rows] = rowTexts(bytes, comma);
  const columns = header === undefined ? [] : csvCells(header, ',').map((name) => name.trim());
  if (!columns.includes('input')) throw invalid(withoutInput(columns).slice(0, 500));
  const unnamed = columns.indexOf('');
  if (unnamed !== -1) throw invalid(`the header has no name for column ${unnamed + 1}`);
  const twice = columns.find((name, at) => columns.indexOf(name) !== at);
  if (twice !== undefined) throw invalid(`the header names the column "${twice}" twice`);
  return rows.map((text) => () => csvItem(csvCells(text, ','), columns));
}

function withoutInput(columns: readonly string[]): string {
  const [first = ''] = columns;
  if (first === '' && columns.length < 2) return 'the body has no header with a column "input"';
  const fault = 'the header has no column "input"';
  if (columns.length === 1 && /[;\t]/.test(first))
    return `${fault}; separate the cells with commas, not with ${first.includes(';') ? 'semicolons' : 'tabs'}`;
  const near = columns.find((name) => name.toLowerCase() === 'input');
  if (near !== undefined) return `${fault}; write "${near}" as "input"`;
  return `${fault}; its columns are ${columns.map((name) => `"${name}"`).join(', ')}`;
}

/** The JSON text of an item; columns with other names become metadata, and empty cells nothing. */
function csvItem(cells: readonly string[], columns: readonly string[]): string {
  if (cells.length !== columns.length)
    throw invalid(`the row has ${cells.length} cells, but the header has ${columns.length}`);
  const members: string[] = [];
  const metadata: string[] = [];
  columns.forEach((name, at) => {
    const cell = cells[at] ?? '';
    if (cell === '') return;
    const read = readCell.get(name);
    if (read === undefined) metadata.push(`${JSON.stringify(name)}:${JSON.stringify(cell)}`);
    else members.push(`"${name}":${read(cell)}`);
  });
  if (metadata.length > 0) members.push(`"metadata":{${metadata.join(',')}}`);
  return `{${members.join(',')}}`;
}

/** A cell is a string, unless it is the text of a JSON object or array. */
const anyJson = (cell: string): string => (isJsonContainer(cell) ? cell : JSON.stringify(cell));

const readCell: ReadonlyMap<string, (cell: string) => string> = new Map([
  ['id', (cell) => JSON.stringify(cell)],
  ['input', anyJson],
  ['reference', anyJson],
  ['context', (cell) => (isJsonList(cell) ? cell : JSON.stringify(cell))],
  ['tools', (cell) => (isJsonContainer(cell) ? cell : JSON.stringify(cell))],
  ['tags', (cell) => (isJsonList(cell) ? cell : JSON.stringify(namesIn(cell)))],
  ['split', (cell) => JSON.stringify(cell)],
]);

const isJsonList = (cell: string): boolean => /^\s*\[/.test(cell) && isJsonContainer(cell);

/** Names between commas or semicolons. */
const namesIn = (cell: string): string[] =>
  cell
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
