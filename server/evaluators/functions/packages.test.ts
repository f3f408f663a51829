import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findPackages, packagesIn } from './packages';

const folder = mkdtempSync(join(tmpdir(), 'assay-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packages of functions', () => {
  it('are the folders that the operator created', () => {
    expect(() => findPackages(folder)).toThrow(
      /^ASSAY_FUNCTION_PACKAGES: .* has no folder "node_modules" or "python"/,
    );
    mkdirSync(join(folder, 'python'));
    expect(findPackages(folder)).toEqual({ node: null, python: join(folder, 'python') });
    mkdirSync(join(folder, 'node_modules'));
    expect(findPackages(folder).node).toBe(join(folder, 'node_modules'));
  });

  it('are mounted for their language only', () => {
    const found = { node: '/a/node_modules', python: '/a/python' };
    expect(packagesIn(found, 'javascript')).toEqual({
      binds: [{ from: '/a/node_modules', to: '/node_modules' }],
      pythonPath: null,
    });
    expect(packagesIn(found, 'python')).toEqual({
      binds: [{ from: '/a/python', to: '/opt/assay/python' }],
      pythonPath: '/opt/assay/python',
    });
    expect(packagesIn({ node: null, python: null }, 'python').binds).toEqual([]);
  });
});
