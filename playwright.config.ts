import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const { env } = process;
// The shell without a screen first: it does the same in less time. ASSAY_CHROMIUM=/usr/bin/chromium
// chooses the browser, which can be watched.
const places = [
  env.ASSAY_CHROMIUM,
  env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
];
const chromium = places.find((path) => path !== undefined && existsSync(path));

/** Each in a project that it makes: they change nothing that another journey looks at. */
const apart = [
  'anchors.spec.ts',
  'experiments.spec.ts',
  'hostile.spec.ts',
  'live.spec.ts',
  'playground.spec.ts',
  'review.spec.ts',
  'scheduled-reports.spec.ts',
  'trust.spec.ts',
];

// One instance of the whole product for all journeys, started on free ports by e2e/global-setup.ts.
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  globalSetup: './e2e/global-setup.ts',
  workers: 2,
  fullyParallel: false,
  timeout: 120_000,
  // On CI a journey that a busy machine upset is tried twice more, and named flaky in the report.
  retries: env.CI === undefined ? 0 : 2,
  expect: { timeout: 20_000 },
  reporter: [
    ['line'],
    ['json', { outputFile: env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/e2e.json' }],
  ],
  use: {
    // Dates are written as in the reader's locale.
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium !== undefined && { executablePath: chromium }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
  // The first run makes the owner, a project and turns; everything else looks at what it left.
  projects: [
    { name: 'first-run', testMatch: 'first-run.spec.ts' },
    // Need the build alone: they start processes of their own.
    { name: 'deploy', testMatch: ['compose.spec.ts', 'kubernetes.spec.ts', 'sso.spec.ts'] },
    // One after the other: they share the instance's project, and the port of the scripted models.
    {
      name: 'console',
      testIgnore: [
        'first-run.spec.ts',
        'screens.spec.ts',
        'compose.spec.ts',
        'kubernetes.spec.ts',
        'sso.spec.ts',
        'pages.spec.ts',
        ...apart,
      ],
      dependencies: ['first-run'],
      workers: 1,
    },
    // Changes nothing, so it runs in parallel with the others.
    { name: 'pages', testMatch: 'pages.spec.ts', dependencies: ['first-run'], workers: 1 },
    { name: 'apart', testMatch: apart, dependencies: ['first-run'], workers: 1 },
    { name: 'screens', testMatch: 'screens.spec.ts', dependencies: ['first-run'] },
  ],
});
