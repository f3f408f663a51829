/**
 * Amounts as lists and trees show them: short and comparable at a glance; the exact value belongs
 * in a title.
 */

/** `0.4 ms`, `12 ms`, `1.25 s`, `3 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1) return `${Number(ms.toFixed(2))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `950`, `12.4k`, `3.2M`. */
export function countText(count: number): string {
  if (count < 10_000) return count.toLocaleString('en');
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** US dollars: `$0.0012`, `$1.20`. */
export function costText(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.0001) return '<$0.0001';
  return usd < 0.1 ? `$${Number(usd.toFixed(4))}` : `$${usd.toFixed(2)}`;
}
