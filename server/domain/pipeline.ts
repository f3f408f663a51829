import { cleanText, utf16Index } from './text';

/**
 * The verifiers whose verdicts are the checkpoints of a pipeline, in pipeline order (SOAR-1,
 * SOAR-16, SOAR-21).
 */
export const checkpointKinds = ['decomposition', 'agent-output', 'synthesis'] as const;
export type CheckpointKind = (typeof checkpointKinds)[number];

const queryChars = 2000;

/**
 * The stored part of a pipeline's query: its first 2,000 characters, cleaned for storage; null if
 * it has no visible text.
 */
export function pipelineQuery(query: string | null): string | null {
  if (query === null || query.trim() === '') return null;
  // A code point has at most two code units, so the rest of a long text is not needed.
  const { text } = cleanText(query.slice(0, 2 * queryChars));
  return text.slice(0, utf16Index(text, queryChars));
}
