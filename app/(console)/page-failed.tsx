'use client';

import { PageBody } from '../_ui/page-head';
import { ErrorPanel } from '../_ui/panel';

interface PageFailedProps {
  error: Error & { digest?: string };
  retry: () => void;
}

/** One page failed; the navigation around it still works. */
export function PageFailed({ error, retry }: PageFailedProps) {
  return (
    <PageBody narrow>
      <h1>This page could not be shown</h1>
      <ErrorPanel
        what="Its data could not be loaded"
        works="Assay still receives and verifies turns; other pages may work."
        problem={{
          message: 'The server could not answer.',
          requestId: error.digest ?? null,
          fields: {},
        }}
        onRetry={retry}
      />
    </PageBody>
  );
}
