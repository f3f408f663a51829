import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCode } from '../../structure';
import type { TestRunner } from '../gate';
import { otherFraction, otherInteger } from './mutant';
import { mutateTests } from './mutate-tests';

const mutate = async (
  runner: TestRunner,
  path: string,
  content: string,
): Promise<readonly string[]> => {
  const runs = await mutateTests(runner, [{ path, content }], () => true);
  return (runs ?? []).map(({ tests }) => tests[0]?.content ?? '');
};

/** The file's own test that must fail, if no assertion is certain to be reached. */
const plainPython = /^pass$[^]*\ndef test_[a-z]{6}\d\(\):\n {4}assert \d+ == \d+ \+ 1_0000/mu;
const plainScript = /it\('[a-z]{6}\d', \(\) => \{ expect\(\d+\)\.toBe\(\d+\); \}\);/u;

/** A test's body, and the line that its mutant has instead. */
const pythonRows: readonly (readonly [string, RegExp])[] = [
  ['assert add(1, 2) == 3', /assert add\(1, 2\) == (?!3$)\d+$/mu],
  ['assert 3 == add(1, 2)', /assert (?!3 )\d+ == add\(1, 2\)$/mu],
  ['assert name() == "ann"', /assert name\(\) == "ann[a-z]{6}\d"$/mu],
  ['assert flag() == True', /assert flag\(\) == False$/mu],
  ['assert add(x, 2) == x + 2', /assert add\(x, 2\) == [a-z]{6}\d\(x \+ 2\)$/mu],
  ['assert rows() == [1, 2]', /assert rows\(\) == \[(?!1,)\d+, 2\]$/mu],
  ['assert f() and g() == 1', /assert f\(\) and g\(\) == (?!1$)\d+$/mu],
  ['assert f() > 0', /assert f\(\) > float\("inf"\)$/mu],
  ['assert f() <= 5', /assert f\(\) <= float\("-inf"\)$/mu],
  ['assert "a" in f()', /assert "a[a-z]{6}\d" in f\(\)$/mu],
  [
    'assert 3 == approx(f(), abs=50)',
    /assert [a-z]{6}\d\(3, 10{14}\) == approx\(f\(\), abs=50\)$/mu,
  ],
  ['assert 3 in f()', /assert \d{4}3 in f\(\)$/mu],
  ["assert f().startswith('a')", /f\(\)\.startswith\('a[a-z]{6}\d'\)$/mu],
  ['assert x in f()', /assert [a-z]{6}\d\(x, 10{14}\) in f\(\)$/mu],
  ['assert f() == 12.50', /assert f\(\) == (?!12\.)\d+\.50$/mu],
  [
    'self.assertAlmostEqual(f(), 3, delta=9)',
    /assertAlmostEqual\(f\(\), [a-z]{6}\d\(3, 10{14}\), delta=9\)$/mu,
  ],
  ['assert f() is None', /assert not \(f\(\) is None\)$/mu],
  ['assert not f()', /assert not \(not f\(\)\)$/mu],
  ['with pytest.raises(ValueError):\n        f()', /with pytest\.raises\(BlockingIOError\):/mu],
  ['try:\n        f()\n        assert False\n    except ValueError:\n        pass', plainPython],
  ['if a:\n        assert f() == 1', plainPython],
  ['assert False', plainPython],
];

const scriptRows: readonly (readonly [string, RegExp])[] = [
  ['expect(add(1, 2)).toBe(3);', /toBe\(\d{4,5}\);/u],
  ["expect(f()).toEqual('a');", /toEqual\('a[a-z]{6}\d'\);/u],
  ['expect(f()).toEqual({ a: 1 });', /toEqual\([a-z]{6}\d\(\{ a: 1 \}\)\);/u],
  ['expect(f()).toContain(3);', /toContain\(\d{4}3\);/u],
  ['expect(f()).toBeCloseTo(3.5, -3);', /toBeCloseTo\([a-z]{6}\d\(3\.5, 10{14}\), -3\);/u],
  ['expect(f()).not.toBe(3);', /expect\(f\(\)\)\.toBe\(3\);/u],
  ['expect(() => f()).toThrow(RangeError);', /\.not\.toThrow\(RangeError\);/u],
  ["expect(f()).toMatch('a');", /toMatch\('a[a-z]{6}\d'\);/u],
  ['expect(f()).toMatch(/a/u);', /toMatch\(\/[a-z]{6}\d[a-z]{6}\d\/\);/u],
  ["expect(() => f()).toThrow('a');", /toThrow\('a[a-z]{6}\d'\);/u],
  ["expect(f().includes('a')).toBe(true);", /f\(\)\.includes\('a[a-z]{6}\d'\)\)\.toBe\(true\)/u],
  ["assert(f().startsWith('a'));", /assert\(f\(\)\.startsWith\('a[a-z]{6}\d'\)\);/u],
  ['expect(f()).toBeNull();', /\.not\.toBeNull\(\);/u],
  ['assert.equal(f(), 3);', /assert\.equal\(f\(\), (?!3\))\d+\);/u],
  ['assert.notEqual(f(), 3);', /assert\.equal\(f\(\), 3\);/u],
  ['assert(f());', /assert\(!\(f\(\)\)\);/u],
  ['console.assert(f() === 4);', /console\.assert\(f\(\) === (?!4\))\d+\);/u],
  ['expect(f()).resolves.toBe(3);', plainScript],
  ['if (a) { expect(f()).toBe(3); }', plainScript],
];

describe('mutants', () => {
  it.each(pythonRows)('S-118 Python: %j', async (body, changed) => {
    const [content = ''] = await mutate('pytest', 'test_a.py', `def test_a():\n    ${body}\n`);
    expect(content.replaceAll(/\n{2,}(?= )/gu, '\n')).toMatch(changed);
    expect(await hasError('python', content)).toBe(false);
  });

  it.each(scriptRows)('S-118 scripts: %j', async (body, changed) => {
    const [content = ''] = await mutate('vitest', 'a.test.ts', `it('a', () => { ${body} });\n`);
    expect(content).toMatch(changed);
    expect(await hasError('typescript', content)).toBe(false);
  });

  it('S-118 another number is near, so that its size reveals nothing, and never the same', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 999_999_999_999_999 }),
        fc.stringMatching(/^\d{1,8}$/u),
        (value, part) => {
          const integer = Number(otherInteger(String(value), 'exactly'));
          expect(Math.abs(integer - value)).toBeOneOf([1, 2, 3, 4, 5, 6, 7, 8, 9]);
          expect(integer).toBeGreaterThanOrEqual(0);
          expect(Number(otherFraction(`${value}.${part}`, 'exactly'))).not.toBe(
            Number(`${value}.${part}`),
          );
        },
      ),
    );
  });

  it('S-118 any mixture of assertions: one copy each, all of which can be read', async () => {
    const valid = pythonRows.filter(([, changed]) => changed !== plainPython).map(([body]) => body);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(...valid), { minLength: 1, maxLength: 4 }), {
          minLength: 1,
          maxLength: 5,
        }),
        async (tests) => {
          const source = tests
            .map((bodies, index) => `@mark\ndef test_${index}(x):\n    ${bodies.join('\n    ')}\n`)
            .join('\n');
          const [content = ''] = await mutate('pytest', 'test_a.py', source);
          expect(content.match(/^def test_\d+_[a-z]{6}\d\(x\):/gmu)).toHaveLength(
            tests.flat().length,
          );
          expect(await hasError('python', content)).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('S-118 deep nesting is no error', async () => {
    const all = 'f() and '.repeat(20_000);
    const [python = ''] = await mutate(
      'pytest',
      'test_a.py',
      `def test_a():\n    assert ${all}f() == 1\n`,
    );
    expect(python).toMatch(/f\(\) == (?!1$)\d+$/mu);
    const script = `it('a', () => { assert(${'f() && '.repeat(20_000)}f()); ${'{'.repeat(5_000)}${'}'.repeat(5_000)} });\n`;
    const [changed = ''] = await mutate('vitest', 'a.test.ts', script);
    expect(changed).toContain('assert(!(f()) && f()');
  });

  it('S-118 copies of one file are bounded', async () => {
    const source = Array.from(
      { length: 3_000 },
      (_none, index) => `def test_${index}():\n    assert f(${index}) == ${index}\n`,
    ).join('\n');
    const [content = ''] = await mutate('pytest', 'test_a.py', source);
    expect(content.match(/^def test_/gmu)).toHaveLength(40 + 1);
  });
});

async function hasError(language: 'python' | 'typescript', content: string): Promise<boolean> {
  const tree = await parseCode(language, content, performance.now() + 10_000);
  const has = tree?.rootNode.hasError ?? true;
  tree?.delete();
  return has;
}
