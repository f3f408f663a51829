'use client';

import dynamic from 'next/dynamic';

// A page shows one of them, so the browser loads only that one.
export const ThresholdEditor = dynamic(() =>
  import('./threshold-editor').then((module) => module.ThresholdEditor),
);
export const ThresholdIndex = dynamic(() =>
  import('./threshold-index').then((module) => module.ThresholdIndex),
);
