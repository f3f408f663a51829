/**
 * Wilson's score interval for a rate k/n (E. B. Wilson, 1927), both ends 0 to 1:
 *   (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n),  p = k/n, z the normal quantile of (1 +
 *   confidence)/2.
 */
export function wilsonInterval(
  passed: number,
  n: number,
  confidence: number,
): { readonly low: number; readonly high: number } {
  if (n === 0) return { low: 0, high: 1 };
  const z = normalQuantile((1 + confidence) / 2);
  const rate = passed / n;
  const middle = rate + (z * z) / (2 * n);
  const half = z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return {
    low: passed === 0 ? 0 : (middle - half) / scale,
    high: passed === n ? 1 : (middle + half) / scale,
  };
}

/** The x with Φ(x) = p, for p from 0.5 to 0.9999999, by bisection to floating-point precision. */
function normalQuantile(p: number): number {
  let low = 0;
  let high = 8;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Φ(x) = 1/2 + φ(x)·(x + x³/3 + x⁵/(3·5) + …), for x ≥ 0. */
function normalCdf(x: number): number {
  let term = x;
  let sum = x;
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
