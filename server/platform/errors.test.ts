import { expect, test, vi } from 'vitest';

test('errors of two copies of this module are recognised by each other: Next bundles it twice', async () => {
  const one = await import('./index');
  vi.resetModules();
  const two = await import('./index');
  expect(one.AssayError).not.toBe(two.AssayError);
  const error = one.unauthorized('no key');
  expect(error instanceof two.AssayError).toBe(true);
  expect(two.asAssayError(error)).toBe(error);
  expect(new Error('x') instanceof two.AssayError).toBe(false);
  for (const value of [null, undefined, 'x', 7, {}, { name: 'AssayError', code: 'unauthorized' }])
    expect((value as unknown) instanceof two.AssayError).toBe(false);
});
