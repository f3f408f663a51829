import { z } from 'zod';

/**
 * Lenient parsers for pages: they parse member by member, so that a page shows the readable parts
 * of data from an earlier release.
 */

export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value, null, 2);

export const Text = z.unknown().optional().transform(asText);
export const TextOrNull = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => text ?? null);
export const Texts = z.array(Text).catch([]);
export const NumberOrNull = z.number().nullable().catch(null);
export const Flag = z.boolean().catch(false);

/** The subject in a stored JSON text, `{"subject":…,"facts":…}`; null if there is none. */
export function subjectOf(content: string): unknown {
  try {
    return z.object({ subject: z.unknown() }).parse(JSON.parse(content)).subject;
  } catch {
    return null;
  }
}

/** A verdict's stored member; empty if there is no verdict yet. */
export const detailObject = (detail: unknown): object =>
  typeof detail === 'object' && detail !== null && !Array.isArray(detail) ? detail : {};
