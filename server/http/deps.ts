import type { KeyCheck } from '../access';
import type { Ctx } from '../platform';
import type { PromptDefaults } from '../prompts';
import type { RuleBook } from '../rules';
import type { SegmentWriter, TurnWriter } from '../traces';
import type { SubjectDeps } from '../verdicts';

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
}
