import type { Issue } from '../domain';
import type { Rederived } from './rederive';
import type { JudgedDecision } from './kind';

/**
 * A judge that did not see everything never gives a clean pass (S-125): a would-be pass becomes
 * `needs_review`, a person reviews it, and the issue `shortened` states the number of characters
 * omitted. Other verdicts are kept, since the part that the judge saw decided them. Kinds with the
 * verdict `partial` apply it by their own rule.
 */

/**
 * The issue of a verdict whose judge did not see `leftOut` characters; none if it saw everything.
 */
export function shortenedIssues(
  leftOut: number,
  what: string,
  path: string | null,
): readonly Issue[] {
  if (leftOut === 0) return [];
  const message = `The judge was not shown ${leftOut} characters of ${what}: it is too long for judging in windows`;
  return [
    { code: 'shortened', message: message.slice(0, 500).toWellFormed(), severity: 'medium', path },
  ];
}

/**
 * Withholds a would-be pass, and records that in the basis; returns the decision unchanged if the
 * judge saw everything.
 */
export function withholdPass<Detail>(
  decided: JudgedDecision<Detail> & { readonly basis: object },
  leftOut: number,
  passes: boolean,
): JudgedDecision<Detail> {
  if (leftOut === 0) return decided;
  const basis = { ...decided.basis, shortened: true };
  return passes
    ? { ...decided, action: 'escalate', needsHumanReview: true, basis }
    : { ...decided, basis };
}

/** Whether a stored basis is that of a verdict whose judge did not see everything. */
export const isShortened = (basis: unknown): boolean =>
  typeof basis === 'object' && basis !== null && 'shortened' in basis && basis.shortened === true;

/** As `withholdPass`, for a decision recomputed under other thresholds. */
export const withheld = (ruled: Rederived): Rederived =>
  ruled.outcome === 'passed'
    ? { ...ruled, outcome: 'needs_review', needsHumanReview: true }
    : ruled;
