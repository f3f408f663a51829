export type ItemsFormat = 'json' | 'jsonl' | 'csv';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The format that a pasted text or a file has; lines of objects are JSON lines. */
export function detectFormat(text: string): ItemsFormat {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('[')) return 'json';
  if (!start.startsWith('{')) return 'csv';
  return parsed(start) === undefined ? 'jsonl' : 'json';
}

/**
 * The body to send. A list, and an object that is an item, are put into `{"items": […]}` as text, so
 * that digits stay as written.
 */
export function bodyOf(text: string, format: ItemsFormat): string {
  if (format !== 'json') return text;
  const body = text.replace(/^\uFEFF/, '').trim();
  if (body.startsWith('[')) return `{"items":${body}}`;
  const value = parsed(body);
  return isObject(value) && !('items' in value) ? `{"items":[${body}]}` : body;
}
