import type { ModelTier } from '../../domain';

/** The limits of a size class (QEL-23). Small models write slowly: their gates may take longer. */
export interface TierLimits {
  /** Pass mark in points, 0 to 100; the default of the configurable threshold (QEL-26). */
  readonly passThreshold: number;
  readonly compileTimeoutMs: number;
  readonly testTimeoutMs: number;
}

export const tierLimits: Readonly<Record<ModelTier, TierLimits>> = {
  tiny: { passThreshold: 55, compileTimeoutMs: 40_000, testTimeoutMs: 180_000 },
  small: { passThreshold: 65, compileTimeoutMs: 40_000, testTimeoutMs: 180_000 },
  medium: { passThreshold: 75, compileTimeoutMs: 25_000, testTimeoutMs: 120_000 },
  large: { passThreshold: 80, compileTimeoutMs: 20_000, testTimeoutMs: 90_000 },
  xlarge: { passThreshold: 85, compileTimeoutMs: 15_000, testTimeoutMs: 60_000 },
};
