import { parseAsStringLiteral } from 'nuqs/server';
import { DecisionState } from '@/server/domain';

export const stateParsers = { state: parseAsStringLiteral(DecisionState.options) };

export function listInput(project: string, rule: string, state: DecisionState | null) {
  return { project, rule, limit: 50, ...(state !== null && { state }) };
}
