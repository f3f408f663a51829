import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { RouteSettings } from '../../server/gateway/input';
import { WireTurn } from '../../server/ingest/wire';
import { kinds } from '../../server/verifiers';
import { root } from '../data-dir.mjs';
import { bodiesOf, exampleOf, missingLines, readExamples } from './read-examples.mjs';

const read = (...path: string[]) => readExamples(readFileSync(join(root, ...path), 'utf8'));
const examples = read('docs', 'start', 'quickstart.md');
const readme = read('README.md');
const bodyOf = (part: string, at = 0): unknown => bodiesOf(exampleOf(examples, part).command)[at];
const task = kinds.get('task');

describe('the server accepts the requests of the quickstart', () => {
  it.each([
    ['/v1/turns', z.strictObject({ turns: z.array(WireTurn) })],
    ['/v1/verify/integrity', WireTurn],
    ['/v1/verify/task', task?.subject],
    ['/v1/gateway/routes', RouteSettings],
  ])('%s', (part, schema) => {
    const parsed = schema?.safeParse(bodyOf(part));
    expect(parsed?.error?.issues ?? []).toEqual([]);
    expect(parsed?.success).toBe(true);
  });

  it('README.md sends the first turn of the quickstart', () => {
    expect(readme).toEqual([exampleOf(examples, '/v1/turns')]);
  });

  it('each command has its output', () => {
    expect(examples.filter(({ answer }) => answer === null).map(({ command }) => command)).toEqual(
      [],
    );
  });
});

test('a different answer is found; ids and omitted parts do not count', () => {
  const shown = 'HTTP/1.1 200 OK\n{"id":"ver_06h01","state":"settled", …';
  expect(
    missingLines(
      shown,
      'HTTP/1.1 200 OK\r\nx: y\r\n\r\n{"id":"ver_99zz","state":"settled","more":1}',
    ),
  ).toEqual([]);
  expect(missingLines(shown, 'HTTP/1.1 200 OK\n{"id":"ver_06h01","state":"pending"}')).toEqual([
    '{"id":"ver_","state":"settled",',
  ]);
});
