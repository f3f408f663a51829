import type { PromptExample } from './prompt-example';

/**
 * A prompt as one run uses it: which version, its text without the front matter, and the examples
 * of that version.
 */
export interface PromptText {
  /** `slug@version`. */
  readonly version: string;
  readonly text: string;
  /** Empty for prompts that take none. */
  readonly examples: readonly PromptExample[];
}

const PLACEHOLDER = /\{\{([a-z][a-z0-9_]*)\}\}/g;

/**
 * Puts values into `{{name}}` placeholders, literally and once: what a value holds is never read as
 * a placeholder (S-34, QV-42). A placeholder without a value stays as it is.
 */
export function fillPrompt(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}

/** The names that a text has placeholders for, each once, in order. */
export function listPlaceholders(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name ?? ''))];
}
