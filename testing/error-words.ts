import { expect } from 'vitest';

/** Phrases of the schema library that no caller should read. */
export const jargon =
  /\b(?:expected|received|nonoptional|invalid input|invalid option|unrecognized|too (?:small|big)|discriminator|undefined|regex|NaN|ZodError|invalid_\w+)\b/i;

/** Words that `words.md` bans. */
export const refusedWords =
  /\b(?:is needed|are needed|anew|nobody|whoever|whom|elsewhere|beside|stands?|told|owed|to mend|put right|is told|said)\b/i;

export interface ReadableError {
  readonly message: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Checks that an error is readable: it begins with its field or a noun, ends with one full stop,
 * and contains no phrase of the schema library. Text in backticks or quotes is the caller's own.
 */
export function expectReadable(text: string, label: string): void {
  const withoutQuotes = text.replaceAll(/`[^`]*`|"(?:[^"\\]|\\.)*"/g, '…');
  expect(withoutQuotes, label).not.toMatch(jargon);
  expect(withoutQuotes, label).not.toMatch(refusedWords);
  expect(text, label).toMatch(/^[`A-Z"-]/);
  expect(text, label).toMatch(/[^.?!\s][.?]["”)]?$/);
  expect(text.length, label).toBeLessThan(1_000);
}

/** The same for an error response with details, each of which names its field. */
export function expectReadableError({ message, details }: ReadableError, label: string): void {
  expectReadable(message, label);
  for (const detail of details) {
    expectReadable(detail.message, label);
    if (detail.path !== '') expect(detail.message, label).toContain(`\`${detail.path}\``);
  }
  const [first] = details;
  if (first !== undefined && first.path !== '') expect(message, label).toContain(first.path);
}
