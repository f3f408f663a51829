import type { ReactNode } from 'react';
import { may } from '@/app/(console)/pages';
import { loadProject } from '@/app/_trpc/server';
import { DeleteButton } from './delete-button';

/** The button that deletes what a page shows; nothing for those who may not. */
export async function deleteButtonFor(
  project: string,
  kind: 'session' | 'trace' | 'turn',
  id: string,
): Promise<ReactNode> {
  return may(await loadProject(project), 'settings.write') ? (
    <DeleteButton project={project} kind={kind} id={id} />
  ) : null;
}
