import { createHash } from 'node:crypto';
import { httpRoutes } from './routes';

const style = `body{font:14px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid #8884}`;

/**
 * The page runs no script, loads nothing, and may be in no frame; its only style is allowed by its
 * hash.
 */
export const referencePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A plain reference page of the routes; the full description is `/openapi.json`. No script, no
 * external resource.
 */
export function referencePage(): string {
  const rows = httpRoutes
    .map(
      (route) =>
        `<tr><td><code>${route.method.toUpperCase()}</code></td><td><code>${route.path}</code></td><td>${route.scope ?? '–'}</td><td>${route.summary}</td></tr>`,
    )
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Assay API</title>
<style>${style}</style></head>
<body><h1>Assay API</h1><p>Send <code>Authorization: Bearer asy_…</code>. The full description, OpenAPI 3.1: <a href="openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>Method</th><th>Path</th><th>Key scope</th><th></th></tr></thead><tbody>${rows}</tbody></table></body></html>`;
}
