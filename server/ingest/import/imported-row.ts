import type { Complexity } from '../../domain';
import type { PreparedTurn } from '../intake/prepare';
import type { ImportedLabel, ImportedScore } from './label';

/** What a row gave: turns, and what was said of them. */
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

/** A request that a row tells of; its turns are those of the session. */
export interface ImportedPipeline {
  readonly sessionId: string;
  readonly query: string | null;
  readonly complexity: Complexity | null;
  readonly startedAt: Date | null;
}
