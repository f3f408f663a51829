import { deriveOutcome } from './verdict';

/**
 * Whether a verdict rates the subject as good; null if it is neither a pass nor a fail, which X-1
 * does not count.
 */
export function truthOf(verdict: string | null): boolean | null {
  const outcome = deriveOutcome(verdict);
  if (outcome === 'passed') return true;
  return outcome === 'failed' ? false : null;
}
