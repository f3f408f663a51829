// Conditions on Rust code (The Rust Reference, "Conditional compilation"): which of them are never met where a gate compiles.
// Both the program and its tests are compiled, on Linux, with the default features.

const bySystem = /^(?:unix|windows|target_\w+)$/;
/** What both compilations meet. */
const met = new Set([
  'unix',
  'debug_assertions',
  'panic="unwind"',
  'target_os="linux"',
  'target_family="unix"',
  'target_endian="little"',
  'target_pointer_width="64"',
  `target_arch="${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}"`,
]);

/**
 * Finds code that is left out wherever it is compiled here.
 * @returns why, as part of a sentence; null when each condition may be met, or stands next to another for this system
 */
export function neverCompiled(source: string): string | null {
  const code = withoutComments(source);
  const conditions = [...code.matchAll(/#(!?)\s*\[\s*cfg\s*\(((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)/g)];
  if (conditions.length < [...code.matchAll(/#!?\s*\[\s*cfg\b/g)].length) return 'a condition is nested too deeply to be read';
  const unmet: string[] = [];
  let hasOther = false;
  for (const [, inner = '', predicate = ''] of conditions) {
    const [program, tests] = [evaluate(predicate.trim(), false), evaluate(predicate.trim(), true)];
    const value = program.value || tests.value;
    const { isOfSystem } = program;
    if (value && isOfSystem) hasOther = true;
    if (!value && (inner === '!' || !isOfSystem))
      return `a condition that is not met leaves code out: cfg(${predicate.trim().slice(0, 80)})`;
    if (!value) unmet.push(predicate.trim());
  }
  if (/\bcfg_attr\s*\([^\]]*\bcfg\s*\(/.test(code)) return 'a condition inside of an attribute leaves code out';
  if (/\binclude_(?:str|bytes)\s*!\s*[([{]\s*(?:"[^"]*\.rs"|[^"\s])/.test(code)) return 'its crate reads sources as text';
  return unmet.length > 0 && !hasOther ? `a condition that is not met leaves code out: cfg(${unmet[0]?.slice(0, 80)})` : null;
}

/** Strings stay: a condition compares with them. */
function withoutComments(source: string): string {
  return source.replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\/|("(?:[^"\\]|\\[^])*")/g, (_all, text: string | undefined) => text ?? ' ');
}

interface Condition {
  readonly value: boolean;
  /** Whether it asks which system the code is for. */
  readonly isOfSystem: boolean;
}

/** @param isTest whether the tests are compiled, not the program alone */
function evaluate(predicate: string, isTest: boolean): Condition {
  const [, name = '', inside] = /^(\w+)\s*(?:\(([^]*)\))?$/.exec(predicate) ?? [];
  if (inside !== undefined) {
    const parts = split(inside).map((part) => evaluate(part, isTest));
    const isOfSystem = parts.some((part) => part.isOfSystem);
    if (name === 'all') return { value: parts.every(({ value }) => value), isOfSystem };
    if (name === 'any') return { value: parts.some(({ value }) => value), isOfSystem };
    if (name === 'not' && parts.length === 1) return { value: parts[0]?.value === false, isOfSystem };
  }
  const plain = predicate.replaceAll(/\s/g, '');
  const key = plain.split('=')[0] ?? '';
  return { value: met.has(plain) || (isTest && plain === 'test'), isOfSystem: bySystem.test(key) };
}

/** @returns the parts between commas that stand in no brackets */
function split(list: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of list) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (character === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part].map((text) => text.trim()).filter((text) => text !== '');
}
