/** The output of one agent, to compare claims with. All of it is untrusted. */
export interface ClaimOutput {
  readonly id: string;
  /** '' if unknown. */
  readonly agent: string;
  readonly summary: string;
  /** Any JSON value. */
  readonly data: unknown;
}

/**
 * Where a claim is supported: a statement of the summary of the output at `index`, in UTF-16
 * indices.
 */
export interface ClaimPlace {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** JSON in a string is replaced by its parsed value. */
export function unwrapData(data: unknown): unknown {
  if (typeof data !== 'string' || !/^\s*[[{]/.test(data)) return data;
  try {
    const value: unknown = JSON.parse(data);
    return value;
  } catch {
    return data;
  }
}

/** The data as one text, the same for every reader; '' if there is none. */
export function dataText(data: unknown): string {
  if (data === null || data === undefined) return '';
  return typeof data === 'string' ? data : JSON.stringify(data, null, 2);
}

/**
 * Every text, number and key of the data, separately. Without recursion: data may be nested deeply.
 */
export function* outputTexts(data: unknown): Generator<string> {
  const left: unknown[] = [unwrapData(data)];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') yield value;
    else if (typeof value === 'number') yield String(value);
    else if (typeof value === 'object' && value !== null) {
      if (!Array.isArray(value)) yield* Object.keys(value);
      for (const each of Object.values(value)) left.push(each);
    }
  }
}
