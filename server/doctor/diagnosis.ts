/** The result of one check of an installation. */
export interface Diagnosis {
  /** The check: `database`, `schema`, `clock` and so on. */
  readonly check: string;
  /** `warning`: it works, but not as it should; `failed`: a part of the product does not work. */
  readonly state: 'ok' | 'warning' | 'failed';
  /** The result in one sentence. */
  readonly found: string;
  /** The fix in one sentence; null if none is needed. */
  readonly fix: string | null;
}

export const ok = (check: string, found: string): Diagnosis => ({
  check,
  state: 'ok',
  found,
  fix: null,
});
export const warning = (check: string, found: string, fix: string): Diagnosis => ({
  check,
  state: 'warning',
  found,
  fix,
});
export const failed = (check: string, found: string, fix: string): Diagnosis => ({
  check,
  state: 'failed',
  found,
  fix,
});

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);
