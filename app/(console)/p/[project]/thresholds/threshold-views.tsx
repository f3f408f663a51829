'use client';

import dynamic from 'next/dynamic';

// A page shows one of them, so the browser loads only that one.
export const ThresholdDesk = dynamic(() =>
  import('./threshold-desk').then((module) => module.ThresholdDesk),
);
export const ThresholdIndex = dynamic(() =>
  import('./threshold-index').then((module) => module.ThresholdIndex),
);
