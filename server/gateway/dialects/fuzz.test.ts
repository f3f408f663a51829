// requests, answers and streams of each model API, mutated. A dialect never throws.
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { fuzzExtent, fuzzOptions } from '../../../testing/fuzz/extent';
import { check, fuzz } from '../../../testing/fuzz/fuzz';
import { modelApis } from '../../../testing/fuzz/model-apis';
import { cutBytes, mutateBytes, mutateJson, pick } from '../../../testing/fuzz/mutate';
import type { Random } from '../../../testing/seed';
import { dialectOf, readChunks } from './dialects';

const names = ['chat', 'responses', 'messages', 'gemini', 'ollama', 'embeddings'] as const;
type Name = (typeof names)[number];
const extent = fuzzExtent(350, names.length);

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

/** @returns whether the body could be read */
function takeRequest(name: Name, body: Buffer): boolean {
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
  // Requests for embeddings are not read.
  return read !== null || name === 'embeddings';
}

/** @returns whether the answer or the stream could be read */
function takeAnswer(name: Name, answer: Buffer, chunks: readonly Buffer[]): boolean {
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
  if (name === 'embeddings') return parsed !== null && parsed.model !== null;
  return parsed !== null || read !== null;
}

test.each(names)(
  'R-106 %s: requests, answers and streams that are mutated are read or refused, and never slowly',
  fuzzOptions(extent),
  (name) => {
    const taken = fuzz<Input>(`R-106 dialect ${name}`, extent, {
      make: (random) => makeInput(name, random),
      run({ body, answer, chunks }) {
        const isRead = takeRequest(name, body);
        return takeAnswer(name, answer, chunks) && isRead ? 'taken' : 'refused';
      },
      show: ({ body, answer, chunks }) =>
        JSON.stringify([body, answer, ...chunks].map((bytes) => bytes.toString('base64'))),
    });
    expect(taken).toBeGreaterThan(0);
  },
);
