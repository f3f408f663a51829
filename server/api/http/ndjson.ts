import type { Context } from 'hono';
import { sliceItems, sliceMembers } from '../../domain';
import type { Route } from './route';

const media = 'application/x-ndjson';
/** Rows read at once; a client's own `limit` takes precedence. */
const pageRows = '50';

/** Whether a route answers with a page of a list. */
export const isListRoute = ({ method, answers }: Route): boolean => {
  const answer = answers[200];
  return (
    method === 'get' &&
    answer != null &&
    'shape' in answer &&
    typeof answer.shape === 'object' &&
    answer.shape !== null &&
    'data' in answer.shape &&
    'next_cursor' in answer.shape
  );
};

interface Page {
  /** The JSON text of each row. */
  readonly rows: readonly string[];
  readonly cursor: string | null;
}

/** Rows stay text, since parsing would change digits. */
function readPage(text: string): Page {
  const members = sliceMembers(text);
  const data = members.get('data');
  const cursor = members.get('next_cursor');
  if (data === undefined || cursor === undefined) throw new Error('the answer is no list');
  return {
    rows: sliceItems(text, data.start).map(({ start, end }) => text.slice(start, end)),
    cursor: JSON.parse(text.slice(cursor.start, cursor.end)) as string | null,
  };
}

/**
 * Answers `Accept: application/x-ndjson` with all rows of a list, one a line, page by page
 * (online.md 5). The first page decides the status; if a later one fails, the connection is cut, so
 * that no part of a list looks like all of it.
 */
export function withNdjson(
  route: Route,
  answer: (c: Context) => Promise<Response>,
  readPageOf: (request: Request) => Response | Promise<Response>,
): (c: Context) => Promise<Response> {
  const isPaged = route.query !== undefined && 'limit' in route.query.shape;
  return async (c) => {
    if (c.req.header('accept')?.includes(media) !== true) return answer(c);
    const pageOf = async (cursor: string | null): Promise<Response> => {
      const url = new URL(c.req.url);
      if (isPaged && !url.searchParams.has('limit')) url.searchParams.set('limit', pageRows);
      if (cursor !== null) url.searchParams.set('cursor', cursor);
      const headers = new Headers(c.req.raw.headers);
      headers.set('accept', 'application/json');
      return readPageOf(new Request(url, { headers, signal: c.req.raw.signal }));
    };
    const first = await pageOf(null);
    if (first.status !== 200) return first;
    let page: Page | null = readPage(await first.text());
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (page === null) return controller.close();
        const { rows, cursor } = page;
        controller.enqueue(encoder.encode(rows.map((row) => `${row}\n`).join('')));
        if (cursor === null) {
          page = null;
          return controller.close();
        }
        const following = await pageOf(cursor);
        if (following.status !== 200)
          throw new Error(`a page of the list could not be read: status ${following.status}`);
        page = readPage(await following.text());
      },
    });
    const headers = new Headers(first.headers);
    headers.set('content-type', media);
    headers.delete('content-length');
    return new Response(body, { headers });
  };
}
