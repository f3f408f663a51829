// requests for code, mutated. A contract is extracted from any text, in bounded time.
import { expect, test } from 'vitest';
import { check, fuzz, fuzzSeconds } from '../../../testing/fuzz/fuzz';
import { mutateText, pick } from '../../../testing/fuzz/mutate';
import { extractContract, promptBlock } from './index';
import { requests } from './requests';

const seconds = fuzzSeconds(1);
const asks = requests.map(({ ask }) => ask);
const pieces = [
  'a.py',
  '.py',
  'a/',
  '/',
  '/api/a',
  '.',
  ',',
  ', ',
  ' and ',
  '(',
  ')',
  '[',
  '{',
  '}',
  ':',
  '`',
  '```\n',
  'create ',
  'not ',
  'must ',
  'class A',
  'function ',
  'fields ',
  'React ',
  'GET /a',
  'two ',
  'tests',
  'def a(',
  'const a = ',
  '写',
  '创建',
  'é',
  '\0',
  '\ud800',
  '\n',
  '\r\n',
  '	',
  '😀',
  '"',
  "'",
  '\\',
  '<',
  '../',
  '__proto__',
  'constructor',
  'C:\\',
  '*',
  '1',
  '$',
  '|',
  '\u2028',
  '﻿',
  'İ',
];

test(
  'R-106 requests for code that are mutated give a contract, never slowly',
  () => {
    const inputs = fuzz<string>('R-106 contracts', seconds, {
      make: (random) => mutateText(pick(asks, random), [...pieces, pick(asks, random)], random),
      run(request) {
        const contract = extractContract(request);
        check(!contract.deliverables.includes(''), 'each file has a name');
        check(
          contract.patterns.every(({ pattern }) => pattern.trim() !== ''),
          'each pattern has a text',
        );
        promptBlock(contract);
        check(
          JSON.stringify(extractContract(request)) === JSON.stringify(contract),
          'a request always has the same contract',
        );
      },
      show: (request) => JSON.stringify(request),
    });
    expect(inputs).toBeGreaterThan(0);
  },
  seconds * 1000 + 60_000,
);
