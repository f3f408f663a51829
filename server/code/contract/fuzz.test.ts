// requests for code, mutated. A contract is extracted from any text, in bounded time.
import { expect, test } from 'vitest';
import { fuzzExtent, fuzzOptions } from '../../../testing/fuzz/extent';
import { check, fuzz } from '../../../testing/fuzz/fuzz';
import { mutateText, pick } from '../../../testing/fuzz/mutate';
import { extractContract, promptBlock } from './index';
import { requests } from './requests';

const extent = fuzzExtent(6_000);
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
  fuzzOptions(extent),
  () => {
    const taken = fuzz<string>('R-106 contracts', extent, {
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
        return contract.deliverables.length > 0 ? 'taken' : 'refused';
      },
      show: (request) => JSON.stringify(request),
    });
    expect(taken).toBeGreaterThan(0);
  },
);
