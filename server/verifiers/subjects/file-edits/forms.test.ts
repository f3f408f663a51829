import { describe, expect, test } from 'vitest';
import { after, before, blocks, call, edit, filesOf, problemsOf } from './calls-fixture';
import { readFileEdits } from './index';

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
        {
          path: 'a.py',
          call: expect.stringMatching(/^c\d+$/),
          problem: expect.stringContaining('not known'),
        },
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

test('edits that leave parts out are noted', () => {
  const cursor = call('edit_file', {
    target_file: 'a.ts',
    instructions: 'x',
    code_edit: '// ... existing code ...\nx',
  });
  expect(problemsOf([cursor])).toEqual(['a.ts: the call does not say literally what changes']);
});
