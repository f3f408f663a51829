// prompts with front matter, mutated: each is valid, or has issues that name line and fault.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/data-dir.mjs';
import { fuzzExtent, fuzzOptions } from '../../testing/fuzz/extent';
import { check, fuzz } from '../../testing/fuzz/fuzz';
import { mutateText, pick } from '../../testing/fuzz/mutate';
import { rubricBody } from './prompt-fixture';
import { type PromptContract, readPrompt } from './read';

const extent = fuzzExtent(700);
const folder = join(root, 'prompts');
const bodies = [
  rubricBody,
  ...readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(folder, name), 'utf8')),
];
const contract: PromptContract = {
  output: 'rubric',
  variables: ['task', 'output'],
  optional: ['context'],
};
const pieces = [
  '---\n',
  '---',
  '\n',
  '\r\n',
  '\r',
  ': ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  '{{',
  '}}',
  '{{task}}',
  '{{a b}}',
  '|\n',
  '>-\n',
  '&a ',
  '*a',
  '<<: *a',
  '!!binary ',
  '!x ',
  '? ',
  '"',
  "'",
  '\\',
  '#',
  '%YAML 9.9\n',
  'title: ',
  'variables: [a]\n',
  'output: judge\n',
  '__proto__: 1\n',
  'constructor:\n',
  'optional:\n',
  'examples:\n  - a: 1\n',
  '  ',
  '	',
  '0x1F',
  '1e400',
  '~',
  'null',
  '.inf',
  '\0',
  '\ud800',
  '😀',
  '﻿',
];

test(
  'R-106 prompts that are mutated are valid, or have issues, never slowly',
  fuzzOptions(extent),
  () => {
    const taken = fuzz<string>('R-106 prompts', extent, {
      make(random) {
        const body = pick(bodies, random);
        // Most of a prompt is the text below the front matter.
        const end = body.indexOf('\n---', 3) + 5;
        return random.next() < 0.8
          ? mutateText(body.slice(0, end), pieces, random) + body.slice(end)
          : mutateText(body, pieces, random);
      },
      run(body) {
        let valid = 0;
        for (const read of [
          readPrompt(body, contract),
          readPrompt(body, null),
          readPrompt(body, null, ['message', 'judge']),
        ]) {
          if (read.state === 'valid') {
            valid++;
            continue;
          }
          check(read.issues.length > 0, 'a prompt that is refused has an issue');
          const lines = body.split(/\r\n|\r|\n/).length;
          for (const { line, message } of read.issues) {
            check(message !== '', 'an issue has a message');
            check(
              line === null || (line >= 1 && line <= lines),
              'an issue names a line of the prompt',
            );
          }
        }
        return valid > 0 ? 'taken' : 'refused';
      },
      show: (body) => JSON.stringify(body),
    });
    expect(taken).toBeGreaterThan(0);
  },
);
