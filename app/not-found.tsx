import type { Metadata } from 'next';
import Link from 'next/link';
import { PageBody } from './_ui/page-head';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <PageBody narrow>
        <h1>There is nothing here</h1>
        <p>
          The address is wrong, the page was deleted, or it belongs to a project that you are not a
          member of.
        </p>
        <p>
          <Link href="/" className="underline">
            Go to your projects
          </Link>
        </p>
      </PageBody>
    </main>
  );
}
