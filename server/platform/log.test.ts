import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { createLog } from './log';

test('S-101: a failed query is logged without its values', () => {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  const query = new DrizzleQueryError(
    'select * from auth_sessions where token = $1',
    ['canary-token'],
    new Error('connect ECONNREFUSED'),
  );
  const log = createLog('test', 'info');
  log.warn({ err: query }, 'one');
  log.warn({ err: new Error('no session', { cause: query }) }, 'two');
  log.warn({ err: new Error('plain') }, 'three');
  write.mockRestore();
  const text = written.join('');
  expect(text).not.toContain('canary-token');
  expect(text.split('ECONNREFUSED').length - 1).toBeGreaterThanOrEqual(2);
  expect(text).toContain('no session');
  expect(text).toContain('plain');
});
