import { expect, test } from 'vitest';
import { canary, findSecret, passwordIn, secretsIn } from './canary';

const variables = {
  DATABASE_URL: 'postgres://assay:pass%2Fword-of-it@127.0.0.1:5432/x',
  ASSAY_SECRET: 'forty-characters-of-a-master-secret-here',
  OPENAI_API_KEY: 'sk-of-the-environment',
  ASSAY_LOG_LEVEL: 'trace',
  REDIS_URL: 'redis://127.0.0.1:6379',
};
const key = `asy_irv_${'0'.repeat(20)}_${'a'.repeat(27)}${'1'.repeat(6)}`;

test('S-101 the secrets of a process: its keys, and the password of its database', () => {
  const secrets = secretsIn(variables);
  expect(secrets).toEqual(
    expect.arrayContaining([variables.ASSAY_SECRET, variables.OPENAI_API_KEY, 'pass/word-of-it']),
  );
  expect(secrets).not.toContain('trace');
  expect(secrets).not.toContain('');
  expect(passwordIn('no address')).toBe('');
});

test.each([
  ['a planted one', `x ${canary} y`],
  ['part of one', 'x 5ecret5ecret y'],
  ['the master secret', `{"s":"${variables.ASSAY_SECRET}"}`],
  ['the password', 'cannot connect with pass/word-of-it'],
  ['a whole API key', `authorization: Bearer ${key}`],
])('S-101 is found: %s', (_, text) => {
  expect(findSecret(`${'-'.repeat(500)}${text}`, secretsIn(variables))).toContain(
    text.slice(0, 10),
  );
});

test.each(['', 'nothing', key.slice(0, -1), 'asy_irv_000000…1111', 'sk-…ment'])(
  'S-101 %j is none',
  (text) => {
    expect(findSecret(text, secretsIn(variables))).toBeNull();
  },
);
