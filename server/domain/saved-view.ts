import { z } from 'zod';

/** The lists whose filters can be saved under a name. */
export const savedViewPages = [
  'verdicts',
  'traces',
  'sessions',
  'review',
  'calibration-rows',
  'gateway-calls',
] as const;
export const SavedViewPage = z.enum(savedViewPages);
export type SavedViewPage = z.infer<typeof SavedViewPage>;
