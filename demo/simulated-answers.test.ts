import { expect, test } from 'vitest';
import { makeTurns } from './make-turns.mjs';
import { answerPrompts, answerQuestion } from './simulated-answers.mjs';

const turns = makeTurns({ run: 'test', count: 400, seed: 3, faultRate: 0, now: new Date(0) });

interface Sent {
  readonly input: readonly object[];
  readonly tools: readonly object[];
  readonly output: string;
}

/** The answers with one version of the prompt, and how many have an invented figure. */
function answersOf(version: number): { readonly texts: string[]; readonly invented: number } {
  const texts = turns.map(({ turn }) => {
    const { input, tools } = turn as unknown as Sent;
    const text = answerPrompts[version]?.text.replace('{{tools}}', JSON.stringify(tools)) ?? '';
    const messages = [{ role: 'system', content: text }, ...input];
    const reply = answerQuestion({
      path: '/v1/chat/completions',
      headers: {},
      body: { messages },
      at: 0,
      closed: Promise.resolve(),
    });
    return reply.text ?? '';
  });
  return { texts, invented: texts.filter((text) => /\.137%/.test(text)).length };
}

test('questions are answered from the readings, and the candidate prompt errs less', () => {
  const [production, candidate] = [answersOf(0), answersOf(1)];
  for (const { texts } of [production, candidate]) {
    expect(texts.filter((text) => text.startsWith('Scripted:'))).toEqual([]);
  }
  expect(production.invented).toBeGreaterThan(turns.length * 0.4);
  expect(candidate.invented).toBeLessThan(turns.length * 0.2);
});
