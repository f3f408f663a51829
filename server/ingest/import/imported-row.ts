import type { Complexity } from '../../domain';
import type { PreparedTurn } from '../intake/prepare';
import type { ImportedLabel, ImportedScore } from './label';

/** The content of a row: turns, with their labels and judgements. */
export type RowImport =
  | { readonly kind: 'turn'; readonly turn: PreparedTurn }
  | { readonly kind: 'label'; readonly subjectId: string; readonly label: ImportedLabel }
  | {
      readonly kind: 'score';
      readonly subjectId: string;
      readonly turnId: string | null;
      readonly score: ImportedScore;
    }
  | { readonly kind: 'pipeline'; readonly pipeline: ImportedPipeline }
  | { readonly kind: 'error'; readonly message: string };

/** A request described by a row; its turns are those of the session. */
export interface ImportedPipeline {
  readonly sessionId: string;
  readonly query: string | null;
  readonly complexity: Complexity | null;
  readonly startedAt: Date | null;
}
