import type { Context } from 'hono';
import { sliceItems, sliceMembers } from '../../domain';
import type { Route } from './route';

const media = 'application/x-ndjson';
/** The stream's media type: one page as lines, converted where the page is read. */
const pageMedia = `${media};page=1`;
const cursorHeader = 'x-assay-next-cursor';
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

/**
 * A page as lines, with its cursor in a header. Rows stay text, since parsing would change digits.
 * A thread that has read the page has converted it already.
 */
async function asLines(page: Response): Promise<Response> {
  if (page.status !== 200 || page.headers.get('content-type') === media) return page;
  const text = await page.text();
  const members = sliceMembers(text);
  const data = members.get('data');
  const cursor = members.get('next_cursor');
  if (data === undefined || cursor === undefined) throw new Error('the answer is no list');
  const next = JSON.parse(text.slice(cursor.start, cursor.end)) as string | null;
  const lines = sliceItems(text, data.start).map(({ start, end }) => `${text.slice(start, end)}\n`);
  const headers = new Headers(page.headers);
  headers.set('content-type', media);
  headers.delete('content-length');
  if (next !== null) headers.set(cursorHeader, next);
  return new Response(lines.join(''), { headers });
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
    const accept = c.req.header('accept') ?? '';
    if (!accept.includes(media)) return answer(c);
    if (accept === pageMedia) return asLines(await answer(c));
    const pageOf = async (cursor: string | null): Promise<Response> => {
      const url = new URL(c.req.url);
      if (isPaged && !url.searchParams.has('limit')) url.searchParams.set('limit', pageRows);
      if (cursor !== null) url.searchParams.set('cursor', cursor);
      const headers = new Headers(c.req.raw.headers);
      headers.set('accept', pageMedia);
      return readPageOf(new Request(url, { headers, signal: c.req.raw.signal }));
    };
    const first = await pageOf(null);
    if (first.status !== 200) return first;
    let page: Response | null = first;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (page === null) return controller.close();
        controller.enqueue(new Uint8Array(await page.arrayBuffer()));
        const cursor = page.headers.get(cursorHeader);
        page = cursor === null ? null : await pageOf(cursor);
        if (page !== null && page.status !== 200)
          throw new Error(`a page of the list could not be read: status ${page.status}`);
      },
    });
    const headers = new Headers(first.headers);
    headers.delete('content-length');
    headers.delete(cursorHeader);
    return new Response(body, { headers });
  };
}
