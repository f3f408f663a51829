import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineReader, readLine } from './lines';

describe('a line of the harness', () => {
  it.each<[string, object]>([
    [
      '["t",1.5,"ok",{"score":1},"printed",null]',
      {
        state: 'answer',
        token: 't',
        durationMs: 1.5,
        returned: { value: { score: 1 } },
        stdout: 'printed',
        line: null,
      },
    ],
    ['["t",1,"bad","KeyError: 1","",3]', { returned: { fault: 'KeyError: 1' }, line: 3 }],
    [
      '["ready",[["output",true],["more",false]],true]',
      {
        state: 'loaded',
        parameters: [
          { name: 'output', required: true },
          { name: 'more', required: false },
        ],
        takesAll: true,
      },
    ],
    ['["fault","syntax","SyntaxError",2]', { state: 'fault', cause: 'syntax', line: 2 }],
  ])('%s is read', (written, expected) => {
    expect(readLine(written)).toMatchObject(expected);
  });

  it.each([
    '["fault","syntax","SyntaxError","2"]',
    '["fault","sandbox","not its own to say",null]',
    '["t",1,"other",1,"",null]',
    '["t","1","ok",1,"",null]',
    '{}',
    'garbage',
    '',
  ])('%s is refused', (written) => {
    expect(readLine(written)).toBeNull();
  });

  it('is found however its bytes arrive', () => {
    const lines = fc.array(
      fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => JSON.stringify(text)),
    );
    fc.assert(
      fc.property(
        lines,
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (written, sizes) => {
          const bytes = Buffer.from(written.map((line) => `\n${line}\n`).join(''));
          const read = createLineReader();
          const found: string[] = [];
          for (let at = 0, part = 0; at < bytes.length; part += 1) {
            const size = sizes[part % sizes.length] ?? 1;
            found.push(...(read(bytes.subarray(at, at + size)) ?? ['too long']));
            at += size;
          }
          expect(found).toEqual(written);
        },
      ),
    );
  });

  it('that has no end is refused', () => {
    const read = createLineReader();
    const part = Buffer.alloc(64 * 1024, 120);
    const answers = Array.from({ length: 20 }, () => read(part));
    expect(answers.at(0)).toEqual([]);
    expect(answers.at(-1)).toBeNull();
  });
});
