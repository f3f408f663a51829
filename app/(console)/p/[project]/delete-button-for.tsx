import type { ReactNode } from 'react';
import { may } from '@/app/(console)/pages';
import { loadProject } from '@/app/_trpc/server';
import { DeleteButton } from './delete-button';

/** The button that deletes the page's subject; renders nothing without the permission. */
export async function deleteButtonFor(
  project: string,
  kind: 'session' | 'trace' | 'turn',
  id: string,
): Promise<ReactNode> {
  return may(await loadProject(project), 'settings.write') ? (
    <DeleteButton project={project} kind={kind} id={id} />
  ) : null;
}
