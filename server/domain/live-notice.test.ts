import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  liveTopics,
  readChangeNotice,
  readLiveNotice,
  topicOfAction,
  writeChangeNotice,
  writeLiveNotice,
} from './live-notice';

test('a notice of verdicts and labels is read as it was written; counts that are left out are 0', () => {
  const notice = { projectId: 'prj_1', settled: 3, labelled: 2 };
  expect(readLiveNotice(writeLiveNotice(notice))).toEqual(notice);
  expect(readLiveNotice('prj_1 4')).toEqual({ projectId: 'prj_1', settled: 4, labelled: 0 });
});

test('a notice of a change names each topic once, in one order, and words of another release are left out', () => {
  const text = writeChangeNotice({
    projectId: 'prj_1',
    topics: ['thresholds', 'audit', 'thresholds'],
  });
  expect(text).toBe('prj_1 audit thresholds');
  expect(readChangeNotice(`${text} horoscopes`)).toEqual({
    projectId: 'prj_1',
    topics: ['audit', 'thresholds'],
  });
  expect(readChangeNotice('')).toEqual({ projectId: '', topics: [] });
});

/**
 * Events without a project, or about one being created or deleted: no open page of a project shows
 * them.
 */
const withoutTopic = new Set(['accounts']);
/** Field paths in refused input, which have the same form. */
const fields = new Set(['config', 'judge', 'function', 'target']);

test('every audited action of this release changes a topic, so that no page misses it', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const rooms = new Set<string>();
  for (const file of files) {
    const text = readFileSync(`server/${file}`, 'utf8');
    if (!text.includes('recordAudit(')) continue;
    for (const [, room = ''] of text.matchAll(/(?<!path: )'([a-z]+)\.[a-zA-Z_]+'/g))
      rooms.add(room);
    for (const [, room = ''] of text.matchAll(/(?<!path: )`([a-z]+)\.\$\{/g)) rooms.add(room);
  }
  expect(rooms.size).toBeGreaterThan(15);
  expect(
    [...rooms].filter(
      (room) =>
        topicOfAction(`${room}.do`) === null && !withoutTopic.has(room) && !fields.has(room),
    ),
  ).toEqual([]);
  expect(liveTopics.map((topic) => topicOfAction(`${topic}.do`))).toEqual([...liveTopics]);
});
