import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { createLog, type Logger } from './log';

/** The output of a log with the level `info`. */
function written(use: (log: Logger) => void): string {
  const chunks: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    chunks.push(String(chunk));
    return true;
  });
  use(createLog('test', 'info'));
  write.mockRestore();
  return chunks.join('');
}

test('S-101: a failed query is logged without its values', () => {
  const query = new DrizzleQueryError(
    'select * from auth_sessions where token = $1',
    ['canary-token'],
    new Error('connect ECONNREFUSED'),
  );
  const text = written((log) => {
    log.warn({ err: query }, 'one');
    log.warn({ err: new Error('no session', { cause: query }) }, 'two');
    log.warn({ err: new Error('plain') }, 'three');
  });
  expect(text).not.toContain('canary-token');
  expect(text.split('ECONNREFUSED').length - 1).toBeGreaterThanOrEqual(2);
  expect(text).toContain('no session');
  expect(text).toContain('plain');
});

const forged =
  'x\r\n{"level":60,"msg":"forged"}\u001b[2K\u001b]52;c;cm0=\u0007\u009b1A\u2028\u202e\u0000';

test.each<[where: string, log: (log: Logger) => void]>([
  ['a field', (log) => log.warn({ userAgent: forged }, 'seen')],
  ['a field of a field', (log) => log.warn({ request: { headers: [forged] } }, 'seen')],
  ['the name of a field', (log) => log.warn({ [forged]: 1 }, 'seen')],
  ['the message', (log) => log.warn(forged)],
  ['an error', (log) => log.warn({ err: new Error(forged) }, 'seen')],
  [
    'the cause of an error',
    (log) => log.warn({ err: new Error('x', { cause: new Error(forged) }) }),
  ],
  ['every line of a part', (log) => log.child({ part: forged }).warn('seen')],
])('S-107 %s with line ends and terminal sequences stays one line of JSON', (_where, log) => {
  const text = written(log);
  expect(text.endsWith('\n')).toBe(true);
  const line = text.slice(0, -1);
  // oxlint-disable-next-line no-control-regex -- what must not be written
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
  expect(JSON.parse(line)).toMatchObject({ level: 40, process: 'test' });
  expect(line).toContain('forged');
});

test.each<[where: string, log: (log: Logger, long: string) => void]>([
  ['a field', (log, long) => log.warn({ userAgent: long }, 'seen')],
  ['the name of a field', (log, long) => log.warn({ [long]: 1 }, 'seen')],
  ['the message', (log, long) => log.warn(long)],
  [
    'an error and its cause',
    (log, long) => log.warn({ err: new Error(long, { cause: new Error(long) }) }),
  ],
  ['a list', (log) => log.warn({ rows: Array.from({ length: 100_000 }, (_, at) => `row ${at}`) })],
  ['an error alone', (log, long) => log.warn({ err: new Error(long) })],
])('S-107 of 1 MB in %s, a line keeps the beginning and the size', (_where, log) => {
  const text = written((to) => log(to, 'x'.repeat(1_000_000)));
  expect(text.length).toBeLessThan(64 * 1024);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toMatch(/\d{5,} (?:characters|more)/);
  JSON.parse(text);
});
