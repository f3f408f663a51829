import { expect, test, vi } from 'vitest';
import { createTerminal, type Terminal } from './terminal';

const hostile = 'a\u001b]52;c;cm0=\u0007b\u009b31mc\u202ed\r\tend\nnext';
// oxlint-disable-next-line no-control-regex -- what must not be written
const active = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

/** The output of a command on each stream of a terminal. */
function written(json: boolean, print: (terminal: Terminal) => void): string {
  const chunks: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      chunks.push(String(chunk));
      return true;
    }),
  );
  print(createTerminal(json));
  for (const spy of spies) spy.mockRestore();
  return chunks.join('');
}

test('S-62 foreign text, printed as a result or as a message, commands no terminal', () => {
  const text = written(false, (terminal) => {
    terminal.out(hostile);
    terminal.err(hostile);
  });
  expect(text).not.toMatch(active);
  expect(text.split('\tend\nnext\n')).toHaveLength(3);
});

test('S-62 as JSON it is the same value, with escapes', () => {
  const value = { text: hostile };
  const text = written(true, (terminal) => terminal.out(JSON.stringify(value)));
  expect(text).not.toMatch(active);
  expect(JSON.parse(text)).toEqual(value);
});
