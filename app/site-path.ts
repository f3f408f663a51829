/**
 * The target after signing in: a path of this site, else `/` (S-59). `//evil` and `/\evil` name
 * another host, browsers drop tabs and newlines inside a URL, and a scheme is never a path.
 */
export function sitePath(next: string | null | undefined): string {
  if (!next?.startsWith('/') || /^\/[/\\]/.test(next)) return '/';
  for (const char of next) {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f || char === '\\') return '/';
  }
  const base = 'http://assay.invalid';
  try {
    const url = new URL(next, base);
    // `/.//evil` is an own path that becomes `//evil` once its dots are resolved.
    return url.origin === base && !url.pathname.startsWith('//')
      ? url.pathname + url.search + url.hash
      : '/';
  } catch {
    return '/';
  }
}
