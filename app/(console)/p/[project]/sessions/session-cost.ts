import type { SessionRow } from '@/app/_trpc/outputs';
import { costText } from '../traces/amounts';

/** The cost of a session, `at least` one if some of its work has no price. */
export function sessionCostText({
  costUsd,
  costAtLeast,
}: Pick<SessionRow, 'costUsd' | 'costAtLeast'>): string {
  if (costUsd === null) return costAtLeast ? 'no price' : '';
  return `${costAtLeast ? 'at least ' : ''}${costText(costUsd)}`;
}
