import { expect, test } from 'vitest';
import { ssoProblem } from './sso-words';

test('known reasons have their own texts, and a stranger’s text never reaches the page', () => {
  expect(ssoProblem('not_mapped')).toMatch(/no group that may use Assay/);
  for (const code of ['', 'toString', '__proto__', '<b>Call 555</b>', 'invalid_code'])
    expect(ssoProblem(code), code).toMatch(/^Single sign-on failed\. Try again\./);
});
