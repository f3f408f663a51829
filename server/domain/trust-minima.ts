/**
 * Minimum number of labels, and of bad ones among them, to measure a verifier (calibration.md
 * 5.11).
 */
export const trustMinima = { labels: 20, defects: 10 } as const;
