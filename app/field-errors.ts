import { z } from 'zod';
import { issueText } from '@/server/domain';

/** In a browser, no server code has set the error messages of schemas. */
if (z.config().customError === undefined) z.config({ customError: (issue) => issueText(issue) });

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The first issue of each field; an empty field has its own message. */
export function fieldErrors(
  issues: readonly Issue[],
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of issues) {
    const field = String(issue.path[0] ?? '');
    const value = values[field];
    const isEmpty =
      value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    errors[field] ??= isEmpty ? 'Fill this in.' : issueSentence(issue.message);
  }
  return errors;
}

/** A schema's message as a sentence, shown next to the field's label. */
export function issueSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}
