import type { IntegrityDetail } from '../../domain';
import type { Kind } from '../kind';
import { IntegrityConfig } from './config';
import { integrityFields } from './fields';
import { planIntegrity } from './plan';
import type { IntegritySubject } from './subject';
import { decideIntegrity } from './verdict';

export { IntegrityConfig } from './config';
export { integritySubject } from './from-turn';
export { integrityOpinion } from './opinion';
export { withSourcesRead } from './read-ahead';
export type { IntegritySubject } from './subject';

/**
 * AI response integrity (INT-1): every figure of an answer traces to a source of the same turn, or
 * is marked.
 */
export const integrity: Kind<IntegrityConfig, IntegritySubject, IntegrityDetail> = {
  name: 'integrity',
  config: IntegrityConfig,
  fields: integrityFields,
  plan: planIntegrity,
  decide: decideIntegrity,
};
