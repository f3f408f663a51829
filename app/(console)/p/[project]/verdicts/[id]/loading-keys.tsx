'use client';

import { useParams } from 'next/navigation';
import { useVerdictKeys } from './use-verdict-keys';

/**
 * The keys keep working while a verdict loads, in the order of the list: a reader who skims must
 * not wait.
 */
export function LoadingKeys() {
  const { project, id } = useParams<{ project: string; id: string }>();
  useVerdictKeys(project, { id: decodeURIComponent(id), previousId: null, nextId: null });
  return null;
}
