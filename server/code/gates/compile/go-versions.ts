// Features added to Go after the installed version (release notes of Go 1.20 to 1.25): the messages
// with which an older compiler rejects them. A newer compiler never prints them, so they indicate
// the version alone.

const place = /^(?:vet: )?(?:\.\/|\/box\/)?[^\s:]+\.go:\d+:\d+: /;

/**
 * The parenthesis names the type of the range expression; the compiler ends its sentence with it.
 */
const language: readonly (readonly [RegExp, string])[] = [
  [
    /^cannot range over .* \((?:untyped int constant(?: -?\d+)?|(?:variable|value|constant -?\d+) of type u?int(?:8|16|32|64)?)\)$/,
    '1.22',
  ],
  [/^cannot range over .* \((?:variable|value) of type (?:func\(|iter\.Seq)[^\n]*\)$/, '1.23'],
  [/^(?:undefined|undeclared name): (?:min|max|clear)$/, '1.21'],
  [/^generic type cannot be alias$|^generic type alias requires /, '1.24'],
];

const packages: ReadonlyMap<string, string> = new Map(
  [
    ['1.20', 'crypto/ecdh runtime/coverage'],
    ['1.21', 'slices maps cmp log/slog testing/slogtest'],
    ['1.22', 'math/rand/v2 go/version'],
    ['1.23', 'iter unique structs'],
    ['1.24', 'weak crypto/mlkem crypto/sha3 crypto/hkdf crypto/pbkdf2 testing/synctest'],
  ].flatMap(([version = '', names = '']) =>
    names.split(' ').map((name): [string, string] => [name, version]),
  ),
);

/** Functions, types and constants by package, and methods by their type. */
const members: ReadonlyMap<string, string> = new Map(
  [
    [
      '1.20',
      'errors.Join context.WithCancelCause context.Cause strings.CutPrefix strings.CutSuffix bytes.CutPrefix bytes.CutSuffix',
    ],
    [
      '1.20',
      'bytes.Clone time.DateTime time.DateOnly time.TimeOnly time.Time.Compare http.NewResponseController http.ResponseController',
    ],
    [
      '1.20',
      'unsafe.SliceData unsafe.String unsafe.StringData sync.Map.Swap sync.Map.CompareAndSwap fs.SkipAll filepath.SkipAll',
    ],
    [
      '1.21',
      'context.AfterFunc context.WithoutCancel context.WithTimeoutCause context.WithDeadlineCause sync.OnceFunc sync.OnceValue',
    ],
    [
      '1.21',
      'sync.OnceValues strings.ContainsFunc bytes.ContainsFunc flag.BoolFunc errors.ErrUnsupported testing.Testing',
    ],
    [
      '1.22',
      'reflect.TypeFor http.Request.PathValue http.Request.SetPathValue http.ServeFileFS sql.Null',
    ],
    ['1.23', 'sync.Map.Clear os.CopyFS filepath.Localize'],
    [
      '1.24',
      'strings.Lines strings.SplitSeq strings.SplitAfterSeq strings.FieldsSeq strings.FieldsFuncSeq bytes.Lines bytes.SplitSeq',
    ],
    ['1.24', 'os.Root os.OpenRoot testing.B.Loop testing.T.Context testing.T.Chdir'],
    ['1.25', 'sync.WaitGroup.Go'],
  ].flatMap(([version = '', names = '']) =>
    names.split(' ').map((name): [string, string] => [name, version]),
  ),
);

const noPackage =
  /^(?:package ([\w/]+) is not in (?:GOROOT|std)\b|could not import ([\w/]+) \(can't find import: )/;
const noMember = /^undefined: (\w+\.\w+)$/;
const notDeclared = /^(\w+) not declared by package (\w+)$/;
const noMethod = /^[^\n]{1,200} undefined \(type \*?([\w.]+) has no field or method (\w+)\)$/;

/**
 * @param isNewer whether the code's `go.mod` requires a newer Go than the installed one: then each
 * name missing in the standard library may be newer
 * @returns the sentence with the Go version that the line needs; null if the code is at fault, or
 * may be
 */
export function newerGo(line: string, isNewer: boolean): string | null {
  const from = place.exec(line)?.[0].length;
  if (from === undefined) return null;
  const text = line.slice(from);
  const version = language.find(([form]) => form.test(text))?.[1] ?? versionOfName(text);
  if (version !== undefined)
    return `The code needs Go ${version}, which is newer than the installed one.`;
  const isStandard = noMember.test(text) || notDeclared.test(text) || noPackage.test(text);
  return isNewer && isStandard
    ? 'The code is written for a newer Go than the installed one: its go.mod says so.'
    : null;
}

function versionOfName(text: string): string | undefined {
  const [, absent, unfound] = noPackage.exec(text) ?? [];
  const name = absent ?? unfound;
  if (name !== undefined) return packages.get(name);
  const [, lone, owner] = notDeclared.exec(text) ?? [];
  if (lone !== undefined) return members.get(`${owner}.${lone}`);
  const [, type, method] = noMethod.exec(text) ?? [];
  return members.get(type === undefined ? (noMember.exec(text)?.[1] ?? '') : `${type}.${method}`);
}

/** @returns the version in a `go.mod`, as [major, minor]; null if it names none */
export function goOf(goMod: string): readonly [number, number] | null {
  const [, major, minor] = /^\s*go\s+(\d+)\.(\d+)/m.exec(goMod) ?? [];
  return major === undefined ? null : [Number(major), Number(minor)];
}

/** Rewrites the lines of a `go.mod` that Go before 1.21 cannot parse: only the version matters. */
export function readableGoMod(goMod: string): string {
  return goMod
    .replaceAll(/^(\s*go\s+\d+\.\d+)(?:\.\d+|(?:rc|beta)\d+)/gm, '$1')
    .replaceAll(/^\s*(?:toolchain|godebug|tool|ignore)\s+(?!\()[^\n]*$/gm, '')
    .replaceAll(/^\s*(?:toolchain|godebug|tool|ignore)\s*\([^)]*\)/gm, '');
}
