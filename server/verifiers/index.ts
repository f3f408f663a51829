export { integrity } from './integrity';
export type { Kind, PlanNode, VerdictDecision, Walk } from './kind';
export { type TurnKind, turnKinds } from './registry';
export { walkPlan } from './walk';
