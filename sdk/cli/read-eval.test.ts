import { describe, expect, test } from 'vitest';
import { readEval } from './read-eval';

const fileWith = (target: object): string =>
  JSON.stringify({ dataset: 'words', verifiers: ['words'], target });
const url = 'http://localhost:1';

describe('placeholders of a url target', () => {
  test.each([
    [
      { url, body: { q: ['{{inptu}}'] } },
      'target.body.q[0]: has the unknown placeholder {{inptu}}; the only known one is {{input}}',
    ],
    [{ url, body: 'a {{input}} {{ context }}' }, 'target.body: has the unknown placeholder {{ con'],
    [{ url, headers: { 'x-id': '{{input}}' } }, 'target.headers.x-id: cannot have the placeholder'],
    [{ url: `${url}/{{id}}` }, 'target.url: cannot have the placeholder {{id}}'],
  ])('an unknown one is refused: %j', (target, message) => {
    expect(() => readEval('eval.yaml', fileWith(target))).toThrow(message);
  });

  test('{{input}} is known, within a text and as a whole', () => {
    const body = { q: '{{input}}', text: 'Say {{input}} { {{input}} }' };
    expect(readEval('eval.yaml', fileWith({ url, body })).target).toMatchObject({ body });
  });
});
