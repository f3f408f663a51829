import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Cli, createCli } from '../../testing/run-cli';
import { type JobScript, type ScriptedJobs, startScriptedJobs } from '../../testing/scripted-jobs';

/** `assay import` against the documented jobs of the HTTP API. */

let cli: Cli;
let jobs: ScriptedJobs | null = null;

beforeAll(async () => {
  cli = await createCli({ ASSAY_API_KEY: 'asy_test' });
  write('map.json', '{"output":"answer","model":"llm"}');
});

afterEach(async () => {
  await jobs?.close();
  jobs = null;
});

afterAll(() => cli.close());

function write(name: string, text: string): void {
  writeFileSync(join(cli.folder, name), text);
}

async function start(script: JobScript = {}): Promise<ScriptedJobs> {
  jobs = await startScriptedJobs(script);
  return jobs;
}

test('rows and mapping are uploaded as a form, and the job is followed to its end', async () => {
  const server = await start({ pollsUntilDone: 3 });
  write('rows.csv', 'llm,answer\nm,"a\nb"\nm,c\n');
  const { code, out, err } = await cli.run([
    'import',
    'rows.csv',
    '--mapping',
    'map.json',
    '--url',
    server.url,
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toBe('rows.csv: done, 3 rows, 0 refused, 3 turns accepted, 0 labels accepted\n');
  expect(server.uploads).toEqual([
    {
      name: 'rows.csv',
      type: 'text/csv',
      text: 'llm,answer\nm,"a\nb"\nm,c\n',
      mapping: { output: 'answer', model: 'llm', format: 'csv', delimiter: ',', first_line: 2 },
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ]);
});

test('refused rows are reported with their line; the rest is done: exit code 3', async () => {
  const server = await start({
    errors: ({ mapping }) => [
      { line: Number(mapping.first_line) + 1, message: 'output: \u001b[31mneeded' },
    ],
  });
  write('rows.jsonl', '{"answer":"a"}\n{"answer":7}\n{"answer":"c"}\n');
  const { code, out, err } = await cli.run([
    'import',
    'rows.jsonl',
    '--preset',
    'openai-chat',
    '--url',
    server.url,
  ]);
  expect(code).toBe(3);
  expect(err).toBe('rows.jsonl:2: output: \ufffd[31mneeded\n');
  expect(out).toBe('rows.jsonl: done, 3 rows, 1 refused, 2 turns accepted, 0 labels accepted\n');
  expect(server.uploads[0]).toMatchObject({
    type: 'application/x-ndjson',
    mapping: { messages: 'messages', format: 'jsonl', first_line: 1 },
  });
});

test('a large file is uploaded in parts, cut at row ends, with lines of the whole file', async () => {
  const server = await start({
    errors: ({ mapping }) => [{ line: Number(mapping.first_line), message: 'first of its part' }],
  });
  const row = (at: number): string => `${at},"${'x'.repeat(1_000_000)}\n"\n`;
  const rows = Array.from({ length: 40 }, (_, at) => row(at));
  write('large.csv', `n,answer\n${rows.join('')}`);
  const run = await cli.run([
    'import',
    'large.csv',
    '--mapping',
    'map.json',
    '--json',
    '--url',
    server.url,
  ]);
  expect(run.code).toBe(3);
  expect(server.uploads.map(({ text }) => text.split('\n', 1)[0])).toEqual([
    'n,answer',
    'n,answer',
    'n,answer',
  ]);
  expect(server.uploads.map(({ text }) => text.slice('n,answer\n'.length)).join('')).toBe(
    rows.join(''),
  );
  expect(server.uploads.map(({ mapping }) => mapping.first_line)).toEqual([2, 34, 66]);
  expect(run.json()).toMatchObject({
    cancelled: false,
    files: [{ state: 'done', refused: 3, errors: [{ line: 2 }, { line: 34 }, { line: 66 }] }],
  });
});

test('a fault of the mapping is reported once, not for each part, and refuses no row', async () => {
  const server = await start({ errors: () => [{ line: 0, message: 'model: no row has "llm"' }] });
  write('two.jsonl', `${JSON.stringify({ answer: 'x'.repeat(9_000_000) })}\n`.repeat(2));
  const { code, err } = await cli.run([
    'import',
    'two.jsonl',
    '--mapping',
    'map.json',
    '--url',
    server.url,
  ]);
  expect(server.uploads).toHaveLength(2);
  expect({ code, err }).toEqual({ code: 0, err: 'two.jsonl: model: no row has "llm"\n' });
});

test.each([
  ['lines', '{"id":"policy","content":"Say \\"no\\"."}\n\n{"id":"more","content":"x"}\n'],
  ['one line', '{"id":"policy","content":"Say \\"no\\"."}'],
  ['an object', '{\n"policy":"Say \\"no\\"."}'],
])('texts of another file are uploaded with the mapping: %s', async (_form, texts) => {
  const server = await start();
  write('texts.json', texts);
  write('rows.jsonl', '{"answer":"a"}\n');
  write('named.json', '{"output":"answer","references":{"member":"text_ref","texts":{"own":"y"}}}');
  const args = [
    'import',
    'rows.jsonl',
    '--mapping',
    'named.json',
    '--references',
    'texts.json',
    '--url',
    server.url,
  ];
  expect((await cli.run(args)).code).toBe(0);
  const references = { member: 'text_ref', texts: { own: 'y', policy: 'Say "no".' } };
  expect(server.uploads[0]?.mapping).toMatchObject({ output: 'answer', references });
});

test.each([
  ['', /^texts\.json has no texts\.$/],
  [
    '{"id":"a","content":"x"}\n{"id":"a","content":"y"}',
    /^texts\.json:2 repeats the name "a"; give each text its own name\.$/,
  ],
  ['{"id":"a","content":"x"}\n{"id":"b"}', /^texts\.json:2 is not a text with a name; /],
  ['{"a":7}', /^texts\.json: "a" is not a text with a name; /],
  ['[1]', /^texts\.json:1 is not a text with a name; /],
])('texts that cannot be used: %j', async (texts, sentence) => {
  const server = await start();
  write('texts.json', texts);
  write('rows.jsonl', '{"answer":"a"}\n');
  const { code, err } = await cli.run([
    'import',
    'rows.jsonl',
    '--mapping',
    'map.json',
    '--references',
    'texts.json',
    '--url',
    server.url,
  ]);
  expect([code, err.trimEnd()]).toEqual([1, expect.stringMatching(sentence)]);
  expect(server.uploads).toEqual([]);
});

test('a dry run sends nothing, and reports lines that are not JSON', async () => {
  const server = await start();
  write('rows.jsonl', '{"answer":"a"}\n\n{"answer":\n{"answer":"c"}');
  const { code, out, err } = await cli.run([
    'import',
    'rows.jsonl',
    '--mapping',
    'map.json',
    '--dry-run',
    '--url',
    server.url,
  ]);
  expect({ code, out, err }).toEqual({
    code: 3,
    out: 'rows.jsonl: done, 3 rows, 1 refused\n',
    err: 'rows.jsonl:3: not valid JSON: column 11: it ends too early, and a value is missing\n',
  });
  expect(server.uploads).toEqual([]);
});

test('an upload that finds the server unavailable is sent again as the same request', async () => {
  const server = await start({ firstStatus: 503 });
  write('rows.jsonl', '{"answer":"a"}\n');
  const { code } = await cli.run([
    'import',
    'rows.jsonl',
    '--mapping',
    'map.json',
    '--url',
    server.url,
  ]);
  expect(code).toBe(0);
  expect(server.uploads).toHaveLength(1);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s cancels the job and reports what was imported',
  async (signal) => {
    const server = await start({ stuck: true });
    write('rows.jsonl', '{"answer":"a"}\n'.repeat(10));
    // The job is polled while it runs: the first poll is the moment.
    const asked = server.nextPolled();
    const running = cli.start([
      'import',
      'rows.jsonl',
      '--mapping',
      'map.json',
      '--url',
      server.url,
    ]);
    await asked;
    running.kill(signal);
    const { code, out } = await running.ended;
    expect(code).toBe(130);
    expect(server.cancelled).toEqual(['job_1']);
    expect(out).toBe(
      'rows.jsonl: cancelled, 5 rows, 0 refused, 5 turns accepted, 0 labels accepted\n',
    );
  },
);

describe('failures are one sentence', () => {
  test.each([
    [
      'no mapping',
      ['import', 'rows.jsonl'],
      '--mapping or --preset is required; see assay import --help.',
    ],
    [
      'a preset that is none',
      ['import', 'rows.jsonl', '--preset', 'x'],
      '--preset must be one of openai-chat, quintd, summedits, tau-airline, intercode-sql, not "x".',
    ],
    ['no file', ['import', '--preset', 'quintd'], 'A file is required; see assay import --help.'],
    [
      'a file that is not there',
      ['import', 'gone.csv', '--preset', 'quintd'],
      'gone.csv does not exist; check the path.',
    ],
    [
      'a mapping that is none',
      ['import', 'rows.jsonl', '--mapping', 'rows.jsonl'],
      'rows.jsonl must hold one JSON object.',
    ],
  ])('%s', async (_name, args, sentence) => {
    const server = await start();
    write('rows.jsonl', '[1]\n');
    expect(await cli.run([...args, '--url', server.url])).toMatchObject({
      code: 1,
      out: '',
      err: `${sentence}\n`,
    });
  });

  test('a failed job, with its reason', async () => {
    const server = await start({ failure: 'the mapping names no output' });
    write('rows.jsonl', '{"answer":"a"}\n');
    const { code, err } = await cli.run([
      'import',
      'rows.jsonl',
      '--mapping',
      'map.json',
      '--url',
      server.url,
    ]);
    expect({ code, err }).toEqual({ code: 1, err: 'rows.jsonl: the mapping names no output\n' });
  });

  test('a file without rows', async () => {
    const server = await start();
    write('empty.csv', 'a,b\n');
    const { code, err } = await cli.run([
      'import',
      'empty.csv',
      '--mapping',
      'map.json',
      '--url',
      server.url,
    ]);
    expect({ code, err }).toEqual({ code: 1, err: 'empty.csv: the file has no rows\n' });
  });
});
