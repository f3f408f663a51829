import type { KeyCheck } from '../access';
import type { Ctx } from '../platform';
import type { RuleBook } from '../rules';
import type { SegmentWriter, TurnWriter } from '../traces';

/** What the doors stand on. */
export interface HttpDeps {
  readonly ctx: Ctx;
  readonly keys: KeyCheck;
  readonly writer: TurnWriter;
  readonly segments: SegmentWriter;
  readonly rules: RuleBook;
  /** This process, as holder of leases. */
  readonly owner: string;
}
