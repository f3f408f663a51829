'use client';

import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { FieldError } from './field';

interface ConfirmProps {
  title: string;
  /** The verb of the action: `Revoke key`. */
  action: string;
  children: ReactNode;
  busy: boolean;
  error: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** For irreversible actions: states the consequence, and the safe button has the focus. */
export function Confirm({
  title,
  action,
  children,
  busy,
  error,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="grid gap-3">
        <div className="text-ink-2">{children}</div>
        <FieldError text={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
