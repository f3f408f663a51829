import { cleanText, utf16Index } from './text';

/**
 * The verifiers whose verdicts are the checkpoints of a pipeline, in the order in which a request
 * meets them (SOAR-1, SOAR-16, SOAR-21).
 */
export const checkpointKinds = ['decomposition', 'agent-output', 'synthesis'] as const;
export type CheckpointKind = (typeof checkpointKinds)[number];

const queryChars = 2000;

/**
 * What is kept of a pipeline's query: its first 2,000 characters, as storage takes them; null where
 * there is nothing to read in it.
 */
export function pipelineQuery(query: string | null): string | null {
  if (query === null || query.trim() === '') return null;
  // A character has two code units at the most: no more of a long text needs to be looked at.
  const { text } = cleanText(query.slice(0, 2 * queryChars));
  return text.slice(0, utf16Index(text, queryChars));
}
