import { describe, expect, test } from 'vitest';
import { after, before, blocks, call, filesOf, problemsOf } from './calls-fixture';
import { readFileEdits } from './index';

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

  test('reverts edits, and reports where it cannot', () => {
    const undo = call('str_replace_editor', { command: 'undo_edit', path: 'a.txt' });
    const change = call('str_replace_editor', {
      command: 'str_replace',
      path: 'a.txt',
      old_str: 'a',
      new_str: 'A',
    });
    expect(filesOf([create, change, undo])).toEqual({ 'a.txt': 'a\nb\n' });
    expect(problemsOf([undo])).toEqual(['a.txt: no edit of it is known that could be reverted']);
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

  test('outputs of a changed cell are removed; a missing cell is a problem', () => {
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
  // Text that the shell would expand is not literal.
  expect(filesOf([call('bash', { command: 'cat > a.txt <<EOF\n$HOME\nEOF' })])).toEqual({});
});

test.each([
  ["sed -i 's/one/two/' a.txt", true],
  ['npx prettier --write src/a.txt', true],
  ['python make.py > ./a.txt', true],
  ['git reset --hard', true],
  ['python a.txt 2>&1', false],
  ['git status', false],
  ["sed -i 's/one/two/' b.txt", false],
])('a command that may have changed a file leaves it out: %s', (command, isLost) => {
  const tools = [
    call('Write', { file_path: 'a.txt', content: 'one\n' }),
    call('Bash', { command }),
  ];
  expect(filesOf(tools)).toEqual(isLost ? {} : { 'a.txt': 'one\n' });
  expect(problemsOf(tools)).toHaveLength(isLost ? 1 : 0);
});
