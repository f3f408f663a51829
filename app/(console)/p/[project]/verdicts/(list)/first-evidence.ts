import type { VerdictState } from '@/app/_ui/verdict-styles';
import type { Figure, Issue, Score } from '@/server/domain';
import { reasonOf } from '../[id]/figure-status';

/**
 * The first evidence of a verdict. Evidence against the work comes before evidence in its favour.
 */
export interface FirstEvidence {
  readonly state: VerdictState;
  /** Untrusted text: a figure, a message, the name of a score. */
  readonly what: string;
  readonly why: string | null;
  /** How many more of its kind are on the verdict's page. */
  readonly more: number;
  /** The noun of that count. */
  readonly noun: 'figure' | 'issue' | 'score';
}

interface EvidenceIn {
  readonly figures: readonly Figure[];
  readonly issues: readonly Issue[];
  readonly scores: readonly Score[];
}

/** Null when nothing was measured. */
export function firstEvidence({ figures, issues, scores }: EvidenceIn): FirstEvidence | null {
  const figure = figures.find(({ sourced }) => !sourced) ?? figures[0];
  if (figure !== undefined) {
    const why =
      reasonOf(figure) ??
      (figure.source === null ? null : `Found in ${figure.source.id} at ${figure.source.path}.`);
    return {
      state: figure.sourced ? 'passed' : 'failed',
      what: figure.text,
      why,
      more: figures.length - 1,
      noun: 'figure',
    };
  }
  const [issue] = issues;
  if (issue !== undefined) {
    return {
      state: 'inconclusive',
      what: issue.message,
      why: issue.path,
      more: issues.length - 1,
      noun: 'issue',
    };
  }
  const measured = scores.filter((score) => score.state === 'scored');
  const score = measured.find(({ met }) => met === false) ?? measured[0];
  if (score === undefined) return null;
  return {
    state: score.met === false ? 'failed' : 'passed',
    what: score.name,
    why: score.reasoning,
    more: measured.length - 1,
    noun: 'score',
  };
}
