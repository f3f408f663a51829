'use client';

import { useState } from 'react';
import { may } from '@/app/(console)/pages';
import type { Project } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import type { KeyScope } from '@/server/access/input';
import { CreateKeyDialog } from './create-key-dialog';
import { useNewKey } from './use-new-key';

interface CreateKeyHereProps {
  project: Project;
  /** Scopes that the command next to it needs; preselected in the dialog. */
  scopes: readonly [KeyScope, ...KeyScope[]];
  onCreated?: () => void;
}

/**
 * Creates a key without leaving the page whose command needs it. The button stays afterwards, since
 * the focus returns to it.
 */
export function CreateKeyHere({
  project,
  scopes,
  onCreated = () => undefined,
}: CreateKeyHereProps) {
  const [open, setOpen] = useState(false);
  const newKey = useNewKey(project.slug, scopes[0]);
  if (!may(project, 'keys.write')) return null;
  return (
    <div>
      <Button variant={newKey === null ? 'primary' : 'plain'} onClick={() => setOpen(true)}>
        {newKey === null ? 'Create a key' : 'Create another key'}
      </Button>
      {open ? (
        <CreateKeyDialog
          project={project.slug}
          also={scopes}
          onCreated={onCreated}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  );
}
