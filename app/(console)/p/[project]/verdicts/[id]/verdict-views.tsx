'use client';

import dynamic from 'next/dynamic';

// A page shows one of them, so the browser loads only that one.
export const CheckpointView = dynamic(() =>
  import('./checkpoint/checkpoint-view').then((module) => module.CheckpointView),
);
export const CodeView = dynamic(() => import('./code/code-view').then((module) => module.CodeView));
export const SubjectView = dynamic(() =>
  import('./subject/subject-view').then((module) => module.SubjectView),
);
export const VerdictView = dynamic(() =>
  import('./verdict-view').then((module) => module.VerdictView),
);
