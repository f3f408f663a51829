// The minimum version of a language or a runtime that the files of the code declare.
import type { GateFile } from './gate';

type Version = readonly number[];

interface Declaration {
  readonly path: RegExp;
  /** Its groups contain the requirement; the last group that matched counts. */
  readonly form: RegExp;
}

const quoted = String.raw`(?:"([^"\n]{1,100})"|'([^'\n]{1,100})')`;
const declarations: Readonly<Record<'python' | 'node', readonly Declaration[]>> = {
  python: [
    {
      path: /(?:^|\/)pyproject\.toml$/,
      form: new RegExp(String.raw`^\s*requires-python\s*=\s*${quoted}`, 'm'),
    },
    // Poetry's own table.
    {
      path: /(?:^|\/)pyproject\.toml$/,
      form: new RegExp(String.raw`^\s*python\s*=\s*${quoted}`, 'm'),
    },
    { path: /(?:^|\/)setup\.cfg$/, form: /^\s*python_requires\s*=\s*([^\n]{1,100})/m },
    {
      path: /(?:^|\/)setup\.py$/,
      form: new RegExp(String.raw`^[^#\n]*\bpython_requires\s*=\s*${quoted}`, 'm'),
    },
    { path: /(?:^|\/)\.python-version$/, form: /^\s*([\d.]{1,20})/ },
  ],
  node: [
    {
      path: /(?:^|\/)package\.json$/,
      form: /"engines"\s*:\s*\{[^{}]{0,1000}?"node"\s*:\s*"([^"\n]{1,100})"/,
    },
    { path: /(?:^|\/)\.(?:nvmrc|node-version)$/, form: /^\s*v?([\d.]{1,20})/ },
  ],
};

/**
 * @returns the file that declares the highest version, and that version; null if none declares one
 */
export function declaredVersion(
  of: keyof typeof declarations,
  files: readonly GateFile[],
): { readonly path: string; readonly version: Version } | null {
  let found: { readonly path: string; readonly version: Version } | null = null;
  for (const { path, form } of declarations[of]) {
    for (const file of files.filter((one) => path.test(one.path))) {
      const requirement = form
        .exec(file.content)
        ?.slice(1)
        .find((group) => group !== undefined);
      const version = requirement === undefined ? null : lowestOf(requirement);
      if (version !== null && (found === null || isHigher(version, found.version)))
        found = { path: file.path, version };
    }
  }
  return found;
}

/**
 * @param requirement of PEP 440 or of npm: parts that all apply (`>=3.12,<4`, `>=20 <23`), or
 * alternatives (`18 || >=20`)
 * @returns the lowest version that meets it; null if any does
 */
export function lowestOf(requirement: string): Version | null {
  const alternatives = requirement.split('||').map((alternative) => {
    const ranged = alternative
      .replace(/^\s*(v?[\d.]+)\s+-\s+.*$/, '>=$1')
      .replaceAll(/(?:<=?|!=)\s*v?[\d.*]+/g, '');
    const bounds = [
      ...ranged.matchAll(/(?:^|[\s,])(>=|>|~=|~>|===?|=|\^|~)?\s*v?(\d+(?:\.\d+)*)/g),
    ].map(([, , version = '']) => version.split('.').map(Number));
    return bounds.reduce<Version | null>(
      (max, one) => (max === null || isHigher(one, max) ? one : max),
      null,
    );
  });
  return alternatives.reduce(
    (min, one) => (min === null || one === null ? null : isHigher(min, one) ? one : min),
    alternatives[0] ?? null,
  );
}

function isHigher(a: Version, b: Version): boolean {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const [one, other] = [a[i] ?? 0, b[i] ?? 0];
    if (one !== other) return one > other;
  }
  return false;
}
