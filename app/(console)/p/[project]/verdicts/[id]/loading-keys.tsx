'use client';

import { useParams } from 'next/navigation';
import { useVerdictKeys } from './use-verdict-keys';

/**
 * While a verdict loads the keys go on working, in the order of the list: who skims must not wait.
 */
export function LoadingKeys() {
  const { project, id } = useParams<{ project: string; id: string }>();
  useVerdictKeys(project, { id: decodeURIComponent(id), previousId: null, nextId: null });
  return null;
}
