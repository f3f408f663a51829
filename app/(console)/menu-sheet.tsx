'use client';

import { X } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';

interface MenuSheetProps {
  onClose: () => void;
  children: ReactNode;
}

/** The whole navigation over the page, for narrow pages. Closes when another page opens. */
export function MenuSheet({ onClose, children }: MenuSheetProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const pathname = usePathname();
  const openedOn = useRef(pathname);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  useEffect(() => {
    if (pathname !== openedOn.current) onClose();
  }, [pathname, onClose]);
  return (
    <dialog
      ref={ref}
      aria-label="Menu"
      onClose={onClose}
      className="text-ink m-0 h-dvh max-h-none w-dvw max-w-none bg-transparent p-0"
    >
      {/* A click outside the menu closes it, as do Escape and the button. */}
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        onClick={onClose}
        className="fixed inset-0 cursor-default"
      />
      <div className="bg-surface border-line relative h-dvh w-[min(280px,calc(100vw-48px))] overflow-y-auto border-r">
        <div className="flex min-h-full flex-col gap-3 p-3">
          <div className="flex items-center justify-between">
            <span className="text-14 px-2 font-semibold">Menu</span>
            <button
              type="button"
              onClick={onClose}
              className="text-ink-2 hover:bg-hover rounded-4 flex size-9 items-center justify-center"
            >
              <X aria-hidden="true" size={16} />
              <span className="sr-only">Close the menu</span>
            </button>
          </div>
          {children}
        </div>
      </div>
    </dialog>
  );
}
