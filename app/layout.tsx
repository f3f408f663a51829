import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Announcer } from './_ui/announcer';
import { Providers } from './_trpc/providers';
import { themeScript } from './theme';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Assay', template: '%s · Assay' },
  description: 'Verifies what language models produce, and verifies its own verifiers',
  icons: { icon: '/icon.svg' },
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { colorScheme: 'light dark' };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? '';
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <link
          rel="preload"
          href="/fonts/geist-latin.woff2"
          as="font"
          type="font/woff2"
          crossOrigin="anonymous"
        />
        {/* Our own constant text; browsers hide the nonce after parsing, hence the suppressed warning. */}
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: themeScript }}
        />
      </head>
      <body>
        <a
          href="#main"
          className="bg-accent text-on-accent rounded-4 sr-only z-50 px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        <Providers>{children}</Providers>
        <Announcer />
      </body>
    </html>
  );
}
