import { z } from 'zod';

/** The complexity of a request, which selects how its decomposition is verified (SOAR-2). */
export const complexities = ['SIMPLE', 'MEDIUM', 'COMPLEX', 'CRITICAL'] as const;
export type Complexity = (typeof complexities)[number];

/** Case-insensitive; any other value is an error (SOAR-2). */
export const Complexity = z
  .string()
  .transform((word) => word.trim().toUpperCase())
  .pipe(z.enum(complexities, `must be one of ${complexities.join(', ')}`));
