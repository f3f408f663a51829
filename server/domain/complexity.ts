import { z } from 'zod';

/** How much depends on a request, by which its decomposition is verified (SOAR-2). */
export const complexities = ['SIMPLE', 'MEDIUM', 'COMPLEX', 'CRITICAL'] as const;
export type Complexity = (typeof complexities)[number];

/** In any case of letters; anything else is an error (SOAR-2). */
export const Complexity = z
  .string()
  .transform((word) => word.trim().toUpperCase())
  .pipe(z.enum(complexities, `must be one of ${complexities.join(', ')}`));
