import type { VerifierKind } from '@/server/domain';

/**
 * What each kind of verifier is called wherever people read it; in ids and filters it stays as it
 * is written.
 */
const kindNames: Record<VerifierKind, string> = {
  integrity: 'Integrity',
  turn: 'Turn',
  task: 'Task',
  code: 'Code',
  consistency: 'Consistency',
  mission: 'Mission',
  decomposition: 'Decomposition',
  'agent-output': 'Agent output',
  synthesis: 'Synthesis',
};

const names: ReadonlyMap<string, string> = new Map(Object.entries(kindNames));

/** A kind that this release does not know keeps its slug. */
export function kindName(slug: string): string {
  return names.get(slug) ?? slug;
}
