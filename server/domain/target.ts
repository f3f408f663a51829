import { z } from 'zod';

/** What a rule sends to a verifier (online.md 1). */
export const Target = z.enum(['turn', 'trace', 'session', 'mission']);
export type Target = z.infer<typeof Target>;
