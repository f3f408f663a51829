import type { Verification } from '../client/turn';
import { plain } from './terminal';

const marks = {
  passed: '✓',
  failed: '✗',
  needs_review: '?',
  steered: '↻',
  inconclusive: '–',
  skipped: '○',
} as const;

/** One line: symbol and word of the outcome, verifier, model, counts, address. */
export function describeVerdict(verdict: Verification): string {
  const { outcome } = verdict;
  const outcomeText = outcome === null ? `… ${verdict.state}` : `${marks[outcome]} ${outcome}`;
  const columns = [
    outcomeText.padEnd(14),
    plain(verdict.verifier).padEnd(12),
    plain(verdict.model ?? '(no model)').padEnd(20),
    countsOf(verdict),
  ];
  return `${columns.join('  ')}  ${plain(verdict.url)}`;
}

function countsOf({ integrity, score }: Verification): string {
  if (integrity !== null && integrity !== undefined && Array.isArray(integrity.figures)) {
    const { length } = integrity.figures;
    return length === 0 ? 'no figures' : `${length - integrity.unsourced}/${length} sourced`;
  }
  return score === null ? 'no score' : `score ${score}`;
}

/**
 * The reason of a failure in one line: figures without a source, else the issues, else the
 * feedback.
 */
export function describeFailure(verdict: Verification): string {
  const unsourced = (verdict.integrity?.figures ?? [])
    .filter((figure) => !figure.sourced)
    .map((figure) => figure.text);
  if (unsourced.length > 0) return `no source for ${unsourced.join(', ')}`;
  const issues = verdict.issues.map((issue) => issue.message);
  return issues.length > 0
    ? issues.join('; ')
    : (verdict.feedback ?? verdict.verdict ?? 'no reason was given');
}
