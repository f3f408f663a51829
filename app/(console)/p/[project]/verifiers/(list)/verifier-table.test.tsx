import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PassesFrom } from './verifier-table';

const shown = (keys: readonly string[]) =>
  renderToStaticMarkup(
    <PassesFrom thresholds={keys.map((key) => ({ key, value: 0.8, source: 'default' }))} />,
  );

test('a verifier passes from its threshold, has several, or counts', () => {
  expect(shown(['retry_threshold', 'pass_threshold'])).toContain('0.8');
  expect(shown(['pass_tiny', 'pass_small'])).toBe('2 thresholds');
  expect(shown([])).toContain('counts, no threshold');
});
