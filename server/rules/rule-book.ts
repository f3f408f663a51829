import { createBriefCache, type Ctx, newId } from '../platform';
import type { PlanTurns, PlanTrace } from '../ingest';
import { loadRules } from './load';
import type { Rule } from './match';
import { planVerifications } from './plan-verifications';

export interface RuleBook {
  /** Plans the verifications of turns, for the intake. */
  readonly planTurns: PlanTurns;
  /** Plans the verifications of whole traces. */
  readonly planTrace: PlanTrace;
  /**
   * The project's rules, as cached by this process.
   * @throws AssayError unavailable
   */
  read(projectId: string): Promise<readonly Rule[]>;
  /** Reloads the project's rules at the next turn, after this process changed them. */
  forget(projectId: string): void;
}

/** The rules of all projects, cached per process. */
export function createRuleBook(ctx: Pick<Ctx, 'sql' | 'clock' | 'log'>): RuleBook {
  const books = createBriefCache(ctx, 'the rules', (projectId) => loadRules(ctx, projectId));
  const read = async (projectId: string): Promise<readonly Rule[]> =>
    (await books.read(projectId)) ?? [];
  return {
    read,
    async planTurns(turns) {
      const projectIds = [...new Set(turns.map((turn) => turn.projectId))];
      const rules = new Map(
        await Promise.all(projectIds.map(async (id) => [id, await read(id)] as const)),
      );
      const now = ctx.clock.now();
      return turns.map((turn) =>
        planVerifications({
          rules: rules.get(turn.projectId) ?? [],
          target: 'turn',
          subject: turn,
          newVerdictId: () => newId('ver', now),
        }),
      );
    },
    async planTrace(trace) {
      const now = ctx.clock.now();
      return planVerifications({
        rules: await read(trace.projectId),
        target: 'trace',
        subject: trace,
        newVerdictId: () => newId('ver', now),
      });
    },
    forget: (projectId) => books.forget(projectId),
  };
}
