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
  return text.replace(PLACEHOLDER, (placeholder, name: string) => values.get(name) ?? placeholder);
}

/** The members of a dataset's item that every prompt of an application may use. */
export const itemPlaceholders = ['input', 'context', 'tools'] as const;

/** A message of a prompt of an application, with its placeholders. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** The line of its heading in the text, from 0. */
  readonly line: number;
}

const SECTION = /^## (system|user|assistant)[ \t]*$/;

/**
 * The messages of a prompt of an application. If the text begins with a line `## system`, `## user`
 * or `## assistant`, each such line begins a message. Any other text is one message: of the user if
 * it has `{{input}}`, otherwise of the system.
 * @param text without the front matter, trimmed
 */
export function promptMessages(text: string): readonly PromptMessage[] {
  const lines = text.split('\n');
  const roleOf = (line: string) => SECTION.exec(line)?.[1] as PromptMessage['role'] | undefined;
  if (roleOf(lines[0] ?? '') === undefined)
    return [{ role: hasInput(text) ? 'user' : 'system', content: text, line: 0 }];
  const starts = lines.flatMap((line, at) => {
    const role = roleOf(line);
    return role === undefined ? [] : [{ role, at }];
  });
  return starts.map(({ role, at }, n) => ({
    role,
    content: lines
      .slice(at + 1, starts[n + 1]?.at)
      .join('\n')
      .trim(),
    line: at,
  }));
}

/** Whether a text shows the input of an item; otherwise the input follows it. */
export const hasInput = (text: string): boolean => text.includes('{{input}}');

/** The placeholders of a custom judge that contain no part of its subject. */
export const judgePlaceholders = ['criteria', 'examples', 'format'] as const;

/** The distinct placeholder names of a text, in order. */
export function listPlaceholders(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name ?? ''))];
}
