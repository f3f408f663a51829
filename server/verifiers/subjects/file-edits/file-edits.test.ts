import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { structuredPatch, formatPatch } from 'diff';
import { processorMsSince } from '../../../../testing/processor-time';
import { runs } from '../../../../testing/runs';
import type { SubjectTool } from '../../../domain';
import { readFileEdits } from './index';

let calls = 0;
function call(
  name: string,
  args: unknown,
  result: unknown = 'ok',
  error: string | null = null,
): SubjectTool & { readonly id: string } {
  calls++;
  return {
    id: `c${calls}`,
    name,
    arguments: args,
    result,
    error,
    started_at: null,
    duration_ms: null,
  };
}

const filesOf = (tools: readonly SubjectTool[], output: unknown = ''): Record<string, string> =>
  Object.fromEntries(
    readFileEdits({ tools, output }).files.map(({ path, content }) => [path, content]),
  );
const problemsOf = (tools: readonly SubjectTool[], output: unknown = ''): string[] =>
  readFileEdits({ tools, output }).notes.map(({ path, problem }) => `${path}: ${problem}`);

const before = 'import os\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n';
const after = 'import os\n\ndef f():\n    return 10\n\ndef g():\n    return 2\n';
const edit = { old_string: '    return 1\n', new_string: '    return 10\n' };
const blocks = (open: string, close: string): string =>
  `${open} SEARCH\n    return 1\n=======\n    return 10\n${close} REPLACE`;

/** The same edit of the same file as each client writes it. */
const forms: readonly (readonly [string, string, unknown])[] = [
  ['Claude Code, Edit', 'Edit', { file_path: 'a.py', ...edit }],
  ['Claude Code, MultiEdit', 'MultiEdit', { file_path: 'a.py', edits: [edit] }],
  ['Claude Code, Write', 'Write', { file_path: 'a.py', content: after }],
  [
    'an MCP server',
    'mcp__filesystem__edit_file',
    { path: 'a.py', edits: [{ oldText: edit.old_string, newText: edit.new_string }] },
  ],
  ['Gemini CLI', 'replace', { file_path: 'a.py', ...edit, expected_replacements: 1 }],
  ['deepagents', 'edit_file', { file_path: 'a.py', ...edit, replace_all: false }],
  [
    'Copilot',
    'replace_string_in_file',
    { filePath: 'a.py', oldString: edit.old_string, newString: edit.new_string },
  ],
  [
    'OpenHands',
    'str_replace_editor',
    { command: 'str_replace', path: 'a.py', old_str: edit.old_string, new_str: edit.new_string },
  ],
  [
    'Anthropic',
    'str_replace_based_edit_tool',
    { command: 'str_replace', path: './a.py', old_str: edit.old_string, new_str: edit.new_string },
  ],
  ['Cline', 'replace_in_file', { path: 'a.py', diff: blocks('-------', '+++++++') }],
  [
    'Roo',
    'apply_diff',
    {
      path: 'a.py',
      diff: `<<<<<<< SEARCH\n:start_line:4\n-------\n    return 1\n=======\n    return 10\n>>>>>>> REPLACE`,
    },
  ],
  [
    'Codex, function',
    'apply_patch',
    {
      input:
        '*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-    return 1\n+    return 10\n*** End Patch',
    },
  ],
  [
    'Codex, freeform',
    'apply_patch',
    '*** Begin Patch\n*** Update File: a.py\n@@\n def f():\n-    return 1\n+    return 10\n \n*** End Patch\n',
  ],
  [
    'Codex, shell',
    'shell',
    {
      command: [
        'apply_patch',
        '*** Begin Patch\n*** Update File: a.py\n@@\n def f():\n-    return 1\n+    return 10\n*** End Patch',
      ],
    },
  ],
  [
    'Codex, bash -lc',
    'shell',
    {
      command: [
        'bash',
        '-lc',
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n@@\n def f():\n-    return 1\n+    return 10\n*** End Patch\nEOF",
      ],
    },
  ],
  [
    'Responses API',
    'apply_patch',
    {
      operation: {
        type: 'update_file',
        path: 'a.py',
        diff: '@@\n def f():\n-    return 1\n+    return 10',
      },
    },
  ],
  [
    'a unified diff',
    'apply_patch',
    {
      patch: '--- a/a.py\n+++ b/a.py\n@@ -3,2 +3,2 @@\n def f():\n-    return 1\n+    return 10\n',
    },
  ],
  [
    'a unified diff with wrong numbers',
    'apply_patch',
    {
      patch:
        '--- a/a.py\n+++ b/a.py\n@@ -30,9 +31,8 @@ x\n def f():\n-    return 1\n+    return 10\n',
    },
  ],
  [
    'a unified diff without numbers',
    'apply_patch',
    { patch: '--- a.py\n+++ a.py\n@@ ... @@\n def f():\n-    return 1\n+    return 10\n' },
  ],
  ['a heredoc', 'bash', { command: `cat > a.py <<'EOF'\n${after}EOF` }],
];

describe('each form of call', () => {
  test.each(forms)('%s: on a file that was written', (_, name, args) => {
    expect(
      filesOf([call('write_file', { path: 'a.py', content: before }), call(name, args)]),
    ).toEqual({ 'a.py': after });
    expect(
      problemsOf([call('write_file', { path: 'a.py', content: before }), call(name, args)]),
    ).toEqual([]);
  });

  test.each(forms.filter(([form]) => !['Claude Code, Write', 'a heredoc'].includes(form)))(
    '%s: on a file that was never seen leaves a note',
    (_, name, args) => {
      const { files, notes } = readFileEdits({ tools: [call(name, args)], output: '' });
      expect(files).toEqual([]);
      expect(notes).toMatchObject([
        { path: 'a.py', call: `c${calls}`, problem: expect.stringContaining('not known') },
      ]);
    },
  );

  test.each(forms)('%s: a call that failed changes nothing', (_, name, args) => {
    const wrote = call('write_file', { path: 'a.py', content: before });
    for (const failed of [
      call(name, args, 'ok', 'denied'),
      call(name, args, '<tool_use_error>String to replace not found</tool_use_error>'),
      call(name, args, { success: false }),
      call(name, args, { output: 'x', metadata: { exit_code: 1 } }),
    ])
      expect(readFileEdits({ tools: [wrote, failed], output: '' })).toEqual({
        files: [{ path: 'a.py', content: before }],
        notes: [],
      });
  });
});

describe('what edits start from', () => {
  const listing = (mark: string): string =>
    before
      .replace(/\n$/, '')
      .split('\n')
      .map((line, i) => `${String(i + 1).padStart(6)}${mark}${line}`)
      .join('\n');
  test.each([
    [
      'Claude Code, Read',
      call(
        'Read',
        { file_path: '/w/a.py' },
        `${listing('→')}\n\n<system-reminder>\nBe careful.\n</system-reminder>\n`,
      ),
    ],
    ['cat -n', call('Read', { file_path: '/w/a.py' }, listing('\t'))],
    [
      'OpenHands, view',
      call(
        'str_replace_editor',
        { command: 'view', path: '/w/a.py' },
        `Here's the result of running \`cat -n\` on /w/a.py:\n${listing('\t')}\n`,
      ),
    ],
    ['raw', call('read_file', { path: '/w/a.py' }, before)],
    ['parts', call('read_text_file', { path: '/w/a.py' }, [{ type: 'text', text: before }])],
    ['an object', call('read_file', { path: '/w/a.py' }, { content: before })],
    [
      'Cline',
      call(
        'read_file',
        { path: '/w/a.py' },
        `<file_content path="a.py">\n${before}</file_content>`,
      ),
    ],
    ['cat', call('bash', { command: 'cat /w/a.py' }, before)],
    [
      'Codex, cat',
      call(
        'shell',
        { command: ['bash', '-lc', 'cat /w/a.py'] },
        { output: before, metadata: { exit_code: 0 } },
      ),
    ],
  ])('a whole read: %s', (_, read) => {
    const edited = call('Edit', { file_path: '/w/a.py', ...edit });
    expect(filesOf([read, edited])).toEqual({ '/w/a.py': after });
    expect(filesOf([read])).toEqual({});
  });

  test.each([
    ['a range', call('Read', { file_path: 'a.py', offset: 1, limit: 3 }, listing('→'))],
    [
      'a view of lines',
      call(
        'str_replace_editor',
        { command: 'view', path: 'a.py', view_range: [1, 4] },
        listing('\t'),
      ),
    ],
    [
      'a listing from line 2',
      call('Read', { file_path: 'a.py' }, listing('→').split('\n').slice(1).join('\n')),
    ],
    [
      'a text that was cut',
      call('read_file', { path: 'a.py' }, `${before}[truncated to 100 lines]`),
    ],
    ['a line that was cut', call('Read', { file_path: 'a.py' }, `     1→${'x'.repeat(2_000)}`)],
  ])('a part of a file is no start: %s', (_, read) => {
    expect(problemsOf([read, call('Edit', { file_path: 'a.py', ...edit })])).toEqual([
      expect.stringContaining('not known'),
    ]);
  });

  test('after an edit that could not be applied the file is left out until it is written or read again', () => {
    const wrote = call('Write', { file_path: 'a.py', content: before });
    const lost = call('Edit', { file_path: 'a.py', old_string: 'nothing', new_string: 'x' });
    const { files, notes } = readFileEdits({ tools: [wrote, lost], output: '' });
    expect(files).toEqual([]);
    expect(notes).toEqual([
      { path: 'a.py', call: lost.id, problem: 'the text to replace is not in the file' },
    ]);
    expect(filesOf([wrote, lost, call('Read', { file_path: 'a.py' }, after)])).toEqual({
      'a.py': after,
    });
    expect(
      filesOf([
        wrote,
        lost,
        call('Edit', { file_path: 'a.py', ...edit }),
        call('Write', { file_path: 'a.py', content: 'x' }),
      ]),
    ).toEqual({ 'a.py': 'x' });
  });

  test('a formatter that changed the file is seen by the next read, and in what Cline reports', () => {
    const wrote = call('Write', { file_path: 'a.py', content: 'x=1\n' });
    expect(filesOf([wrote, call('Read', { file_path: 'a.py' }, '     1→x = 1')])).toEqual({
      'a.py': 'x = 1\n',
    });
    const cline = call(
      'write_to_file',
      { path: 'a.py', content: 'x=1\n' },
      'Saved.\n\n<final_file_content path="a.py">\nx = 1\n</final_file_content>\n\nDone.',
    );
    expect(filesOf([cline])).toEqual({ 'a.py': 'x = 1\n' });
  });
});

describe('the editor of Anthropic and OpenHands', () => {
  const create = call('str_replace_editor', {
    command: 'create',
    path: 'a.txt',
    file_text: 'a\nb\n',
  });
  test.each([
    [0, 'x\na\nb\n'],
    [1, 'a\nx\nb\n'],
    [2, 'a\nb\nx\n'],
  ])('inserts after line %d', (line, content) => {
    expect(
      filesOf([
        create,
        call('str_replace_editor', {
          command: 'insert',
          path: 'a.txt',
          insert_line: line,
          new_str: 'x',
        }),
      ]),
    ).toEqual({ 'a.txt': content });
  });

  test('takes edits back, and says where it cannot', () => {
    const undo = call('str_replace_editor', { command: 'undo_edit', path: 'a.txt' });
    const change = call('str_replace_editor', {
      command: 'str_replace',
      path: 'a.txt',
      old_str: 'a',
      new_str: 'A',
    });
    expect(filesOf([create, change, undo])).toEqual({ 'a.txt': 'a\nb\n' });
    expect(problemsOf([undo])).toEqual(['a.txt: no edit of it is known that could be taken back']);
    expect(
      problemsOf([
        create,
        call('str_replace_editor', {
          command: 'insert',
          path: 'a.txt',
          insert_line: 9,
          new_str: 'x',
        }),
      ]),
    ).toEqual(['a.txt: it has no line 9 to insert after']);
  });

  test('text that is there twice is no place', () => {
    const twice = call('Write', { file_path: 'a', content: 'x x' });
    expect(
      problemsOf([twice, call('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' })]),
    ).toEqual(['a: the text to replace is in the file 2 times, expected 1']);
    expect(
      filesOf([
        twice,
        call('Edit', { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true }),
      ]),
    ).toEqual({ a: 'y y' });
  });
});

describe('patches of several files', () => {
  test('Codex: add, update with a move, delete', () => {
    const tools = [
      call(
        'apply_patch',
        '*** Begin Patch\n*** Add File: a.ts\n+one\n+two\n*** Add File: b.ts\n+x\n*** End Patch',
      ),
      call(
        'apply_patch',
        '*** Begin Patch\n*** Update File: a.ts\n*** Move to: lib/a.ts\n@@\n one\n-two\n+three\n*** Delete File: b.ts\n*** End Patch',
      ),
    ];
    expect(filesOf(tools)).toEqual({ 'lib/a.ts': 'one\nthree\n' });
  });

  test('Codex: hunks follow each other, below their headers, at the end of the file', () => {
    const write = call('write_file', {
      path: 'a',
      content: 'class A\n  x\nclass B\n  x\n  y\nend\n',
    });
    const patch = call(
      'apply_patch',
      '*** Begin Patch\n*** Update File: a\n@@ class B\n-  x\n+  z\n@@\n-end\n+END\n*** End of File\n*** End Patch',
    );
    expect(filesOf([write, patch])).toEqual({ a: 'class A\n  x\nclass B\n  z\n  y\nEND\n' });
  });

  test('git: new, changed, renamed and deleted files', () => {
    const tools = ['x.py', 'o', 'gone'].map((path) =>
      call('write_file', { path, content: 'a\nb\n' }),
    );
    const patch =
      'diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\ndiff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\ndiff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\ndiff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hi\n';
    expect(filesOf([...tools, call('apply_patch', { patch })])).toEqual({
      'x.py': 'a\nc\n',
      n: 'a\nb\n',
      'new.txt': 'hi\n',
    });
  });

  test('a section that cannot be applied is noted, the others are', () => {
    const patch = call(
      'apply_patch',
      '*** Begin Patch\n*** Update File: unseen.ts\n@@\n-a\n+b\n*** Add File: new.ts\n+x\n*** End Patch',
    );
    expect(filesOf([patch])).toEqual({ 'new.ts': 'x\n' });
    expect(problemsOf([patch])).toEqual([expect.stringMatching(/^unseen\.ts: /)]);
  });
});

describe('notebooks', () => {
  const notebook = {
    cells: [
      { cell_type: 'markdown', id: 'm', metadata: {}, source: ['# T'] },
      { cell_type: 'code', id: 'k', metadata: {}, execution_count: 3, outputs: [1], source: 'a' },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  };
  const write = call('Write', { file_path: 'n.ipynb', content: JSON.stringify(notebook, null, 1) });
  const cells = (args: object): unknown[] => {
    const files = filesOf([write, call('NotebookEdit', { notebook_path: 'n.ipynb', ...args })]);
    return (
      JSON.parse(files['n.ipynb'] ?? '{"cells":[]}') as { cells: { source: unknown }[] }
    ).cells.map(({ source }) => source);
  };
  test.each([
    ['replace by id', { cell_id: 'k', new_source: 'b' }, [['# T'], 'b']],
    ['replace by index', { cell_id: 'cell-1', new_source: 'b' }, [['# T'], 'b']],
    ['replace by number', { cell_number: 0, new_source: 'b' }, ['b', 'a']],
    [
      'insert after a cell',
      { edit_mode: 'insert', cell_id: 'm', cell_type: 'code', new_source: 'b' },
      [['# T'], 'b', 'a'],
    ],
    [
      'insert first',
      { edit_mode: 'insert', cell_type: 'code', new_source: 'b' },
      ['b', ['# T'], 'a'],
    ],
    ['delete', { edit_mode: 'delete', cell_id: 'm', new_source: '' }, ['a']],
  ])('%s', (_, args, sources) => {
    expect(cells(args)).toEqual(sources);
  });

  test('outputs of a cell that changed are gone; a cell that is not there is a problem', () => {
    const files = filesOf([
      write,
      call('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'k', new_source: 'b' }),
    ]);
    expect(files['n.ipynb']).toContain('"outputs": []');
    expect(
      problemsOf([
        write,
        call('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'z', new_source: 'b' }),
      ]),
    ).toEqual(['n.ipynb: it has no cell "z"']);
    expect(
      problemsOf([
        call('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'z', new_source: 'b' }),
      ]),
    ).toEqual([expect.stringContaining('not known')]);
  });
});

describe('files of the answer', () => {
  test.each([
    ['info string', '```ts src/a.ts\nx\n```'],
    ['title', '```ts title="src/a.ts"\nx\n```'],
    ['colon', '```ts:src/a.ts\nx\n```'],
    ['bold line above', 'Here it is.\n\n**src/a.ts**\n\n```ts\nx\n```'],
    ['heading', '### 1. `src/a.ts`\n```ts\nx\n```'],
    ['a word before', 'File: src/a.ts\n```\nx\n```'],
    ['Aider, whole', 'src/a.ts\n```\nx\n```'],
    ['tildes, longer fences', 'src/a.ts\n~~~~ts\nx\n~~~~'],
  ])('%s', (_, output) => {
    expect(filesOf([], output)).toEqual({ 'src/a.ts': 'x\n' });
  });

  test('a comment in the first line names the file, and stays', () => {
    expect(filesOf([], '```ts\n// src/a.ts\nx\n```')).toEqual({ 'src/a.ts': '// src/a.ts\nx\n' });
  });

  test.each([
    ['no path', '```ts\nx\n```'],
    ['a sentence', 'Use Node.js:\n```ts\nx\n```'],
    ['a block that was cut off', 'src/a.ts\n```ts\nx'],
    ['an address', 'https://example.com/a.ts\n```ts\nx\n```'],
    ['code within a line', '```ts src/a.ts``` is the file'],
  ])('no file: %s', (_, output) => {
    expect(filesOf([], output)).toEqual({});
  });

  test('where calls write files the answer is not read', () => {
    expect(
      filesOf([call('Write', { file_path: 'b', content: 'y' })], 'src/a.ts\n```\nx\n```'),
    ).toEqual({ b: 'y' });
  });

  test('Aider: a new file, and a file of the chat', () => {
    const messages = [
      { role: 'user', content: `I have added these files:\n\na.py\n\`\`\`\n${before}\`\`\`` },
    ];
    const output = `a.py\n\`\`\`python\n${blocks('<<<<<<<', '>>>>>>>')}\n\`\`\`\n\nnew.py\n\`\`\`python\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n\`\`\``;
    expect(readFileEdits({ tools: [], output, messages }).files).toEqual([
      { path: 'a.py', content: after },
      { path: 'new.py', content: 'x = 1\n' },
    ]);
    expect(readFileEdits({ tools: [], output }).notes).toMatchObject([
      { path: 'a.py', call: 'output' },
    ]);
  });
});

test('shells: append, remove and move', () => {
  const a = call('bash', { command: "cat > a.txt <<'EOF'\none\nEOF\n" });
  expect(filesOf([a, call('bash', { command: "cat >> a.txt << 'EOF'\ntwo\nEOF" })])).toEqual({
    'a.txt': 'one\ntwo\n',
  });
  expect(filesOf([a, call('bash', { command: 'rm -f a.txt' })])).toEqual({});
  expect(filesOf([a, call('bash', { command: 'git mv a.txt b.txt' })])).toEqual({
    'b.txt': 'one\n',
  });
  // What the shell would expand is not literal.
  expect(filesOf([call('bash', { command: 'cat > a.txt <<EOF\n$HOME\nEOF' })])).toEqual({});
});

test('edits that leave parts out are noted', () => {
  const cursor = call('edit_file', {
    target_file: 'a.ts',
    instructions: 'x',
    code_edit: '// ... existing code ...\nx',
  });
  expect(problemsOf([cursor])).toEqual(['a.ts: the call does not say literally what changes']);
});

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
  const parameters = { numRuns: runs(1_000) };
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

  test('text that is there once is replaced as by hand', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.string(),
        (head, old, tail, fresh) => {
          const content = head + old + tail;
          fc.pre(content.split(old).length === 2 && !content.includes('\r\n'));
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
        // The first place is the one that is changed.
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
