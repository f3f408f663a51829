// Conditions on Rust code (The Rust Reference, "Conditional compilation") that are never met when a
// gate compiles. Both the program and its tests are compiled, on Linux, with the default features.

const bySystem = /^(?:unix|windows|target_\w+)$/;
/** The conditions that both compilations meet. */
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
 * Finds code that every compilation here omits.
 * @returns the reason, as part of a sentence; null if each condition may be met, or its item also
 * exists for this system
 */
export function neverCompiled(source: string): string | null {
  const code = withoutComments(source);
  const conditions = [
    ...code.matchAll(
      /#(!?)\s*\[\s*cfg\s*\(((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)/g,
    ),
  ];
  if (conditions.length < [...code.matchAll(/#!?\s*\[\s*cfg\b/g)].length)
    return 'a condition is nested too deeply to be read';
  const unmet: { readonly item: string; readonly predicate: string }[] = [];
  const items = new Set<string>();
  for (const { 0: whole, 1: inner = '', 2: text = '', index } of conditions) {
    const predicate = text.trim();
    const [program, tests] = [evaluate(predicate, false), evaluate(predicate, true)];
    const value = program.value || tests.value;
    const item = itemAt(code.slice(index + whole.length, index + whole.length + maxItemHead));
    if (value && program.isOfSystem) items.add(item);
    else if (!value && (inner === '!' || !program.isOfSystem)) return notMet(predicate);
    else if (!value) unmet.push({ item, predicate });
  }
  if (/\bcfg_attr\s*\([^\]]*\bcfg\s*\(/.test(code))
    return 'a condition inside of an attribute leaves code out';
  if (/\binclude_(?:str|bytes)\s*!\s*[([{]\s*(?:"[^"]*\.rs"|[^"\s])/.test(code))
    return 'its crate reads sources as text';
  if (/\bstringify\s*!\s*[([{][^;]{0,500}?\b(?:fn|impl|mod|struct)\b/.test(code))
    return 'code is only turned into text';
  const other = unmet.find(({ item }) => item !== 'use' && !items.has(item));
  return other === undefined ? macroThatSkips(code) : notMet(other.predicate);
}

const notMet = (predicate: string): string =>
  `a condition that is not met leaves code out: cfg(${predicate.slice(0, 80)})`;

/** Characters after a condition that contain the name of its item. */
const maxItemHead = 500;

/**
 * @returns kind and name of the item after a condition; `use` for imports, empty for blocks and
 * fields
 */
function itemAt(text: string): string {
  const head = text
    .replace(/^\s*\]/, '')
    .replaceAll(/^(?:\s*#\s*\[[^\]]*\])+/g, '')
    .trim();
  const [, kind = '', name = ''] =
    /^(?:(?:pub(?:\s*\([^)]*\))?|unsafe|async|default|extern\s+"[^"]*"|const(?=\s+(?:unsafe\s+|async\s+)?fn\b))\s+)*(fn|struct|enum|union|trait|impl|mod|type|static|const|macro_rules!|use|extern\s+crate)\b\s*(?:mut\s+)?([^{(;=]*)/.exec(
      head,
    ) ?? [];
  if (kind === 'use' || kind.startsWith('extern')) return 'use';
  return kind === ''
    ? ''
    : `${kind} ${kind === 'impl' ? name.replaceAll(/\s+/g, ' ').trim() : (/^\w+/.exec(name)?.[0] ?? '')}`;
}

/** Bounds the time of reading them. */
const maxMacros = 50;
const maxMacroBody = 20_000;

/**
 * A macro that ignores part of its input could ignore the whole deliverable. Rules that start with
 * `@` may: by convention only the macro itself uses them, to count.
 */
function macroThatSkips(code: string): string | null {
  const macros = [...code.matchAll(/\bmacro_rules\s*!\s*(\w+)\s*(?=[{([])/g)];
  if (macros.length > maxMacros) return `it has more than ${maxMacros} macros`;
  for (const { 0: head, 1: name = '', index } of macros) {
    const start = index + head.length;
    const end = endOfGroup(code, start);
    const body = code.slice(start + 1, end);
    if (body.length > maxMacroBody)
      return `the macro ${name} is longer than ${maxMacroBody} characters`;
    const isCalledByRule = new RegExp(`\\b${name}\\s*!\\s*[({[]\\s*@`).test(
      code.slice(0, index) + code.slice(end),
    );
    for (const [, matcher = '', result = ''] of body.matchAll(
      /([({[][^;]{0,500}?[)}\]])\s*=>\s*([({[][^;]{0,1000})/g,
    )) {
      if (/^.\s*@/.test(matcher) && !isCalledByRule) continue;
      const captured = [...matcher.matchAll(/\$(\w+)\s*:\s*(?:tt|item|block|stmt|expr)\b/g)].map(
        ([, variable = '']) => variable,
      );
      const isIgnored = captured.some((variable) => !new RegExp(`\\$${variable}\\b`).test(result));
      if (isIgnored) return `the macro ${name} leaves out code that it gets`;
    }
  }
  return null;
}

/** @returns the position after the brackets that open at `start` */
function endOfGroup(code: string, start: number): number {
  const bracket = /[()[\]{}]/g;
  bracket.lastIndex = start;
  let depth = 0;
  for (let found = bracket.exec(code); found !== null; found = bracket.exec(code)) {
    depth += '([{'.includes(found[0]) ? 1 : -1;
    if (depth === 0) return bracket.lastIndex;
  }
  return code.length;
}

/**
 * Strings are kept, since conditions compare with them. Comments nest, and character literals and
 * raw strings contain quotes too (The Rust Reference, "Tokens").
 */
function withoutComments(source: string): string {
  const token =
    /\/\/[^\n]*|\/\*|\br?b?r(#*)"|"(?:[^"\\]|\\[^])*"|'(?:\\(?:u\{[^}'\n]*\}|x\w\w|[^])|[^'\\\n])'/gu;
  let output = '';
  let at = 0;
  for (let found = token.exec(source); found !== null; found = token.exec(source)) {
    const [text, hashes] = found;
    let end = token.lastIndex;
    if (text === '/*') end = endOfComment(source, end);
    else if (hashes !== undefined) {
      const close = source.indexOf(`"${hashes}`, end);
      end = close < 0 ? source.length : close + 1 + hashes.length;
    }
    const isComment = text.startsWith('//') || text === '/*';
    output +=
      source.slice(at, found.index) +
      (isComment ? ' ' : text.startsWith("'") ? "' '" : source.slice(found.index, end));
    token.lastIndex = end;
    at = end;
  }
  return output + source.slice(at);
}

function endOfComment(source: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 1;
  for (let found = mark.exec(source); found !== null; found = mark.exec(source)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return source.length;
}

interface Condition {
  readonly value: boolean;
  /** Whether it tests the target system. */
  readonly isOfSystem: boolean;
}

/** @param isTest whether the tests are compiled, and not only the program */
function evaluate(predicate: string, isTest: boolean): Condition {
  const [, name = '', inside] = /^(\w+)\s*(?:\(([^]*)\))?$/.exec(predicate) ?? [];
  if (inside !== undefined) {
    const parts = split(inside).map((part) => evaluate(part, isTest));
    const isOfSystem = parts.some((part) => part.isOfSystem);
    if (name === 'all') return { value: parts.every(({ value }) => value), isOfSystem };
    if (name === 'any') return { value: parts.some(({ value }) => value), isOfSystem };
    if (name === 'not' && parts.length === 1)
      return { value: parts[0]?.value === false, isOfSystem };
  }
  const plain = predicate.replaceAll(/\s/g, '');
  const key = plain.split('=')[0] ?? '';
  return { value: met.has(plain) || (isTest && plain === 'test'), isOfSystem: bySystem.test(key) };
}

/** @returns the parts between commas outside brackets */
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
