'use client';

import './globals.css';

/** The layout itself failed, so this page does not use it. */
export default function GlobalError({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  retry: () => void;
}) {
  return (
    <html lang="en">
      <body>
        <title>Assay could not be shown</title>
        <main className="grid justify-items-start gap-3 p-6">
          <h1>Assay could not be shown</h1>
          <p>The console failed to start in this tab. Assay still receives and verifies turns.</p>
          {error.digest ? (
            <p>
              Request id <code className="font-mono">{error.digest}</code>
            </p>
          ) : null}
          <button
            type="button"
            onClick={retry}
            className="border-line-strong rounded-4 h-8 border px-3"
          >
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
