import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveEvent } from './live-feed';
import { createLiveReader, readerTimes } from './live-reader';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const event = (changed: LiveEvent['changed']): LiveEvent => ({
  settled: 0,
  labelled: 0,
  changed,
  missed: false,
});
const key = (room: string, name: string, project = 'ops') => [
  [room, name],
  { input: { project }, type: 'query' },
];

/** A page with two parts, whose data came with the server's render. */
function createPage() {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000 } } });
  const reader = createLiveReader(queries, 'ops');
  const reads: string[] = [];
  const refresh = vi.fn<() => void>();
  const mountPart = (queryKey: readonly unknown[], initialData?: string): void => {
    const options = {
      queryKey,
      queryFn: () => reads.push(JSON.stringify(queryKey[0])),
      ...(initialData !== undefined && { initialData }),
    };
    new QueryObserver(queries, options as never).subscribe(() => undefined);
  };
  return { queries, reader, reads, refresh, mountPart, rest: reader.watch() };
}

const settle = () => vi.advanceTimersByTimeAsync(readerTimes.readMs * 3);

test('11.4 a change announced before a part of the page mounted reloads that part, and no other', async () => {
  const { reader, reads, refresh, mountPart } = createPage();
  reader.handleEvent(event(['thresholds']), refresh);
  await settle();
  expect(reads).toEqual([]);
  mountPart(key('thresholds', 'list'), 'from the server');
  mountPart(key('keys', 'list'), 'from the server');
  mountPart(key('thresholds', 'list', 'other'), 'from the server');
  await settle();
  expect(reads).toEqual(['["thresholds","list"]']);
});

test('11.4 parts that mount after the stream opened are reloaded once: earlier changes were announced to no one', async () => {
  const { reader, reads, refresh, mountPart } = createPage();
  mountPart(key('keys', 'list'), 'from the server');
  reader.handleEvent(null, refresh);
  await settle();
  mountPart(key('thresholds', 'list'), 'from the server');
  mountPart(key('prompts', 'body'), 'never changes');
  await settle();
  expect(reads).toEqual(['["keys","list"]', '["thresholds","list"]']);
});

test('old changes, and queries that are loading anyway, cause no second load', async () => {
  const { reader, reads, refresh, mountPart } = createPage();
  reader.handleEvent(event(['thresholds', 'keys']), refresh);
  await settle();
  mountPart(key('keys', 'list'));
  await settle();
  expect(reads).toEqual(['["keys","list"]']);
  await vi.advanceTimersByTimeAsync(readerTimes.arrivalMs);
  mountPart(key('thresholds', 'list'), 'from the server');
  await settle();
  expect(reads).toHaveLength(1);
});

test('a page restored by Back is reloaded', async () => {
  const { reader, reads, mountPart, rest } = createPage();
  reader.markStale();
  mountPart(key('thresholds', 'list'), 'of an hour ago');
  await settle();
  expect(reads).toEqual(['["thresholds","list"]']);
  rest();
  mountPart(key('keys', 'list'), 'nobody watches');
  await settle();
  expect(reads).toHaveLength(1);
});

test('11.4 a list is asked to reload itself, and the page only for server-rendered parts', async () => {
  const { reader, refresh, reads, queries } = createPage();
  const pages = [...key('audit', 'list'), 'pages'];
  queries.setQueryData(pages, 'a list');
  const reread = vi.fn<() => void>();
  const remove = reader.addList(() => ({ key: pages, reread }));
  reader.handleEvent(event(['audit']), refresh);
  await settle();
  expect([reread.mock.calls.length, refresh.mock.calls.length, reads.length]).toEqual([1, 0, 0]);
  remove();
  reader.handleEvent(event(['audit', 'thresholds']), refresh);
  await settle();
  expect([reread.mock.calls.length, refresh.mock.calls.length]).toEqual([1, 1]);
});
