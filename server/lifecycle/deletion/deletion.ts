import type { RowCounts } from './counts';

/** A deletion as its requester sees it. */
export interface Deletion {
  readonly id: string;
  readonly kind: 'project' | 'session' | 'trace' | 'turn' | 'user';
  /** Id of the deleted item; for a user, its SHA-256 once nothing is left. */
  readonly target: string;
  /** `pending` until nothing is left. */
  readonly state: 'pending' | 'done';
  readonly counts: RowCounts;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly doneAt: Date | null;
  /** For a user: whether data that names the user is accepted again. */
  readonly lifted: boolean;
}

export interface DeletionRow {
  project_id: string;
  id: string;
  kind: Deletion['kind'];
  target: string;
  state: Deletion['state'];
  cursor: Readonly<Record<string, string>>;
  counts: RowCounts;
  created_by: string;
  created_at: string;
  fenced_at: string | null;
  done_at: string | null;
  lifted?: boolean;
}

export function asDeletion(row: DeletionRow): Deletion {
  return {
    id: row.id,
    kind: row.kind,
    target: row.target,
    state: row.state,
    counts: row.counts,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    doneAt: row.done_at === null ? null : new Date(row.done_at),
    lifted: row.lifted ?? false,
  };
}
