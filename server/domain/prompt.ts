import type { PromptExample } from './prompt-example';

/**
 * A prompt as one run uses it: its version, its text without the front matter, and the examples of
 * that version.
 */
export interface PromptText {
  /** `slug@version`. */
  readonly version: string;
  readonly text: string;
  /** Empty for prompts without examples. */
  readonly examples: readonly PromptExample[];
}

const PLACEHOLDER = /\{\{([a-z][a-z0-9_]*)\}\}/g;

/**
 * Inserts values into `{{name}}` placeholders literally and only once: placeholders within a value
 * are not replaced (S-34, QV-42). A placeholder without a value is left unchanged.
 */
export function fillPrompt(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}

/** The placeholders of a project's own judge that show nothing of its subject. */
export const judgePlaceholders = ['criteria', 'examples', 'format'] as const;

/** The distinct placeholder names of a text, in order. */
export function listPlaceholders(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name ?? ''))];
}
