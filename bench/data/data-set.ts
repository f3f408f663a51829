import type { ApiClient, Imported } from './api-client';
import type { Figures } from './figures';

/**
 * One file of the shared data: its import mapping, and the locations of its expected figures in the
 * API.
 */
export interface DataSet {
  /** The name of the file, and in `expected.json`. */
  readonly name: string;
  readonly mapping: Readonly<Record<string, unknown>>;
  /** In the shape of `expected.json`. */
  figures(client: ApiClient, taken: Imported): Promise<Figures>;
}
