import { deriveOutcome } from './verdict';

/**
 * Whether a verdict says that the subject was good: true, false, or null where it says neither (X-1
 * counts the first two only).
 */
export function truthOf(verdict: string | null): boolean | null {
  const outcome = deriveOutcome(verdict);
  if (outcome === 'passed') return true;
  return outcome === 'failed' ? false : null;
}
