import type { KeyCheck } from '../../access';
import type { Ctx } from '../../platform';
import type { Admission, Pool } from '../../pool';
import type { PromptDefaults } from '../../prompts';
import type { MaskBook } from '../../masking';
import type { RuleBook } from '../../rules';
import type { SegmentWriter, TurnWriter } from '../../ingest';
import type { SubjectDeps } from '../../verdicts';

/** Dependencies of the HTTP handlers. */
export interface HttpDeps {
  readonly ctx: Ctx;
  readonly keys: KeyCheck;
  readonly writer: TurnWriter;
  readonly segments: SegmentWriter;
  readonly rules: RuleBook;
  readonly masks: MaskBook;
  readonly prompts: PromptDefaults;
  readonly subjects: SubjectDeps;
  /** Identifies this process as an owner of leases. */
  readonly owner: string;
  readonly admission: Admission;
  /**
   * Threads that answer requests whose size a caller controls; null if this thread answers them.
   */
  readonly pool: Pool | null;
  /** Set in such a thread: its process waits for verdicts. */
  readonly isThread?: true;
}
