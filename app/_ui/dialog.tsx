'use client';

import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** A secret that is shown once must not be lost by a stray Escape. */
  keepOpen?: boolean;
  /** For content to read rather than fill in. */
  wide?: boolean;
}

export const loadDialog = () => import('./dialog-impl');

/** Rendered means open. Keeps the focus inside, and returns it when it closes. */
export const Dialog = dynamic(loadDialog, { ssr: false });
