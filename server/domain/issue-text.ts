import type { z } from 'zod';

/**
 * Describes a zod issue as a predicate of its field, such as "must be a string, not null". Handles
 * every issue code of zod 4 (https://zod.dev/error-customization), and is installed as zod's error
 * map; a schema's own message takes precedence. Secret texts are never repeated.
 */

/** An issue as zod passes it to an error map. */
export type RawIssue = z.core.$ZodRawIssue;

/** An issue of a union member, already evaluated and without its input. */
interface ReadIssue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly values?: readonly z.core.util.Primitive[];
  readonly errors?: readonly (readonly ReadIssue[])[];
}

/** Appends the nearest known name to an unknown one. */
type Unknown = (name: string, known: ReadonlySet<string>) => string;

/**
 * The message if a member of a union accepted the value's type: the fault is then inside the value,
 * and the issues of that member describe it.
 */
export const insideUnion = 'has none of the allowed formats';

const listedMax = 10;
const keysMax = 20;
const longestShown = 40;
const secret = /key|secret|password|token|credential|authori[sz]ation|cookie|header|signature/i;

export function issueText(issue: RawIssue, unknown: Unknown = () => 'is not known'): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.input);
    case 'invalid_value':
      return noneOf(issue.values, issue.input, issue.path);
    case 'too_small':
    case 'too_big':
      return outOfRange(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${String(issue.input)}`;
    case 'invalid_format':
      return wrongFormat(issue);
    case 'unrecognized_keys':
      return textOfKeys(issue.keys, knownOf(issue.inst), unknown);
    case 'invalid_union':
      return unionText(issue);
    case 'invalid_key':
      return `has a name that ${firstOf(issue.issues)}`;
    case 'invalid_element':
      return `has an item that ${firstOf(issue.issues)}`;
    case 'custom':
      return 'is not valid';
  }
}

/** One line per name, in order. */
function textOfKeys(keys: readonly string[], known: ReadonlySet<string>, unknown: Unknown): string {
  return keys
    .slice(0, keysMax)
    .map((key) => unknown(key, known))
    .join('\n');
}

const firstOf = (issues: readonly { readonly message: string }[]): string =>
  issues[0]?.message ?? 'is not valid';

const nouns: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['bigint', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['map', 'an object'],
  ['array', 'an array'],
  ['tuple', 'an array'],
  ['set', 'an array'],
  ['date', 'a time'],
  ['file', 'a file'],
  ['null', 'null'],
]);

const nounOf = (expected: string): string => nouns.get(expected) ?? `of the type ${expected}`;

function wrongType(expected: string, input: unknown): string {
  if (expected === 'never' || expected === 'undefined' || expected === 'void')
    return 'must be left out';
  if (expected === 'nonoptional') return 'is required';
  const must = `must be ${nounOf(expected)}`;
  if (input === undefined) return `is required and ${must}`;
  // A text that could not be converted to a number or a time.
  if (Number.isNaN(input) || (input instanceof Date && Number.isNaN(input.getTime()))) return must;
  return `${must}, not ${expected === 'int' && typeof input === 'number' ? input : kindOf(input)}`;
}

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  if (input instanceof Date) return 'a time';
  if (typeof input === 'object') return 'an object';
  return typeof input === 'boolean' ? String(input) : `a ${typeof input}`;
}

function noneOf(
  values: readonly z.core.util.Primitive[],
  input: unknown,
  path: readonly PropertyKey[] | undefined,
): string {
  // zod also lists `undefined` for the key of a union that has a default.
  const known = values.filter((value) => value !== undefined);
  const listed = known.slice(0, listedMax).map(literal);
  const more = known.length - listed.length;
  const must =
    listed.length === 1
      ? `must be ${listed[0] ?? ''}`
      : `must be one of ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return input === undefined ? `is required and ${must}` : `${must}, not ${shown(input, path)}`;
}

const literal = (value: z.core.util.Primitive): string =>
  typeof value === 'string' ? `\`${value}\`` : String(value);

/**
 * A value in a form that a response may repeat; only the type for secrets and values without a
 * path.
 */
function shown(input: unknown, path: readonly PropertyKey[] = []): string {
  if (typeof input === 'number') return String(input);
  if (typeof input !== 'string') return kindOf(input);
  if (input === '') return 'an empty string';
  if (path.length === 0 || path.some((part) => secret.test(String(part)))) return 'this string';
  const text = input.length > longestShown ? `${input.slice(0, longestShown)}…` : input;
  return `\`${text.replaceAll(/[\p{C}`]/gu, '\uFFFD')}\``;
}

type Size = Extract<RawIssue, { readonly code: 'too_small' | 'too_big' }>;

const units: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['string', ['character', 'characters']],
  ['array', ['item', 'items']],
  ['set', ['item', 'items']],
  ['map', ['member', 'members']],
  ['object', ['member', 'members']],
  ['record', ['member', 'members']],
  ['file', ['byte', 'bytes']],
]);

function outOfRange(issue: Size): string {
  const unit = units.get(issue.origin);
  if (unit !== undefined) return wrongSize(issue, unit);
  const { low, high, above, below, isWhole } = boundsOf(issue);
  const what = isWhole ? 'must be a whole number' : 'must be';
  const not = issue.input instanceof Date ? '' : `, not ${String(issue.input)}`;
  if (low !== null && high !== null) return `${what} from ${low} to ${high}${not}`;
  const lowest =
    low === null ? (above === null ? null : `greater than ${above}`) : `at least ${low}`;
  const highest =
    high === null ? (below === null ? null : `less than ${below}`) : `at most ${high}`;
  const limits = [lowest, highest].filter((limit) => limit !== null);
  return `must be ${limits.join(' and ')}${not}`;
}

function wrongSize(issue: Size, [one, several]: readonly [string, string]): string {
  const size = sizeOf(issue.input);
  const { low, high } = boundsOf(issue);
  if (size === 0 && (low === '1' || low === null)) return 'must not be empty';
  const many = (count: string | null): string => `${count} ${count === '1' ? one : several}`;
  const limit =
    low !== null && low === high
      ? `exactly ${many(low)}`
      : low !== null && high !== null
        ? `${low} to ${many(high)}`
        : low === null
          ? `at most ${many(high)}`
          : `at least ${many(low)}`;
  return `must have ${limit}${size === null ? '' : `, not ${size}`}`;
}

function sizeOf(input: unknown): number | null {
  if (typeof input === 'string' || Array.isArray(input)) return input.length;
  if (input instanceof Set || input instanceof Map) return input.size;
  return typeof input === 'object' && input !== null ? Object.keys(input).length : null;
}

interface Bounds {
  /** Inclusive. */
  readonly low: string | null;
  readonly high: string | null;
  /** Exclusive. */
  readonly above: string | null;
  readonly below: string | null;
  readonly isWhole: boolean;
}

/** The violated limit, and the other one if the same schema has it. */
function boundsOf(issue: Size): Bounds {
  const limits = limitsOf(issue.schema);
  const isTime = issue.origin === 'date';
  const isLow = issue.code === 'too_small';
  const violatedLimit = isLow ? issue.minimum : issue.maximum;
  const isOpen = issue.inclusive === false;
  const given = (isBroken: boolean, other: unknown): string | null =>
    boundText(isBroken ? violatedLimit : other, isTime) ??
    (issue.exact === true ? boundText(violatedLimit, isTime) : null);
  return {
    low: given(isLow && !isOpen, isLow ? undefined : limits.low),
    high: given(!isLow && !isOpen, isLow ? limits.high : undefined),
    above: given(isLow && isOpen, isLow ? undefined : limits.above),
    below: given(!isLow && isOpen, isLow ? limits.below : undefined),
    isWhole: limits.isWhole,
  };
}

interface CheckDef {
  readonly check?: string;
  readonly format?: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDef } }[];
}

interface Limits {
  readonly low?: unknown;
  readonly high?: unknown;
  readonly above?: unknown;
  readonly below?: unknown;
  readonly isWhole: boolean;
}

/** The limits that a schema's checks set. */
function limitsOf(schema: unknown): Limits {
  const def = (schema as { readonly _zod?: { readonly def: CheckDef } } | undefined)?._zod?.def;
  let limits: Limits = { isWhole: def?.format?.endsWith('int') === true };
  for (const { _zod } of def?.checks ?? []) {
    const { check, value, inclusive, minimum, maximum, format } = _zod.def;
    if (check === 'greater_than')
      limits = { ...limits, [inclusive === true ? 'low' : 'above']: value };
    if (check === 'less_than')
      limits = { ...limits, [inclusive === true ? 'high' : 'below']: value };
    if (check === 'min_length') limits = { ...limits, low: minimum };
    if (check === 'max_length') limits = { ...limits, high: maximum };
    if (format?.endsWith('int') === true) limits = { ...limits, isWhole: true };
  }
  return limits;
}

/** A limit as text; null if the value is not a limit. */
function boundText(value: unknown, isTime: boolean): string | null {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return isTime ? new Date(value).toISOString() : String(value);
}

type Format = Extract<RawIssue, { readonly code: 'invalid_format' }>;

const formats: ReadonlyMap<string, string> = new Map([
  ['email', 'must be an e-mail address such as name@example.org'],
  ['url', 'must be an absolute URL such as https://example.org/path'],
  ['datetime', 'must be a time such as 2026-01-31T12:00:00Z'],
  ['date', 'must be a date such as 2026-01-31'],
  ['time', 'must be a time of day such as 12:00:00'],
  ['duration', 'must be an ISO 8601 duration such as PT15M'],
  ['uuid', 'must be a UUID such as 7f1d6d3c-2b4e-4c5a-9a51-0c1f5a0f3b6e'],
  ['guid', 'must be a UUID such as 7f1d6d3c-2b4e-4c5a-9a51-0c1f5a0f3b6e'],
  ['ipv4', 'must be an IPv4 address such as 192.0.2.1'],
  ['ipv6', 'must be an IPv6 address such as 2001:db8::1'],
  ['cidrv4', 'must be an IPv4 range such as 192.0.2.0/24'],
  ['cidrv6', 'must be an IPv6 range such as 2001:db8::/32'],
  ['base64', 'must be Base64'],
  ['base64url', 'must be URL-safe Base64'],
  ['json_string', 'must be JSON text'],
  ['jwt', 'must be a JSON Web Token'],
  ['e164', 'must be a phone number such as +4915112345678'],
  ['lowercase', 'must be in lower case'],
  ['uppercase', 'must be in upper case'],
]);

/** Formats whose values are short and not secret, so that messages repeat them. */
const repeated: ReadonlySet<string> = new Set(['datetime', 'date', 'time', 'duration', 'uuid']);

function wrongFormat(issue: Format): string {
  const { format, input, path } = issue;
  if (input === '') return 'must not be empty';
  const must = formats.get(format) ?? affixText(issue);
  return repeated.has(format) ? `${must}, not ${shown(input, path)}` : must;
}

function affixText(issue: Format): string {
  const part = (name: 'prefix' | 'suffix' | 'includes' | 'pattern'): string => {
    const value: unknown = (issue as Readonly<Record<string, unknown>>)[name];
    return `\`${typeof value === 'string' ? value : ''}\``;
  };
  if (issue.format === 'starts_with') return `must begin with ${part('prefix')}`;
  if (issue.format === 'ends_with') return `must end with ${part('suffix')}`;
  if (issue.format === 'includes') return `must contain ${part('includes')}`;
  if (issue.format === 'regex') return `must match the pattern ${part('pattern')}`;
  return `must have the format ${issue.format}`;
}

/** The members of the object schema that refused a member. */
function knownOf(inst: unknown): ReadonlySet<string> {
  const { shape } =
    (inst as { readonly _zod?: { readonly def?: { readonly shape?: object } } } | undefined)?._zod
      ?.def ?? {};
  return new Set(Object.keys(shape ?? {}));
}

type Union = Extract<RawIssue, { readonly code: 'invalid_union' }>;

function unionText(issue: Union): string {
  const { input, errors, path = [] } = issue;
  if (typeof issue.discriminator === 'string' && errors.length === 0) {
    const options = (issue.options ?? []) as readonly z.core.util.Primitive[];
    return noneOf(options, memberOf(input, issue.discriminator), path);
  }
  if (errors.length === 0) return 'has more than one of the forms that are allowed here';
  const alternatives = alternativesOf(issue as unknown as ReadIssue);
  if (alternatives === null) return input === undefined ? 'is required' : insideUnion;
  const must = `must be ${eitherOf([...new Set(alternatives)])}`;
  return input === undefined ? `is required and ${must}` : `${must}, not ${shown(input, path)}`;
}

const memberOf = (input: unknown, name: string): unknown =>
  typeof input === 'object' && input !== null && Object.hasOwn(input, name)
    ? (input as Readonly<Record<string, unknown>>)[name]
    : undefined;

/**
 * The expectations of the members of a union if all of them expected another type or value;
 * otherwise null.
 */
export function alternativesOf(issue: ReadIssue): readonly string[] | null {
  const { code } = issue;
  if (code === 'invalid_union') {
    const all = (issue.errors ?? []).map(([first]) =>
      first === undefined || first.path.length > 0 ? null : alternativesOf(first),
    );
    return all.some((each) => each === null) ? null : all.flatMap((each) => each ?? []);
  }
  if (code === 'invalid_type') return [nounOf(issue.expected ?? '')];
  if (code === 'invalid_value') return (issue.values ?? []).slice(0, listedMax).map(literal);
  return null;
}

/** `a, b or c`. */
export function eitherOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
