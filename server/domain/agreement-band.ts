/**
 * Words for a kappa, from Landis and Koch 1977 (calibration.md 5.2): below 0 poor, up to 0.20
 * slight, 0.40 fair, 0.60 moderate, 0.80 substantial, and above that almost perfect. For display
 * only: no decision depends on them.
 */
export type AgreementBand =
  | 'poor'
  | 'slight'
  | 'fair'
  | 'moderate'
  | 'substantial'
  | 'almost perfect';

const bands: readonly (readonly [number, AgreementBand])[] = [
  [0.2, 'slight'],
  [0.4, 'fair'],
  [0.6, 'moderate'],
  [0.8, 'substantial'],
];

/** @param kappa -1..1 */
export function bandOf(kappa: number): AgreementBand {
  if (kappa < 0) return 'poor';
  return bands.find(([maxKappa]) => kappa <= maxKappa)?.[1] ?? 'almost perfect';
}
