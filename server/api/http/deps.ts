import type { KeyCheck } from '../../access';
import type { Ctx } from '../../platform';
import type { Admission, Pool } from '../../pool';
import type { PromptDefaults } from '../../prompts';
import type { RuleBook } from '../../rules';
import type { SegmentWriter, TurnWriter } from '../../ingest';
import type { SubjectDeps } from '../../verdicts';

/** What the doors stand on. */
export interface HttpDeps {
  readonly ctx: Ctx;
  readonly keys: KeyCheck;
  readonly writer: TurnWriter;
  readonly segments: SegmentWriter;
  readonly rules: RuleBook;
  readonly prompts: PromptDefaults;
  readonly subjects: SubjectDeps;
  /** This process, as holder of leases. */
  readonly owner: string;
  readonly admission: Admission;
  /** Threads that answer what a caller sizes; null where there are none: then this one does. */
  readonly pool: Pool | null;
  /** This is such a thread: verdicts are waited for by its process. */
  readonly isThread?: true;
}
