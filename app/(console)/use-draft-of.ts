'use client';

import { useState } from 'react';

interface DraftOf<Draft> {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}

/**
 * A form's draft of what is stored. It follows what others store until somebody types; what was
 * typed then stays, whatever is read behind it, until it is what is stored. `stored` is plain data.
 */
export function useDraftOf<Draft extends object>(stored: Draft): DraftOf<Draft> {
  const [edited, setEdited] = useState<Draft | null>(null);
  if (edited !== null && JSON.stringify(edited) === JSON.stringify(stored)) setEdited(null);
  return {
    draft: edited ?? stored,
    change: (part) => setEdited((before) => ({ ...(before ?? stored), ...part })),
  };
}
