import { useLayoutEffect } from 'react';

/**
 * Returns the focus, on unmount, to the element that had it before. A layout effect: a dialog
 * that replaces another finds the focus returned to the first one's opener.
 */
export function useReturnFocus(): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
}
