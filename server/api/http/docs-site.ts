import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';

/** The documentation site that `npm run docs` builds; the console serves it at /docs. */

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * A file of the site, or 404.
 * @param folder of the built site
 * @param path below /docs, decoded, without a leading slash
 */
export async function answerDocs(folder: string, path: string): Promise<Response> {
  const found = await findFile(folder, path);
  if (found !== null) return fileAnswer(found.name, found.bytes, 200);
  const missing = await read(folder, '404.html');
  return missing === null ? notBuilt() : fileAnswer('404.html', missing, 404);
}

/** URLs omit the `.html` of pages and the `index.html` of folders. */
async function findFile(
  folder: string,
  path: string,
): Promise<{ readonly name: string; readonly bytes: Buffer } | null> {
  const plain = path.replace(/\/$/, '');
  const names = extname(plain) === '' || plain.endsWith('.md') ? [] : [plain];
  const pages = plain === '' ? ['index.html'] : [`${plain}.html`, `${plain}/index.html`];
  for (const name of [...names, ...pages]) {
    const bytes = await read(folder, name);
    if (bytes !== null) return { name, bytes };
  }
  return null;
}

/** Null if it is not a file, or is outside the folder. */
async function read(folder: string, name: string): Promise<Buffer | null> {
  const file = resolve(join(folder, name));
  if (name.includes('\0') || !file.startsWith(`${resolve(folder)}${sep}`)) return null;
  return readFile(file).catch(() => null);
}

function fileAnswer(name: string, bytes: Buffer, status: number): Response {
  const type = types[extname(name)] ?? 'application/octet-stream';
  // The names of assets contain a hash of their content.
  const isForGood = name.startsWith('assets/');
  return new Response(new Uint8Array(bytes), {
    status,
    headers: {
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': isForGood ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(type.startsWith('text/html')
        ? { 'content-security-policy': policyOf(bytes.toString('utf8')) }
        : {}),
    },
  });
}

/** Of inline scripts, allows only the page's own, by hash. Style attributes only colour code. */
function policyOf(page: string): string {
  const hashes = Array.from(
    page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g),
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function notBuilt(): Response {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Documentation not built</title></head>
<body><h1>The documentation is not built</h1><p>Run <code>npm run docs</code> in the Assay folder, then load this page again.</p></body></html>`;
  return new Response(page, {
    status: 404,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    },
  });
}
