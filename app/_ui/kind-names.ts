import type { VerifierKind } from '@/server/domain';

/** The label of each verifier kind; ids and filters keep the slug. */
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

/** An unknown kind keeps its slug. */
export function kindName(slug: string): string {
  return names.get(slug) ?? slug;
}
