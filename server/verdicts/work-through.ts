import type { Ctx } from '../platform';
import type { ClaimedWork } from '../queue';
import { admitWork, type RuleBook } from '../rules';
import { assembleClaimed } from '../traces';
import type { TurnKind } from '../verifiers';
import { verifyClaimed } from './verify';

export interface WorkThroughInput {
  readonly owner: string;
  readonly claimed: readonly ClaimedWork[];
  readonly rules: RuleBook;
  readonly signal: AbortSignal;
  /** The kinds that this process can run; a test gives its own. */
  readonly kinds?: ReadonlyMap<string, TurnKind>;
  /** Called with work that was claimed on the way: verdicts that traces of the batch turned out to be owed. */
  readonly onClaimed?: (more: readonly ClaimedWork[]) => void;
}

/**
 * Does a batch of claimed work to its end: traces are put together first, and what they are owed at once is verified with the rest.
 * Returns the ids of the verdicts stored now. @throws on faults of storage
 */
export async function workThrough(ctx: Ctx, input: WorkThroughInput): Promise<ReadonlySet<string>> {
  const traces = input.claimed.filter((work) => work.subjectKind === 'trace');
  const owed = await assembleClaimed(ctx, { owner: input.owner, claimed: traces, owe: input.rules.owe });
  if (owed.length > 0) input.onClaimed?.(owed);
  const verdicts = [...input.claimed.filter((work) => work.subjectKind !== 'trace'), ...owed];
  const claimed = await withinBudget(ctx, input, verdicts);
  if (claimed.length === 0) return new Set();
  return verifyClaimed(ctx, {
    owner: input.owner,
    claimed,
    signal: input.signal,
    ...(input.kinds === undefined ? {} : { kinds: input.kinds }),
  });
}

/** Most rules have no budget: what this process remembers of them tells, and PostgreSQL is asked only where one has. */
async function withinBudget(ctx: Ctx, input: WorkThroughInput, works: readonly ClaimedWork[]): Promise<readonly ClaimedWork[]> {
  const projects = new Set(works.filter((work) => work.rule !== null).map((work) => work.projectId));
  for (const projectId of projects) {
    const rules = await input.rules.read(projectId);
    if (rules.some((rule) => rule.dailyBudget !== null)) {
      return (await admitWork(ctx, { owner: input.owner, claimed: works })).admitted;
    }
  }
  return works;
}
