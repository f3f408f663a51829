import { expect, test } from 'vitest';
import { verdictStyles } from '@/app/_ui/verdict-styles';
import { counterText, differenceText, hostOf, turnsText, verdictWords } from './gateway-words';

test('QV-3 a counter of thousandths reads as turns', () => {
  expect(turnsText(3400)).toBe('3.4');
  expect(turnsText(10_200)).toBe('10.2');
  expect(counterText(3400, 10)).toBe('3.4 of 10 turns');
  expect(counterText(0, 1)).toBe('0 of 1 turn');
});

test('QV-38 without a verifier nothing is counted', () => {
  expect(counterText(null, 10)).toBe('not counted');
  expect(counterText(0, null)).toBe('not counted');
});

test('no two verdicts of the gateway look alike', () => {
  const marks = Object.values(verdictWords).map(
    ({ state }) => `${verdictStyles[state].shape} ${verdictStyles[state].glyph}`,
  );
  expect(new Set(marks).size).toBe(marks.length);
});

test('a difference has its sign and its interval', () => {
  expect(differenceText({ value: 0.125, low: -0.03, high: 0.21 })).toBe(
    '+12.5 points (−3.0 to 21.0)',
  );
  expect(differenceText({ value: -0.2, low: -0.4, high: 0 })).toBe('−20.0 points (−40.0 to 0.0)');
});

test('an upstream is shown by its host', () => {
  expect(hostOf('https://api.openai.com/v1')).toBe('api.openai.com');
  expect(hostOf('http://127.0.0.1:11434/v1')).toBe('127.0.0.1:11434');
  expect(hostOf('ollama')).toBe('ollama');
  expect(hostOf(null)).toBeNull();
});
