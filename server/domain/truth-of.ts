import { deriveOutcome } from './verdict';

/**
 * Whether a verdict rates the subject as good: true, false, or null if it does neither (X-1 counts
 * only the first two).
 */
export function truthOf(verdict: string | null): boolean | null {
  const outcome = deriveOutcome(verdict);
  if (outcome === 'passed') return true;
  return outcome === 'failed' ? false : null;
}
