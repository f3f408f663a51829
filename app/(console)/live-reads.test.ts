import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { liveTopics } from '@/server/domain';
import { isLive, isAffected, liveReads, type ReadTopic } from './live-reads';

const key = (room: string, name: string, project = 'ops') => [
  [room, name],
  { input: { project }, type: 'query' },
];

test('11.4 a query is reloaded when its data changes, in its project alone', () => {
  const cases: readonly (readonly [readonly unknown[], ReadTopic, boolean])[] = [
    [key('thresholds', 'list'), 'thresholds', true],
    [[...key('audit', 'list'), 'pages'], 'audit', true],
    [key('thresholds', 'list'), 'rules', false],
    [key('thresholds', 'list', 'other'), 'thresholds', false],
    [key('thresholds', 'simulate'), 'thresholds', false],
    [[['account', 'me']], 'members', true],
    [['something', 'else'], 'members', false],
    [[], 'members', false],
  ];
  for (const [queryKey, topic, expected] of cases)
    expect(isAffected(queryKey, 'ops', [topic]), JSON.stringify([queryKey, topic])).toBe(expected);
  expect([isLive(key('jobs', 'list'), 'ops'), isLive(key('prompts', 'planTrial'), 'ops')]).toEqual([
    true,
    false,
  ]);
});

/** Topics for pages that reload by themselves, or that other topics cover. */
const readOtherwise = new Set<string>(['labels', 'verdicts']);

test('every topic changes the answer of some procedure', () => {
  const shown = new Set<string>(Object.values(liveReads).flat());
  expect(liveTopics.filter((topic) => !shown.has(topic) && !readOtherwise.has(topic))).toEqual([]);
});

test('hidden data is loaded when it is shown next', async () => {
  const client = new QueryClient();
  client.setQueryData(key('keys', 'list'), []);
  await client.invalidateQueries({
    predicate: ({ queryKey }) => isAffected(queryKey, 'ops', ['keys']),
  });
  expect(client.getQueryState(key('keys', 'list'))?.isInvalidated).toBe(true);
});
