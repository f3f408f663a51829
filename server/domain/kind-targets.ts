import type { SubjectTarget } from './subject';
import type { VerifierKind } from './verdict';

/** What rules may send to each kind of verifier (online.md 2, default readings). */
export const kindTargets: Readonly<Record<VerifierKind, readonly SubjectTarget[]>> = {
  integrity: ['turn', 'trace'],
  task: ['turn', 'trace'],
  code: ['turn', 'trace'],
  turn: ['turn', 'session'],
  decomposition: ['trace'],
  'agent-output': ['trace'],
  synthesis: ['trace'],
  consistency: ['session', 'mission'],
  mission: ['mission'],
};
