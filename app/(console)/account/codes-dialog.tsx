'use client';

import { Button } from '@/app/_ui/button';
import { CopyText } from '@/app/_ui/copy-text';
import { Dialog } from '@/app/_ui/dialog';

interface CodesDialogProps {
  codes: readonly string[];
  onClose: () => void;
}

/** Backup codes, shown once. */
export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  return (
    <Dialog title="Keep your backup codes" keepOpen onClose={onClose}>
      <div className="grid gap-3">
        <p>
          Each code works once, in place of a code from the app. They are shown only now: store them
          with your passwords.
        </p>
        <CopyText label="Backup codes" text={codes.join('\n')} />
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
