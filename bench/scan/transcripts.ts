import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { root } from '../../scripts/data-dir.mjs';
import type { Source } from '../../server/domain';

/** All tool results of an agent in one conversation, and all its answers. */
export interface Transcript {
  readonly sources: readonly Source[];
  readonly answer: string;
}

const Row = z.object({
  messages: z.array(
    z.object({ role: z.string(), content: z.string().nullish(), name: z.string().nullish() }),
  ),
});

/**
 * The `count` conversations of the airline agent with the most tool results; null if the data is
 * missing.
 */
export function longestTranscripts(count: number): readonly Transcript[] | null {
  const file = join(
    resolve(root, process.env['ASSAY_DATA'] ?? '../shared/data'),
    'agent-tau-airline.jsonl',
  );
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines
    .map((line) => transcriptOf(Row.parse(JSON.parse(line))))
    .sort((a, b) => lengthOf(b.sources) - lengthOf(a.sources))
    .slice(0, count);
}

function transcriptOf({ messages }: z.infer<typeof Row>): Transcript {
  const answers = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' ? [content] : [],
  );
  const sources = messages.flatMap(({ role, content, name }, i): Source[] =>
    role === 'tool' && typeof content === 'string' && isJson(content)
      ? [{ id: `m${i}`, label: name ?? 'tool', format: 'json', text: content }]
      : [],
  );
  return { sources, answer: answers.join('\n\n') };
}

export function lengthOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { text }) => sum + text.length, 0);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
