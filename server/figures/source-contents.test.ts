import { describe, expect, test } from 'vitest';
import type { Source } from '../domain';
import { SourceContents } from './source-contents';
import { SourceIndex } from './source-index';

const MEGABYTE = 1024 * 1024;
const source = (id: string, text: string): Source => ({ id, label: 'tool', format: 'json', text });
/** An equal text that is another string, as a later request has it. */
const again = ({ text, ...rest }: Source): Source => ({
  ...rest,
  text: Buffer.from(text).toString(),
});

describe('sources known by their texts', () => {
  test('INT-2 a text is read once at a position, under any id', () => {
    const contents = new SourceContents(MEGABYTE);
    const one = source('tc1', '[{"load": 7}]');
    const read = contents.read(one, 0);
    expect(contents.read(again(one), 0)).toBe(read);
    expect(contents.read({ ...one, id: 'tc9' }, 0)).toBe(read);
    expect(contents.read(one, 1)).not.toBe(read);
    expect(contents.read({ ...one, format: 'text' }, 0)).not.toBe(read);
    expect(contents.read(source('tc1', '[{"load": 8}]'), 0)).not.toBe(read);
  });

  test('a place has the id of its own turn', () => {
    const contents = new SourceContents(MEGABYTE);
    const places = ['tc1', 'tc2'].map((id) => {
      const index = new SourceIndex([source(id, '{"load": 7}')], contents);
      const [item] = index.findBetween(7, 7);
      return item === undefined ? null : index.placeOf(item);
    });
    expect(places).toEqual([
      { id: 'tc1', path: 'load' },
      { id: 'tc2', path: 'load' },
    ]);
  });

  test('the least recently used text is evicted when the bytes are used up', () => {
    const text = (i: number): string => JSON.stringify({ i, pad: 'x'.repeat(1_000) });
    const contents = new SourceContents(30_000);
    const reads = [0, 1, 2].map((i) => contents.read(source('a', text(i)), 0));
    expect(contents.read(source('a', text(0)), 0)).toBe(reads[0]);
    contents.read(source('a', text(3)), 0);
    expect(contents.size).toBe(3);
    expect(contents.read(source('a', text(0)), 0)).toBe(reads[0]);
    expect(contents.read(source('a', text(1)), 0)).not.toBe(reads[1]);
  });

  test('a text that is too large is read and not cached', () => {
    const contents = new SourceContents(1_000);
    expect(contents.read(source('a', `"${'x'.repeat(1_000)}"`), 0).content.table).not.toBeNull();
    expect(contents.size).toBe(0);
  });

  test('many figures of a plain text count, not only its characters', () => {
    const contents = new SourceContents(MEGABYTE);
    const many = Array.from({ length: 4_000 }, (_, i) => `it is ${i}`).join(', ');
    contents.read({ ...source('a', many), format: 'text' }, 0);
    expect(contents.size).toBe(0);
  });

  test('texts that were not used since a time are forgotten', () => {
    let now = 0;
    const contents = new SourceContents(MEGABYTE, () => now);
    contents.read(source('a', '[1]'), 0);
    now = 10;
    contents.read(source('a', '[2]'), 0);
    contents.sweep(10);
    expect(contents.size).toBe(1);
    contents.sweep(11);
    expect(contents.size).toBe(0);
  });
});
