import { z } from 'zod';
import { issueText } from '@/server/domain';

/** In a browser no server code has set the words of schemas. */
if (z.config().customError === undefined) z.config({ customError: (issue) => issueText(issue) });

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The first issue of each field, in words for the person who left it empty. */
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

/** What a schema says of a field, next to its label. */
export function issueSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}
