'use client';

import { PageFailed } from './(console)/page-failed';

interface Props {
  error: Error & { digest?: string };
  retry: () => void;
}

export default function RootError({ error, retry }: Props) {
  return (
    <main id="main" tabIndex={-1}>
      <PageFailed error={error} retry={retry} />
    </main>
  );
}
