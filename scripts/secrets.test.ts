// S-105: neither the repository, nor its history, nor the image contains a secret.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './data-dir.mjs';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
    .split('\n')
    .filter(Boolean);

/** Files that contain secrets, in any folder. */
const secretFile =
  /(?:^|\/)(?:\.env(?:\.(?!example$)[\w.]+)?|secret\.env|\.npmrc|\.netrc|\.pgpass|id_(?:rsa|ecdsa|ed25519)|credentials(?:\.json)?|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|dump))$/;
/** Forms of real keys. Tests and their vectors contain made-up ones, which masking has to find. */
const secretText = new RegExp(
  [
    '-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\\s+[A-Za-z0-9+/=]{32}',
    '\\bAKIA[A-Z0-9]{16}\\b',
    '\\bgh[pousr]_[A-Za-z0-9]{36}\\b',
    '\\bgithub_pat_[A-Za-z0-9_]{60,}',
    '\\bglpat-[A-Za-z0-9_-]{20}\\b',
    '\\bxox[abprs]-[A-Za-z0-9-]{20,}',
    '\\bsk-(?:ant|proj|or)-[A-Za-z0-9_-]{24,}',
    '\\bAIza[A-Za-z0-9_-]{35}\\b',
    '\\basy_[a-z]{1,8}_[0-9a-f]{20}_[A-Za-z0-9_-]{33}\\b',
    '\\bwhsec_[A-Za-z0-9+/]{32}\\b',
  ].join('|'),
);

test('S-105 no file of the repository is one for secrets, now or ever', () => {
  const ever = git('log', '--all', '--diff-filter=A', '--name-only', '--format=');
  const now = git('ls-files');
  expect(ever.length).toBeGreaterThan(1000);
  expect([...new Set([...ever, ...now])].filter((path) => secretFile.test(path))).toEqual([]);
});

test('S-105 no file of the product contains a key', () => {
  const product = git('ls-files').filter(
    (path) =>
      /\.(?:ts|tsx|mjs|cjs|js|json|md|ya?ml|sql|sh|py|css|html|txt|example)$|Dockerfile$/.test(
        path,
      ) && !/\.(?:test|spec)\.tsx?$|^(?:testing|e2e|bench)\//.test(path),
  );
  expect(product.length).toBeGreaterThan(1000);
  const found = product.filter((path) => secretText.test(readFileSync(join(root, path), 'utf8')));
  expect(found).toEqual([]);
});

test.each([
  '.env',
  'deploy/.env',
  '.env.production',
  'deploy/kubernetes/overlays/a/secret.env',
  'ssl/server.key',
  'id_ed25519',
])('S-105 %s would be found', (path) => {
  expect(secretFile.test(path)).toBe(true);
});

test.each(['deploy/env.example', '.env.example', 'app/key.tsx', 'server/access/keys.ts'])(
  'S-105 %s is no file for secrets',
  (path) => {
    expect(secretFile.test(path)).toBe(false);
  },
);

test.each([
  `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(40)}`,
  `AKIA${'A'.repeat(16)}`,
  `ghp_${'a'.repeat(36)}`,
  `sk-ant-${'a'.repeat(30)}`,
  `asy_iv_${'0'.repeat(20)}_${'a'.repeat(33)}`,
])('S-105 %j would be found', (text) => {
  expect(secretText.test(`key = "${text}"`)).toBe(true);
});

test('S-105 the image contains no history, no data and no secrets', () => {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  for (const line of [
    '.git',
    '.assay',
    'deploy/.env',
    'deploy/kubernetes/overlays/*/secret.env',
    '**/*.test.ts',
    'e2e',
    'testing',
  ])
    expect(ignored).toContain(line);
  expect(ignored.filter((line) => line.startsWith('!'))).toEqual([]);
  const docker = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  // A build argument or a variable stays readable in the image.
  expect(docker).not.toMatch(/^(?:ARG|ENV) .*(?:SECRET|PASSWORD|TOKEN|KEY)/im);
  expect(docker).toMatch(/^USER node$/m);
});
