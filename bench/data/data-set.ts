import type { ApiClient, Imported } from './api-client';
import type { Figures } from './figures';

/**
 * One file of the shared data: how anyone would import it, and where the API has what
 * `expected.json` says of it.
 */
export interface DataSet {
  /** Of the file, and in `expected.json`. */
  readonly name: string;
  readonly mapping: Readonly<Record<string, unknown>>;
  /** In the shape of `expected.json`. */
  figures(client: ApiClient, taken: Imported): Promise<Figures>;
}
