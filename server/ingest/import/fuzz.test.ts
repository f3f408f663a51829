// rows of JSON Lines and CSV, and mappings, mutated. A row is mapped, or refused as invalid.
import { expect, test } from 'vitest';
import { fuzzExtent, fuzzOptions } from '../../../testing/fuzz/extent';
import { check, fuzz, type Outcome } from '../../../testing/fuzz/fuzz';
import { mutateBytes, mutateJson, mutateText, pick } from '../../../testing/fuzz/mutate';
import type { Random } from '../../../testing/seed';
import { AssayError } from '../../platform';
import { readChat } from './chat';
import { cutRows } from './cut-rows';
import { judgeReplyFormats, readJudgeReply } from './judge-reply';
import { mapRow } from './map-row';
import { ImportMapping, withFormat } from './mapping';
import { withReferences } from './references';
import { csvCells, csvRow, jsonRow } from './row';

const extent = fuzzExtent(1_000, 3);

const rows: readonly unknown[] = [
  {
    id: 'r-1',
    q: 'How full is web-1?',
    a: 'It is 91.4%.',
    at: '2026-05-01T00:00:00Z',
    tags: ['a', 'b'],
    tools: [{ id: 'c', name: 'disk', result: { disk_pct: 91.4 } }],
    docs: [{ text: 'It is 91.4%.' }],
    files: { 'a.ts': 'const a = 1;', 'b/c.py': 'x = 2\n' },
    verdicts: [
      { by: 'judge-a', says: 'pass', rating: '[[7]]' },
      { by: 'judge-b', says: 'fail', rating: 'Rating: 3' },
    ],
    human: { says: 'pass', by: 'anna', grade: 4 },
  },
  {
    id: 7,
    turns: [
      { q: 'a', a: 'b', label: true },
      { q: 'c', a: 'd 5%', label: false },
    ],
    content_ref: 'one',
  },
  {
    conversation: [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: [{ type: 'text', text: 'How full?' }] },
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: '{"disk_pct":91.4}' },
      { role: 'assistant', content: 'It is 91.4%.' },
    ],
    judge: 'gpt-4o',
    score: 0.5,
  },
];
const mappings: readonly unknown[] = [
  {
    format: 'jsonl',
    id: ['id', 'at'],
    session: { const: 's' },
    input: 'q',
    output: 'a',
    tools: 'tools',
    context: [{ id: 'd', path: 'docs[0].text' }],
    started_at: 'at',
    tags: 'tags',
    metadata: { grade: 'human.grade', who: { const: 'x' } },
    human_label: 'human.says',
    rater: 'human.by',
    pass_values: ['pass', 'yes'],
    fail_values: ['fail'],
    judge: { const: 'judge-a' },
    judge_verdict: 'verdicts[0].says',
  },
  {
    format: 'jsonl',
    each: 'turns',
    id: '@.q',
    input: '@.q',
    output: '@.a',
    human_label: '@.label',
    references: { member: 'content_ref', texts: { one: 'A text.' } },
  },
  { format: 'jsonl', messages: 'conversation', judge: 'judge', judge_score: 'score' },
  { format: 'jsonl', files: 'files', output: 'a', pipeline: { query: 'q' }, system: 'q' },
  { output: 'a', input: 'q', id: 'id', format: 'csv', delimiter: ';' },
];

/**
 * @param read returns how much it read
 * @throws an error that is not a refusal
 */
function outcomeOf(read: () => number): Outcome {
  try {
    return read() > 0 ? 'taken' : 'refused';
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'invalid_request') throw error;
    check(error.message !== '', 'a refusal has a message');
    return 'refused';
  }
}

interface Input {
  readonly row: string;
  readonly mapping: string;
}

function takeRow({ row, mapping }: Input): Outcome {
  let sent: unknown;
  try {
    sent = JSON.parse(mapping);
  } catch {
    sent = mappings[0];
  }
  const parsed = ImportMapping.safeParse(withFormat(sent, { name: 'rows.jsonl', type: '' }));
  if (!parsed.success) {
    check(parsed.error.issues.length > 0, 'a mapping that is refused has an issue');
    return 'refused';
  }
  const ctx = { mapping: parsed.data, now: new Date('2026-05-01T00:00:00Z'), seed: 'seed' };
  return outcomeOf(() => {
    const mapped = [...mapRow(jsonRow(withReferences(row, parsed.data.references)), ctx)];
    for (const imported of mapped) if (imported.kind === 'turn') JSON.parse(imported.turn.payload);
    return mapped.length;
  });
}

test(
  'R-106 rows of JSON Lines and mappings that are mutated are mapped or refused, never slowly',
  fuzzOptions(extent),
  () => {
    const taken = fuzz<Input>('R-106 import', extent, {
      make(random) {
        const at = random.between(0, rows.length - 1);
        const row = random.next() < 0.7 ? mutateJson(rows[at], random) : JSON.stringify(rows[at]);
        const mapping = random.next() < 0.7 ? (mappings[at] ?? {}) : pick(mappings, random);
        return {
          row: random.next() < 0.2 ? mutateBytes(Buffer.from(row), random).toString('utf8') : row,
          mapping:
            random.next() < 0.6 ? mutateJson(mapping, random) : (JSON.stringify(mapping) ?? ''),
        };
      },
      run: takeRow,
      show: ({ row, mapping }) => `${mapping}\n${row}`,
    });
    expect(taken).toBeGreaterThan(0);
  },
);

const csvPieces = [
  '"',
  '""',
  ';',
  ',',
  '\t',
  '|',
  '\n',
  '\r',
  '\r\n',
  '\0',
  '\ufeff',
  "'",
  '\\',
  '\ud800',
];
const table = 'id;q;a\n1;"How full; is ""web-1""?";It is 91.4%\r\n2;"two\nlines";\n';

function takeTable(text: string): Outcome {
  const bytes = Buffer.from(text);
  let taken = 0;
  for (const isEndOfFile of [true, false]) {
    const { rows: cut, next } = cutRows(bytes, { limit: 500, isEndOfFile, delimiter: 0x3b });
    check(next <= bytes.length, 'rows end within the bytes');
    const [header = [], ...records] = cut.map(({ start, end }) => {
      check(end >= start, 'a row ends after its start');
      return bytes.subarray(start, end).toString('utf8');
    });
    outcomeOf(() => {
      const columns = csvCells(String(header), ';');
      for (const record of records) {
        const outcome = outcomeOf(() => {
          const row = csvRow(record, columns, ';');
          for (const name of columns) row.read(name);
          return columns.length;
        });
        if (outcome === 'taken') taken++;
      }
      return taken;
    });
  }
  return taken > 0 ? 'taken' : 'refused';
}

test(
  'R-106 tables that are mutated are cut and read, or refused, never slowly',
  fuzzOptions(extent),
  () => {
    const taken = fuzz<string>('R-106 tables', extent, {
      make: (random) => mutateText(table, csvPieces, random),
      run: takeTable,
      show: (text) => JSON.stringify(text),
    });
    expect(taken).toBeGreaterThan(0);
  },
);

const replyPieces = [
  '[[',
  ']]',
  '[',
  'Rating:',
  '10',
  '-1',
  '1e9',
  '.',
  'A',
  'B',
  '\n',
  '**',
  '{',
  '"',
  'é',
];

interface Conversation {
  readonly chat: string;
  readonly reply: string;
}

function takeConversation({ chat, reply }: Conversation): Outcome {
  for (const format of judgeReplyFormats) readJudgeReply(format, reply);
  let messages: unknown;
  try {
    messages = JSON.parse(chat);
  } catch {
    // The text of a member of a row is JSON.
    return 'refused';
  }
  return outcomeOf(() => {
    const answers = [...readChat(chat)];
    for (const { at, output, tools, input } of answers) {
      const message = (messages as { role?: unknown }[])[at];
      check(message?.role === 'assistant', 'an answer is a message of the assistant');
      check(typeof output === 'string', 'an answer is a text');
      for (const text of [...tools, ...input]) JSON.parse(text);
    }
    return answers.length;
  });
}

test(
  'R-106 conversations and replies of judges that are mutated are read or refused, never slowly',
  fuzzOptions(extent),
  () => {
    const makeChat = (random: Random): string =>
      mutateJson((rows[2] as { conversation: unknown }).conversation, random);
    const taken = fuzz<Conversation>('R-106 conversations', extent, {
      make: (random) => ({
        chat: makeChat(random),
        reply: mutateText(
          'I compared both. Rating: [[7]]\nFinal verdict: [[A]]',
          replyPieces,
          random,
        ),
      }),
      run: takeConversation,
      show: (input) => JSON.stringify(input),
    });
    expect(taken).toBeGreaterThan(0);
  },
);
