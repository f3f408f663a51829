import { quantityText, readVerifierName } from '../domain';

/** `0.125` as `12.5%`. */
export const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;

/** `0.00123` as `$0.0012`, and from one dollar on with cents. */
export const dollars = (usd: number): string =>
  `$${usd.toLocaleString('en', usd < 1 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** `43200` as `30 days`: uses the largest unit without a fraction. */
export function spanOf(minutes: number): string {
  if (minutes % 1440 === 0) return quantityText(minutes / 1440, 'day');
  if (minutes % 60 === 0) return quantityText(minutes / 60, 'hour');
  return quantityText(minutes, 'minute');
}

/** `agent-output:self` as `Agent output, of its own work`. */
export function verifierName(series: string): string {
  const { slug, self } = readVerifierName(series);
  const words = slug.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${self ? ', of its own work' : ''}`;
}

/** Seconds in human-readable form. */
export function duration(seconds: number): string {
  const wholeSeconds = Math.round(seconds);
  if (wholeSeconds < 120) return quantityText(wholeSeconds, 'second');
  if (wholeSeconds < 7200) return quantityText(Math.round(wholeSeconds / 60), 'minute');
  return quantityText(Math.round(wholeSeconds / 3600), 'hour');
}

/** The page of one verifier's measures. */
export const verifierPage = (series: string): string =>
  `/calibration/verifier?verifier=${encodeURIComponent(series)}`;
