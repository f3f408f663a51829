'use client';

import { Dialog } from '@base-ui/react/dialog';
import type { DialogProps } from './dialog';
import { useReturnFocus } from './use-return-focus';

export default function DialogImpl({
  title,
  onClose,
  children,
  keepOpen = false,
  wide = false,
}: DialogProps) {
  useReturnFocus();
  return (
    <Dialog.Root
      open
      // A click outside a form must not discard its input.
      disablePointerDismissal
      onOpenChange={(open) => {
        if (!open && !keepOpen) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          finalFocus={false}
          className={`bg-surface text-ink border-line rounded-8 shadow-raised fixed inset-0 z-40 m-auto h-fit max-h-[calc(100dvh-32px)] overflow-y-auto border p-5 ${
            wide ? 'w-[min(960px,calc(100vw-32px))]' : 'w-[min(520px,calc(100vw-32px))]'
          }`}
        >
          <Dialog.Title className="text-16 pb-3 [overflow-wrap:anywhere]">{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
