'use client';

import { Button } from './button';
import { Dialog, type DialogProps } from './dialog';
import { FieldError } from './field';

interface FormDialogProps extends Omit<DialogProps, 'keep'> {
  /** The label of the button that submits: a verb. */
  action: string;
  /** While the request runs. */
  busy?: boolean;
  /** While the input is incomplete. */
  disabled?: boolean;
  /** Why the last request failed. */
  problem?: string | null | undefined;
  onSubmit: () => void;
}

/** A dialog with a form, its error, and the buttons that cancel and submit. */
export function FormDialog({
  action,
  busy = false,
  disabled = false,
  problem,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  return (
    <Dialog {...dialog}>
      <form
        className="grid gap-4"
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <FieldError text={problem ?? null} />
        <div className="flex justify-end gap-2">
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy} disabled={disabled}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
