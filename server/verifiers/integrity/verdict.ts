import type { Figure, IntegrityDetail } from '../../domain';
import { markUnsourced, renderFooter, renderReprompt } from '../../figures';
import type { VerdictDecision, Walk } from '../plan-node';
import type { IntegrityConfig } from './config';
import { issuesOf, summaryOf } from './feedback';
import { type IntegritySubject, type ReadAnswer, type MatchedFigures, sourcesOf } from './subject';

/**
 * Sourced if every figure has a source. An unsourced answer gets one re-prompt and is then
 * delivered with marks; it is never a hard failure (INT-7, INT-8). A failed scan has no verdict,
 * and the answer is delivered unmarked. Pure.
 */
export function decideFigures(
  walk: Walk,
  subject: IntegritySubject,
  config: IntegrityConfig,
): VerdictDecision<IntegrityDetail> {
  // Safe casts: the details come from this kind's plan; a failed node has none.
  const read = walk.details.get('envelope') as ReadAnswer | undefined;
  const settled = walk.details.get('citations') as MatchedFigures | undefined;
  if (read === undefined || settled === undefined)
    return inconclusive(read?.answer ?? subject.output, subject.repromptUsed);
  const { figures } = settled;
  const unsourced = figures.filter((figure) => !figure.sourced).length;
  const detail = detailOf(read, figures, unsourced, subject, config);
  const action =
    unsourced === 0 ? 'accept' : subject.repromptUsed ? 'accept_with_warning' : 'retry';
  return {
    verdict: unsourced === 0 ? 'sourced' : 'unsourced',
    action,
    score: figures.length === 0 ? null : (figures.length - unsourced) / figures.length,
    confidence: null,
    needsHumanReview: false,
    issues: issuesOf(figures),
    feedback: detail.reprompt ?? summaryOf(figures),
    detail,
  };
}

function detailOf(
  { envelope, answer }: ReadAnswer,
  figures: readonly Figure[],
  unsourced: number,
  subject: IntegritySubject,
  config: IntegrityConfig,
): IntegrityDetail {
  const sources = sourcesOf(subject, config.allow_user_figures);
  const mode = envelope === null ? 'fallback_scan' : 'envelope';
  return {
    mode,
    unsourced,
    parse_ok: envelope !== null,
    reprompt_used: subject.repromptUsed,
    figures: [...figures],
    answer: markUnsourced(answer, figures),
    sources_footer: renderFooter(figures, sources),
    reprompt: subject.repromptUsed ? null : renderReprompt(figures, sources, envelope !== null),
    fields: {
      integrity_mode: mode,
      integrity_unsourced: unsourced,
      integrity_reprompt_used: subject.repromptUsed,
      integrity_parse_ok: envelope !== null,
    },
  };
}

function inconclusive(answer: string, repromptUsed: boolean): VerdictDecision<IntegrityDetail> {
  return {
    verdict: null,
    action: 'none',
    score: null,
    confidence: null,
    needsHumanReview: true,
    issues: [],
    feedback: null,
    detail: {
      mode: null,
      unsourced: 0,
      parse_ok: null,
      reprompt_used: repromptUsed,
      figures: [],
      answer,
      sources_footer: '',
      reprompt: null,
      fields: null,
    },
  };
}
