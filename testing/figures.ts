import { appendFileSync } from 'node:fs';

/**
 * Reports a measurement on standard output, and as one line of JSON in the file that `npm run
 * test:long` reads.
 */
export function reportFigure(
  test: string,
  figures: Readonly<Record<string, string | number>>,
): void {
  process.stdout.write(
    `${test}: ${Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}\n`,
  );
  const file = process.env.ASSAY_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ test, figures })}\n`);
}
