import { expect, test } from 'vitest';
import { momentText, whenText } from './schedule-words';

test.each([
  [{ cron: '0 6 * * 1', zone: 'Europe/Berlin' }, 'every Monday at 06:00, Europe/Berlin'],
  [{ cron: '0 6 1 * *', zone: 'UTC' }, 'on the first of the month at 06:00, UTC'],
  [{ cron: '30 7 * * 5', zone: 'Asia/Tokyo' }, 'at 30 7 * * 5, Asia/Tokyo'],
])('a schedule in words: %j', (timing, text) => {
  expect(whenText(timing)).toBe(text);
});

test('a time is shown in its zone, and in UTC if the zone is unknown', () => {
  const at = new Date('2026-11-29T21:00:00Z');
  expect(momentText(at, 'Asia/Tokyo', 'en-GB')).toBe('Monday 30 November 2026 at 06:00');
  expect(momentText(at, 'UTC', 'en-GB')).toBe('Sunday 29 November 2026 at 21:00');
  expect(momentText(at, 'Nowhere/Else', 'en-GB')).toBe('Sunday 29 November 2026 at 21:00 UTC');
  expect(momentText(at, 'Asia/Tokyo', 'de')).toBe('Montag 30. November 2026 um 06:00');
});
