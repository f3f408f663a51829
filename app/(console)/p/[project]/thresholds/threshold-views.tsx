'use client';

import dynamic from 'next/dynamic';

// A page shows one of them: the browser loads that one alone.
export const ThresholdDesk = dynamic(() =>
  import('./threshold-desk').then((module) => module.ThresholdDesk),
);
export const ThresholdIndex = dynamic(() =>
  import('./threshold-index').then((module) => module.ThresholdIndex),
);
