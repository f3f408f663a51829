import { expect, test } from 'vitest';
import { receivedAt, verdictTitle } from './verdict-title';

const verdict = { excerpt: '', turn: null, kind: 'task' };

test('a verdict is titled by the first line with text of its answer or task', () => {
  expect(verdictTitle({ ...verdict, excerpt: ' \nweb-1 is full.\nIt has 2 GiB.' }, null)).toBe(
    'web-1 is full.',
  );
});

test('a long line is cut, and never in the middle of a character', () => {
  const title = verdictTitle({ ...verdict, excerpt: `${'a'.repeat(199)}😀b` }, null);
  expect(title.isWellFormed()).toBe(true);
  expect(title.endsWith('…')).toBe(true);
});

test('without text the title names the kind of work', () => {
  expect(verdictTitle(verdict, null)).toBe('Task without text');
});

test('work that was sent again was received when its judged content was', () => {
  const [first, again] = [new Date(1000), new Date(9000)];
  expect(receivedAt({ createdAt: first }, { receivedAt: again })).toEqual(first);
  expect(receivedAt({ createdAt: again }, { receivedAt: first })).toEqual(first);
});
