import { ofFrameworks } from './frameworks';
import { inLanguages } from './languages';
import { long } from './long';
import { namedFiles } from './named-files';
import { questions } from './questions';
import type { RequestRow } from './row';
import { words } from './words';

export type { RequestRow } from './row';

/**
 * All requests of the table. The ones at even indexes were used to tune the extractor; the ones at
 * odd indexes only measure it.
 */
export const requests: readonly RequestRow[] = [
  ...namedFiles,
  ...ofFrameworks,
  ...words,
  ...questions,
  ...inLanguages,
  ...long,
];
