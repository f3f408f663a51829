'use client';

import { type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** A secret that is shown once must not be lost by a stray Escape. */
  keep?: boolean;
  /** For content to read rather than fill in. */
  wide?: boolean;
}

/** Rendered means open. The native element traps the focus and restores it on close. */
export function Dialog({ title, onClose, children, keep = false, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!keep) onClose();
      }}
      onClose={onClose}
      className={`bg-surface text-ink border-line rounded-8 shadow-raised m-auto border p-5 ${
        wide ? 'w-[min(960px,calc(100vw-32px))]' : 'w-[min(520px,calc(100vw-32px))]'
      }`}
    >
      <h2 id={titleId} className="text-16 pb-3 [overflow-wrap:anywhere]">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
