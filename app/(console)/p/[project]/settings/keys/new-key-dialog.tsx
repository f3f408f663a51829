'use client';

import type { ReactNode } from 'react';
import { Button } from '@/app/_ui/button';
import { CopyText } from '@/app/_ui/copy-text';
import { Dialog } from '@/app/_ui/dialog';

/** Shows a newly created key, once. */
export function NewKey({
  value,
  children,
  onClose,
}: {
  value: string;
  children?: ReactNode;
  onClose: () => void;
}) {
  return (
    <Dialog title="Copy the new key" keepOpen onClose={onClose}>
      <div className="grid gap-3">
        <p>
          It is shown only now: Assay stores only its hash. Until you close this tab, commands that
          you copy contain it.
        </p>
        <CopyText label="New key" text={value} />
        {children}
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
