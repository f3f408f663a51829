import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neverCompiled } from './rust-conditions';

const broken = 'pub fn broken() -> i32 { "s" }';

describe('Rust code that is never compiled', () => {
  it.each([
    [`fn a() -> char { '"' }\n/*" */ #[cfg(any())]\n${broken}\n// "`],
    [
      `const A: char = '"';\nconst B: &str = "/*";\n#[cfg(any())]\n${broken}\nconst C: &str = "*/";`,
    ],
    [`const A: &str = r#" " /* "#;\n#[cfg(any())]\n${broken}\n// */`],
    [`const A: &[u8] = br##"x"# /*"##;\n#[cfg(any())]\n${broken}\n// */`],
    [`/* /* */ " */\n#[cfg(any())]\n${broken}\n// "`],
    [`#[cfg(unix)]\nfn clear() {}\n#[cfg(windows)]\n${broken}`],
    [
      `#[cfg(target_os = "linux")]\nconst A: i32 = 1;\n#[cfg(target_os = "macos")]\npub(crate) mod calc { ${broken} }`,
    ],
    [`#[cfg(unix)]\nimpl A for X {}\n#[cfg(windows)]\nimpl B for X { ${broken} }`],
    [`macro_rules! skip { ($($t:tt)*) => {}; }\nskip! { ${broken} }`],
    [`macro_rules! skip { ($t:item) => () }\nskip! { ${broken} }`],
    [`macro_rules! skip { (a $($t:tt)*) => { fn other() {} }; }\nskip! { a ${broken} }`],
    [`macro_rules! skip { (@a $t:tt) => { () }; }\nfn main() { skip!(@a { ${broken} }); }`],
    [
      `macro_rules! fine { () => {}; }\nmacro_rules! skip { ($($t:tt)*) => {}; }\nskip! { ${broken} }`,
    ],
    ['macro_rules! a { () => {}; }\n'.repeat(51)],
    [`macro_rules! a { ${'() => {};'.repeat(3_000)} }`],
    [`const A: &str = stringify!(${broken});`],
  ])('S-119 is found: %j', (source) => {
    expect(neverCompiled(source)).not.toBeNull();
  });

  it.each([
    [`fn a<'a>(b: &'a str) -> char { '\\'' }\n#[cfg(test)]\nmod tests { use super::*; }`],
    [`/* #[cfg(any())] /* " */ #[cfg(any())] */\nfn a() {}`],
    [
      '#[cfg(windows)]\nuse std::os::windows::fs;\n#[cfg(windows)]\n#[inline]\npub fn clear() {}\n#[cfg(not(windows))]\npub fn clear() {}',
    ],
    ['fn a() {\n  #[cfg(windows)]\n  { b(); }\n  #[cfg(unix)]\n  { c(); }\n}'],
    ['#[cfg(unix)]\nimpl A for X { }\n#[cfg(windows)]\nimpl A for X { }'],
    ['macro_rules! vec_of { ($($x:expr),*) => { vec![$($x),*] }; () => {}; }'],
    [
      'macro_rules! count { (@one $($x:tt)*) => { () }; ($($x:expr),*) => { [$(count!(@one $x)),*].len() } }\nconst A: usize = count!(1, 2);',
    ],
    [
      'macro_rules! max { ($x:expr) => ($x); ($x:expr, $($y:expr),+) => { std::cmp::max($x, max!($($y),+)) } }',
    ],
  ])('S-119 is not found where all is compiled: %j', (source) => {
    expect(neverCompiled(source)).toBeNull();
  });

  it('S-119 a condition is seen behind any text of characters, strings and comments', () => {
    const piece = fc.constantFrom(
      `'"'`,
      `'\\''`,
      `'\\u{22}'`,
      `"/*"`,
      `"//"`,
      `"\\""`,
      `r"\\"`,
      `r#"""#`,
      `b'"'`,
      `/* " */`,
      `/* /* */ ' */`,
      `// "\n`,
      `'a `,
      ' x ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(neverCompiled(`${pieces.join(' ')}\n#[cfg(any())]\n${broken}`)).not.toBeNull();
        expect(neverCompiled(`${pieces.join(' ')}\n${broken}`)).toBeNull();
      }),
    );
  });
});
