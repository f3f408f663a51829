import { z } from 'zod';

/** The limits of a project's masking rules. */
export const maskingLimits = { paths: 50, pathChars: 200, regions: 20 } as const;

/** The types of the module `pii`, which browsers do not load. */
const MaskingType = z.enum(['key', 'email', 'iban', 'card', 'phone']);

/** The values to replace before anything is stored; null if none. */
export const MaskingSettings = z
  .strictObject({
    types: z.array(MaskingType).max(MaskingType.options.length).default([]),
    /** ISO 3166 codes of regions whose national phone numbers are found too. */
    regions: z
      .array(z.string().regex(/^[A-Z]{2}$/, 'must be a region of two letters, such as "DE"'))
      .max(maskingLimits.regions)
      .default([]),
    /** JSONPath (RFC 9535) of values that are replaced as a whole, regardless of their content. */
    paths: z
      .array(z.string().min(1).max(maskingLimits.pathChars))
      .max(maskingLimits.paths)
      .default([]),
  })
  .nullable();
export type MaskingSettings = z.infer<typeof MaskingSettings>;
