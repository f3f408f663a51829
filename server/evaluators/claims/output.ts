/** What one agent handed in, as claims are held against it. All of it is untrusted. */
export interface ClaimOutput {
  readonly id: string;
  /** '' where nobody said. */
  readonly agent: string;
  readonly summary: string;
  /** Any JSON value. */
  readonly data: unknown;
}

/** Where a claim is borne out. `index` is that of the output; in data it is the path as figures are placed, such as `rows[0].price`. */
export type ClaimPlace =
  | { readonly index: number; readonly part: 'summary'; readonly start: number; readonly end: number }
  | { readonly index: number; readonly part: 'data'; readonly path: string; readonly text: string };

/** Data that is JSON in a string is meant as what it holds. */
export function unwrapData(data: unknown): unknown {
  if (typeof data !== 'string' || !/^\s*[[{]/.test(data)) return data;
  try {
    const value: unknown = JSON.parse(data);
    return value;
  } catch {
    return data;
  }
}

/** The data as one text, the same for everybody who reads it; '' where there is none. */
export function dataText(data: unknown): string {
  if (data === null || data === undefined) return '';
  return typeof data === 'string' ? data : JSON.stringify(data, null, 2);
}
