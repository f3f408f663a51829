import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parametersScript } from './javascript-parameters';

/** Reads the parameters of the function that a JavaScript text defines. */
const read = (text: string): unknown =>
  JSON.parse(
    String(runInNewContext(`${parametersScript}; JSON.stringify(signatureOf(${text}))`, {})),
  );

describe('the parameters of a JavaScript function', () => {
  it.each<[string, readonly (readonly [string, boolean])[], Readonly<Record<string, boolean>>?]>([
    ['function evaluate() {}', []],
    ['() => 1', []],
    ['output => 1', [['output', true]]],
    ['async output => 1', [['output', true]]],
    ['async (output) => 1', [['output', true]]],
    [
      'function (output, reference = null) {}',
      [
        ['output', true],
        ['reference', false],
      ],
    ],
    ['function* (output) {}', [['output', true]]],
    ['({ async evaluate(output) {} }).evaluate', [['output', true]]],
    [
      'function /* ( */ evaluate(output /* , more */, // )\n reference) {}',
      [
        ['output', true],
        ['reference', true],
      ],
    ],
    [
      '(a = ")", b = `${f(`,`)},(`, c = /[/,)]\\/,/, d) => 1',
      [
        ['a', false],
        ['b', false],
        ['c', false],
        ['d', true],
      ],
    ],
    [
      '(a = { x: [1, 2], y: (3, 4) }, b) => 1',
      [
        ['a', false],
        ['b', true],
      ],
    ],
    [
      '(a = (b, c) => b / c, d = 1 / 2 / 3) => 1',
      [
        ['a', false],
        ['d', false],
      ],
    ],
    [
      '(été, $x, _y) => 1',
      [
        ['été', true],
        ['$x', true],
        ['_y', true],
      ],
    ],
    ['({}) => 1', [], { isObject: true }],
    [
      '({ output, reference = 1 }) => 1',
      [
        ['output', true],
        ['reference', false],
      ],
      { isObject: true },
    ],
    [
      '({ output: it, metadata: { tier = 1 } = {}, tools: [first] }) => 1',
      [
        ['output', true],
        ['metadata', false],
        ['tools', true],
      ],
      { isObject: true },
    ],
    [
      '({ "output": it, \'steps\': x = 2 }) => 1',
      [
        ['output', true],
        ['steps', false],
      ],
      { isObject: true },
    ],
    ['({ output, ...rest } = {}) => 1', [['output', true]], { isObject: true, takesAll: true }],
  ])('%s', (text, names, more = {}) => {
    expect(read(text)).toEqual({ names, isObject: false, takesAll: false, ...more });
  });

  it.each([
    ['class evaluate {}', 'is a class'],
    ['(() => 1).bind(null)', 'bound'],
    ['1', 'has no function evaluate'],
    ['undefined', 'has no function evaluate'],
    ['(...all) => 1', 'cannot be read'],
    ['([first]) => 1', 'cannot be read'],
    ['(output, { reference }) => 1', 'cannot be read'],
    ['({ [name]: it }) => 1', 'cannot be read'],
  ])('%s is a fault', (text, fault) => {
    expect(read(text)).toContain(fault);
  });

  it('are found among any defaults', () => {
    const name = fc.stringMatching(/^[a-z]{3}$/).map((text) => `p_${text}`);
    const value = fc.oneof(
      fc
        .string()
        .map((text) => JSON.stringify(text).replaceAll('\u2028', '').replaceAll('\u2029', '')),
      fc.jsonValue({ maxDepth: 2 }).map((json) => `(${JSON.stringify(json)})`),
      fc.constantFrom('`a${`)`}`', '/[)/]/u', '(x) => ({ y: x })', '1 / 2', '/* ) */ 3'),
    );
    const parameter = fc.tuple(name, fc.option(value));
    const list = fc.uniqueArray(parameter, { selector: ([each]) => each, maxLength: 6 });
    fc.assert(
      fc.property(list, fc.boolean(), (parameters, isObject) => {
        const text = parameters
          .map(([each, standard]) => (standard === null ? each : `${each} = ${standard}`))
          .join(', ');
        const source = isObject ? `({ ${text} }) => 1` : `(${text}) => 1`;
        expect(read(source)).toMatchObject({
          names: parameters.map(([each, standard]) => [each, standard === null]),
        });
      }),
      { numRuns: 300 },
    );
  });
});
