import { expect, test } from 'vitest';
import { costBasisText, lacksPrice } from './cost-basis';

test.each<[readonly string[] | null, string, boolean]>([
  [null, '', false],
  [['sent'], 'sent', false],
  [['list openai/gpt-4o'], 'list price of openai/gpt-4o', false],
  [['own our model', 'sent'], 'own price of our model, sent', false],
  [['none acme', 'sent'], 'no price for acme, sent', true],
  [['none'], 'no model named', true],
])('the origin %j is "%s"', (basis, text, lacks) => {
  expect(costBasisText(basis)).toBe(text);
  expect(lacksPrice(basis)).toBe(lacks);
});
