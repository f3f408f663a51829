/** The closed family of errors (house.md 5). Each door maps it once; any other error is `internal` and its text never leaves. */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'refused'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

const mark = Symbol.for('assay.error');

/**
 * Known by its mark and not by its class: Next bundles this module twice, for pages and for route handlers, and the runtime that
 * both use comes from whichever asked first. Without this a 401 thrown by one copy is a 500 to the other.
 */
export class AssayError extends Error {
  static override [Symbol.hasInstance](value: unknown): value is AssayError {
    return typeof value === 'object' && value !== null && mark in value;
  }

  override readonly name = 'AssayError';
  readonly [mark] = true;
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly retryAfterS: number | null = null,
  ) {
    super(message);
  }
}

export const invalid = (message: string, details: readonly ErrorDetail[] = []): AssayError =>
  new AssayError('invalid_request', message, details);
export const refused = (message: string, details: readonly ErrorDetail[] = []): AssayError => new AssayError('refused', message, details);
export const unauthorized = (message: string): AssayError => new AssayError('unauthorized', message);
export const forbidden = (message: string): AssayError => new AssayError('forbidden', message);
export const conflict = (message: string): AssayError => new AssayError('conflict', message);
export const tooLarge = (message: string): AssayError => new AssayError('too_large', message);
export const rateLimited = (message: string, retryAfterS: number): AssayError => new AssayError('rate_limited', message, [], retryAfterS);
export const unavailable = (message: string, retryAfterS = 1): AssayError => new AssayError('unavailable', message, [], retryAfterS);

/** The same words for an id that does not exist and for one of another project (S-2). */
export const notFound = (noun: string): AssayError => new AssayError('not_found', `no such ${noun}`);

/** zod issues as details of an error: `subject.output`, and what it needs. */
export function issueDetails(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): ErrorDetail[] {
  return issues.slice(0, 20).map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));
}
