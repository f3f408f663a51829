// requests, answers and streams of each model API, mutated. A dialect never throws.
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { check, fuzz, fuzzSeconds } from '../../../testing/fuzz/fuzz';
import { modelApis } from '../../../testing/fuzz/model-apis';
import { cutBytes, mutateBytes, mutateJson, pick } from '../../../testing/fuzz/mutate';
import type { Random } from '../../../testing/seed';
import { dialectOf, readChunks } from './dialects';

const names = ['chat', 'responses', 'messages', 'gemini', 'ollama', 'embeddings'] as const;
type Name = (typeof names)[number];
const seconds = fuzzSeconds(names.length, 12);

interface Input {
  readonly body: Buffer;
  readonly answer: Buffer;
  readonly chunks: readonly Buffer[];
}

function corrupt(value: unknown, random: Random): Buffer {
  const bytes = Buffer.from(
    random.next() < 0.8 ? mutateJson(value, random) : JSON.stringify(value),
  );
  return random.next() < 0.3 ? mutateBytes(bytes, random) : bytes;
}

function makeInput(name: Name, random: Random): Input {
  const { requests, answers, stream } = modelApis[name];
  const events = stream.map((event) => (random.next() < 0.2 ? corrupt(event, random) : event));
  const written = events.map((event) =>
    Buffer.isBuffer(event) ? event.toString('utf8') : JSON.stringify(event),
  );
  const whole = Buffer.from(
    name === 'ollama'
      ? written.join('\n')
      : written.map((text) => `data: ${text}\n\n`).join('') +
          pick(['data: [DONE]\n\n', ''], random),
  );
  const sent = random.next() < 0.5 ? mutateBytes(whole, random) : whole;
  return {
    body: corrupt(pick(requests, random), random),
    answer: corrupt(pick(answers, random), random),
    chunks: cutBytes(sent, random),
  };
}

function takeRequest(name: Name, body: Buffer): void {
  const dialect = dialectOf(name);
  dialect.hintsOf(body);
  const read = dialect.readRequest(body);
  dialect.readRequest(body, true);
  for (const rewritten of [
    dialect.withSteering(body, 'Be exact.'),
    dialect.withRule(body, 'Name sources.', { type: 'object' }, 'json_schema'),
    dialect.withRule(body, 'Name sources.', { type: 'object' }, 'forced_tool'),
    dialect.withCorrection(body, 'It is 5%.', 'It is not.'),
  ]) {
    // A rewritten request is still one of the API.
    if (rewritten === null || read === null) continue;
    JSON.parse(String(rewritten));
  }
}

function takeAnswer(name: Name, answer: Buffer, chunks: readonly Buffer[]): void {
  const dialect = dialectOf(name);
  const parsed = dialect.readAnswer(answer);
  if (parsed !== null)
    dialect.withText({ chunks: [answer], form: 'json', read: parsed }, 'It is 6%.');
  const { streamForm: form } = dialect;
  const read = readChunks(dialect, chunks, form);
  check(
    isDeepStrictEqual(read, readChunks(dialect, [Buffer.concat(chunks)], form)),
    'chunk boundaries change nothing',
  );
  if (read !== null) dialect.withText({ chunks, form, read }, 'It is 6%.');
}

test.each(names)(
  'R-106 %s: requests, answers and streams that are mutated are read or refused, and never slowly',
  (name) => {
    const inputs = fuzz<Input>(`R-106 dialect ${name}`, seconds, {
      make: (random) => makeInput(name, random),
      run({ body, answer, chunks }) {
        takeRequest(name, body);
        takeAnswer(name, answer, chunks);
      },
      show: ({ body, answer, chunks }) =>
        JSON.stringify([body, answer, ...chunks].map((bytes) => bytes.toString('base64'))),
    });
    expect(inputs).toBeGreaterThan(0);
  },
  seconds * 1000 + 60_000,
);
