import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ProjectVerifierBlock } from './project-verifier-block';

type Own = Parameters<typeof ProjectVerifierBlock>[0]['own'];

const textOf = (own: Own): string =>
  renderToStaticMarkup(<ProjectVerifierBlock own={own} />)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

test('a judge: its answer, its reason, its criteria, and votes where there are several', () => {
  const vote = { model: 'openai:a', value: 1, choice: 'follows', reasoning: 'w', confidence: 0.9 };
  const criterion = {
    name: 'Tone',
    value: 0,
    choice: null,
    met: false,
    reasoning: 'too curt',
    weight: 1,
    must_pass: true,
  };
  const judge: Own = {
    findings: 'judge',
    output: 'follows',
    choice: 'follows',
    reasoning: 'it cites the policy',
    votes: [vote, { ...vote, model: 'openai:b' }],
    criteria: [criterion],
  };
  const text = textOf(judge);
  for (const part of ['follows', 'it cites the policy', 'Tone', 'must pass', 'too curt'])
    expect(text).toContain(part);
  expect(text).toContain('confidence 0.9');
  expect(textOf({ ...judge, votes: [vote] })).not.toContain('confidence');
  expect(textOf({ ...judge, output: null, choice: null })).toContain('No single answer');
  expect(textOf({ ...judge, output: true, choice: null })).toContain('yes');
});

test('checks: how many are met, and which broke', () => {
  const result = {
    check: 'pii',
    name: 'Has no keys',
    met: true,
    value: 1,
    state: 'scored',
    reasoning: 'the text has none of them',
    field: '$.output',
  } as const;
  const broken = { ...result, met: null, value: null, state: 'failed' } as const;
  const text = textOf({ findings: 'checks', results: [result, broken] });
  expect(text).toContain('1/2 met');
  expect(text).toContain('$.output');
  expect(text).toContain('check failed to run');
});

test('a function: its label, its metadata, its output, and its error with the line', () => {
  const result: Own = {
    findings: 'function',
    label: 'short',
    reason: 'too short',
    metadata: { words: 3 },
    stdout: 'read 3 words',
    duration_ms: 12,
    scores: [],
    error: null,
  };
  for (const part of ['short', 'too short', 'words', 'read 3 words'])
    expect(textOf(result)).toContain(part);
  const error = { message: 'KeyError: a', line: 4 };
  expect(textOf({ ...result, error })).toContain('line 4: KeyError: a');
});
