import { type Ctx, newId, unavailable } from '../platform';
import type { Owe } from '../traces';
import { loadRules } from './load';
import type { Rule } from './match';
import { oweTurn } from './owed';

/** Read again after so long: a changed rule holds in every process within a second. */
const freshMs = 800;
/** With the database away the rules that were read last hold so long, and no longer. */
const outageMs = 60_000;
const capacity = 10_000;

interface Entry {
  rules: readonly Rule[] | null;
  readAt: number;
  reading: Promise<readonly Rule[]> | null;
}

export interface RuleBook {
  /** What turns are owed, for the intake. */
  readonly owe: Owe;
  /** The project's rules, as this process holds them. @throws AssayError unavailable */
  read(projectId: string): Promise<readonly Rule[]>;
  /** Reads the project's rules anew at the next turn: they were changed here. */
  forget(projectId: string): void;
}

/** The rules of all projects, with a cache of its own for each process. */
export function createRuleBook(ctx: Pick<Ctx, 'sql' | 'clock' | 'log'>): RuleBook {
  const entries = new Map<string, Entry>();

  async function read(projectId: string): Promise<readonly Rule[]> {
    const now = ctx.clock.monotonicMs();
    let entry = entries.get(projectId);
    if (entry?.rules !== undefined && entry.rules !== null && now - entry.readAt < freshMs) return entry.rules;
    if (entry === undefined) {
      if (entries.size >= capacity) entries.delete(entries.keys().next().value ?? '');
      entry = { rules: null, readAt: Number.NEGATIVE_INFINITY, reading: null };
      entries.set(projectId, entry);
    }
    const current = entry;
    current.reading ??= loadRules(ctx, projectId).then(
      (rules) => {
        current.rules = rules;
        // From when they were asked for, not answered: a slow answer is an old one.
        current.readAt = now;
        current.reading = null;
        return rules;
      },
      (error: unknown) => {
        current.reading = null;
        throw error;
      },
    );
    try {
      return await current.reading;
    } catch (error) {
      ctx.log.warn({ err: error }, 'rules not read');
      if (current.rules !== null && ctx.clock.monotonicMs() - current.readAt < outageMs) return current.rules;
      throw unavailable('the rules cannot be read now; send it again');
    }
  }

  return {
    read,
    async owe(turns) {
      const projectIds = [...new Set(turns.map((turn) => turn.projectId))];
      const books = new Map(await Promise.all(projectIds.map(async (id) => [id, await read(id)] as const)));
      const now = ctx.clock.now();
      return turns.map((turn) => oweTurn(books.get(turn.projectId) ?? [], turn, () => newId('ver', now)));
    },
    // A reading that is under way began before the change: it ends in an entry that nobody asks any more.
    forget: (projectId) => void entries.delete(projectId),
  };
}
