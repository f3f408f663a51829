import { z } from 'zod';

/**
 * An id or a name: not empty, at most so many UTF-16 units, and without the one character that
 * PostgreSQL can neither keep nor look for.
 */
export const plainName = (chars: number): z.ZodString =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(chars)
    // oxlint-disable-next-line no-control-regex -- NUL is what is looked for
    .regex(/^[^\u0000]*$/u, 'must not contain a NUL character');
