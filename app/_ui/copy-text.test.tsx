import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CopyText } from './copy-text';

test('a secret in a command is not shown a second time', () => {
  const command = { label: 'Command', text: "curl -H 'authorization: Bearer asy_0123456789'" };
  expect(renderToStaticMarkup(<CopyText {...command} />)).toContain('asy_0123456789');
  const hidden = renderToStaticMarkup(<CopyText {...command} secret="asy_0123456789" />);
  expect(hidden).not.toContain('asy_0123');
  expect(hidden).toContain('Bearer ••••6789');
});
