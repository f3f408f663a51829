import { z } from 'zod';

/**
 * An id or a name: not empty, limited in UTF-16 units, and without NUL, which PostgreSQL can
 * neither store nor search for.
 */
export const plainName = (chars: number): z.ZodString =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(chars)
    // oxlint-disable-next-line no-control-regex -- finds NUL
    .regex(/^[^\u0000]*$/u, 'must not contain a NUL character');
