'use client';

import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';
import { useReturnFocus } from '../_ui/use-return-focus';

interface MenuSheetProps {
  onClose: () => void;
  children: ReactNode;
}

/** The whole navigation over the page, for narrow pages. Closes when another page opens. */
export default function MenuSheet({ onClose, children }: MenuSheetProps) {
  const pathname = usePathname();
  const openedOn = useRef(pathname);
  useReturnFocus();
  useEffect(() => {
    if (pathname !== openedOn.current) onClose();
  }, [pathname, onClose]);
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          finalFocus={false}
          className="bg-surface text-ink border-line fixed inset-y-0 left-0 z-40 w-[min(280px,calc(100vw-48px))] overflow-y-auto border-r"
        >
          <div className="flex min-h-full flex-col gap-3 p-3">
            <div className="flex items-center justify-between">
              <Dialog.Title className="text-14 px-2 font-semibold">Menu</Dialog.Title>
              <Dialog.Close className="text-ink-2 hover:bg-hover rounded-4 flex size-9 items-center justify-center">
                <X aria-hidden="true" size={16} />
                <span className="sr-only">Close the menu</span>
              </Dialog.Close>
            </div>
            {children}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
