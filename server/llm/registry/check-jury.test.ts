import { describe, expect, test } from 'vitest';
import { checkJudgeFamilies } from './check-jury';

/** A member of a jury that could never judge is refused when it is saved. */

const known = [
  'openai:gpt-4o-mini',
  'one:claude-3-5-haiku?temperature=0',
  'google:gemini-2.5-flash',
  'house:llama3:8b',
  'x:mistral-small',
  'qwen2.5-72b',
  'house:o3-mini',
  'other:o1',
  'azure-eu:o4-mini?temperature=1',
];
const unknown = [
  'house:acme-large',
  'acme-large',
  'custom:judge-v2?temperature=0',
  'one:best',
  'local:m1',
  'house:o3x',
  'house:opus-like-o3',
];

describe('VS-44 a jury', () => {
  test.each(known)('accepts %s', (spec) => {
    expect(() => checkJudgeFamilies([['jury.0', spec]])).not.toThrow();
  });

  test.each(unknown)('refuses %s, naming the field, the problem and the fix', (spec) => {
    const members = [
      ['jury.0', 'openai:gpt-4o-mini'],
      ['jury.1', spec],
    ] as const;
    const message = expect.stringMatching(
      /^jury\.1: must name a model of a known family \(.*\), not ".*"/,
    ) as string;
    expect(() => checkJudgeFamilies(members)).toThrow(
      expect.objectContaining({
        code: 'refused',
        message,
        details: [expect.objectContaining({ path: 'jury.1' })],
      }) as Error,
    );
  });
});
