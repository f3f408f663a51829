'use client';

import { useState } from 'react';

interface DraftOf<Draft> {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}

/**
 * A form's draft of stored data. It follows changes by others until the user types; typed values
 * then stay, regardless of newly loaded data, until they equal the stored data. `stored` is plain
 * data.
 */
export function useDraftOf<Draft extends object>(stored: Draft): DraftOf<Draft> {
  const [edited, setEdited] = useState<Draft | null>(null);
  if (edited !== null && JSON.stringify(edited) === JSON.stringify(stored)) setEdited(null);
  return {
    draft: edited ?? stored,
    change: (part) => setEdited((before) => ({ ...(before ?? stored), ...part })),
  };
}
