import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPatch, structuredPatch } from 'diff';
import { processorMsSince } from '../../../../testing/processor-time';
import { caseCount } from '../../../../testing/case-count';
import { call, filesOf, problemsOf } from './calls-fixture';
import { readFileEdits } from './index';

describe('generated files and edits', () => {
  const line = fc.oneof(
    fc.constantFrom('', '  ', 'a', 'b', '\treturn 1', '}', '- x', '+ y', ' z', 'é😀', '@ @', '\\n'),
    fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\r\n\u2028\u2029]/g, '')),
  );
  const lines = fc.array(line, { maxLength: 14 });
  /** A file, and the same with some lines in place of others. */
  const changed = fc
    .tuple(lines, fc.nat(14), fc.nat(4), fc.array(line, { maxLength: 4 }))
    .map(([file, at, removed, added]) => {
      const place = Math.min(at, file.length);
      const fresh = [...file.slice(0, place), ...added, ...file.slice(place + removed)];
      return {
        place,
        removed: file.slice(place, place + removed),
        added,
        old: textOf(file),
        fresh: textOf(fresh),
        file,
      };
    });
  const textOf = (list: readonly string[]): string => list.map((each) => `${each}\n`).join('');
  const parameters = { numRuns: caseCount(1_000) };
  const start = (content: string) => call('Write', { file_path: 'd/f.txt', content });
  const hasMarks = (text: string): boolean => /^(?:[<>=+-]{5,}|:)/m.test(text);

  test('whole writes, by every name', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('write_file', 'create_file', 'Write', 'write_to_file', 'fs.writeFile'),
        (content, name) => {
          expect(filesOf([call(name, { path: 'a', content })])).toEqual({ a: content });
        },
      ),
      parameters,
    );
  });

  test('text that occurs once is replaced as by hand', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.string(),
        (head, old, tail, fresh) => {
          const content = head + old + tail;
          // Occurrences may overlap: "___" contains "__" twice.
          fc.pre(content.indexOf(old) === content.lastIndexOf(old) && !content.includes('\r\n'));
          expect(
            filesOf([
              start(content),
              call('Edit', { file_path: 'd/f.txt', old_string: old, new_string: fresh }),
            ]),
          ).toEqual({ 'd/f.txt': head + fresh + tail });
        },
      ),
      parameters,
    );
  });

  test('unified diffs, exact ones and those with numbers that are wrong', () => {
    fc.assert(
      fc.property(changed, fc.boolean(), ({ old, fresh }, isExact) => {
        fc.pre(old !== fresh && old !== '');
        const patch = formatPatch(
          structuredPatch('a/d/f.txt', 'b/d/f.txt', old, fresh, undefined, undefined, {
            context: isExact ? 3 : 100,
          }),
        );
        const sent = isExact
          ? patch
          : patch.replace(/^@@ -\d+,?\d* \+\d+,?\d* @@/gm, '@@ -70,90 +70,90 @@');
        expect(filesOf([start(old), call('apply_patch', { patch: sent })])).toEqual({
          'd/f.txt': fresh,
        });
      }),
      parameters,
    );
  });

  test('Codex patches with all of the context', () => {
    fc.assert(
      fc.property(changed, ({ file, place, removed, added, old, fresh }) => {
        fc.pre(old !== '' && removed.length + added.length > 0);
        const body = [
          ...file.slice(0, place).map((each) => ` ${each}`),
          ...removed.map((each) => `-${each}`),
          ...added.map((each) => `+${each}`),
          ...file.slice(place + removed.length).map((each) => ` ${each}`),
        ];
        const patch = [
          '*** Begin Patch',
          '*** Update File: d/f.txt',
          '@@',
          ...body,
          '*** End Patch',
        ].join('\n');
        expect(filesOf([start(old), call('apply_patch', patch)])).toEqual({ 'd/f.txt': fresh });
      }),
      parameters,
    );
  });

  test('blocks of search and replace', () => {
    fc.assert(
      fc.property(changed, ({ old, removed, added, place, file, fresh }) => {
        const search = textOf(removed);
        fc.pre(search.trim() !== '' && !hasMarks(old) && !hasMarks(textOf(added)));
        // The first occurrence is changed.
        const first = file.findIndex((_, at) => removed.every((each, i) => file[at + i] === each));
        fc.pre(first === place);
        const diff = `<<<<<<< SEARCH\n${search}=======\n${textOf(added)}>>>>>>> REPLACE`;
        expect(filesOf([start(old), call('replace_in_file', { path: 'd/f.txt', diff })])).toEqual({
          'd/f.txt': fresh,
        });
      }),
      parameters,
    );
  });

  test('lines inserted by the editor', () => {
    fc.assert(
      fc.property(
        lines,
        fc.nat(14),
        fc.array(line, { minLength: 1, maxLength: 4 }),
        (file, at, added) => {
          const place = Math.min(at, file.length);
          const insert = {
            command: 'insert',
            path: 'd/f.txt',
            insert_line: place,
            new_str: added.join('\n'),
          };
          expect(
            filesOf([start(textOf(file)), call('str_replace_based_edit_tool', insert)]),
          ).toEqual({
            'd/f.txt': textOf([...file.slice(0, place), ...added, ...file.slice(place)]),
          });
        },
      ),
      parameters,
    );
  });

  test('a listing with line numbers gives the file back', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 14 }),
        fc.constantFrom('→', '\t'),
        (file, mark) => {
          const content = textOf([...file, 'end']);
          const listing = [...file, 'end']
            .map((each, i) => `${String(i + 1).padStart(6)}${mark}${each}`)
            .join('\n');
          const tools = [
            call('Read', { file_path: 'd/f.txt' }, listing),
            call('Edit', { file_path: 'd/f.txt', old_string: content, new_string: 'x' }),
          ];
          expect(filesOf(tools)).toEqual({ 'd/f.txt': 'x' });
        },
      ),
      parameters,
    );
  });

  test('fenced blocks of an answer', () => {
    fc.assert(
      fc.property(fc.array(lines, { minLength: 1, maxLength: 4 }), (contents) => {
        const output = contents
          .map((file, i) => `src/f${i}.ts\n\`\`\`\`\`\`ts\n${textOf(file)}\`\`\`\`\`\`\n`)
          .join('\n');
        fc.pre(!output.includes('<<<<<'));
        expect(filesOf([], output)).toEqual(
          Object.fromEntries(contents.map((file, i) => [`src/f${i}.ts`, textOf(file)])),
        );
      }),
      parameters,
    );
  });

  test('no call of any shape throws, and every note names a call', () => {
    const names = fc.constantFrom(
      'Write',
      'Edit',
      'MultiEdit',
      'apply_patch',
      'str_replace_editor',
      'NotebookEdit',
      'replace_in_file',
      'bash',
      'Read',
      'move_file',
      'other',
    );
    const member = fc.constantFrom(
      'path',
      'file_path',
      'content',
      'old_string',
      'new_string',
      'command',
      'input',
      'diff',
      'edits',
      'operation',
      'insert_line',
      'cell_id',
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(
        'a.ts',
        'create',
        'insert',
        '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n',
        '--- a\n+++ b\n@@ -1 +1 @@\n-a\n',
        "cat > a <<'E'\nE",
      ),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(names, fc.oneof(fc.dictionary(member, value), value), fc.jsonValue()), {
          maxLength: 6,
        }),
        fc.string(),
        (list, output) => {
          const tools = list.map(([name, args, result]) => call(name, args, result));
          const ids = new Set(['output', ...tools.map(({ id }) => id)]);
          for (const note of readFileEdits({ tools, output }).notes)
            expect(ids).toContain(note.call);
        },
      ),
      parameters,
    );
  });
});

test('work that grows with each edit is bounded', () => {
  const since = process.cpuUsage();
  const same = 'x\n'.repeat(50_000);
  const far = {
    path: 'a',
    diff: `<<<<<<< SEARCH\n${'x\n'.repeat(2_000)}y\n=======\nz\n>>>>>>> REPLACE`,
  };
  const grow = { file_path: 'a', old_string: 'x', new_string: 'xx'.repeat(100), replace_all: true };
  const first = call('Write', { file_path: 'a', content: same });
  expect(problemsOf([first, call('replace_in_file', far)])).toEqual([
    expect.stringContaining('takes too long'),
  ]);
  expect(problemsOf([first, call('Edit', grow)])).toEqual([expect.stringContaining('too large')]);
  expect(processorMsSince(since)).toBeLessThan(10_000);
});
