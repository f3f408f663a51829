import { IntegrityDetail } from '../../domain';
import { readTurn } from '../../traces';
import { turnKinds, walkPlan } from '../../verifiers';
import type { ScanQuestion } from './deps';

/**
 * Holds an answer against the sources of its own turn, by the very verifier that stored turns go through: what is told before delivery is
 * what a worker will find again. Null: the verifier gave no verdict. Costs 1 ms for some 10 KiB of answer and sources together.
 */
export async function scanTurn(question: ScanQuestion): Promise<IntegrityDetail | null> {
  const integrity = turnKinds.get('integrity');
  if (integrity === undefined) throw new Error('there is no verifier "integrity"');
  const config = { allow_user_figures: question.allowUserFigures, derived_counts_as_sourced: question.derivedCountsAsSourced };
  const subject = integrity.subjectOf(readTurn(question.turn));
  const walk = await walkPlan(integrity.kind.plan(subject, config), { now: () => performance.now(), signal: new AbortController().signal });
  const decided = integrity.kind.decide(walk, subject, config);
  return decided.verdict === null ? null : IntegrityDetail.parse(decided.detail);
}
