/** For answers that are not pages: a browser loads and runs nothing in them, nor frames them. */
const noPagePolicy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/**
 * Headers of every answer that is not a page, so that a browser neither guesses another content
 * type nor treats the answer as a page (S-56, S-57).
 */
export const dataHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': noPagePolicy,
} as const;
