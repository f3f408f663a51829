import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';
import { defineCheck, type CheckFinding, found } from './check';
import { compilePattern, findPattern } from './pattern';
import { OverTime, runWithin } from './watchdog';

/**
 * `json_schema`: the whole text is one JSON value that a JSON Schema allows (drafts 06 to 2020-12).
 * The schema comes from the caller: its size is limited, it may not reference anything outside
 * itself, its patterns run in linear time, and a watchdog terminates it if references or pairwise
 * comparisons run too long.
 */
const SCHEMA_CHARS_MAX = 65_536;
const TEXT_CHARS_MAX = 5 * 1024 * 1024;
/**
 * Characters of schema times characters of text up to which a schema without references takes
 * milliseconds.
 */
const FREE_WORK = 20_000_000;
const EXPENSIVE = /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems|contains)"/;
const CACHED_MAX = 100;
const ERRORS_SHOWN = 5;

const Value = z.union([z.boolean(), z.looseObject({})]);

/** Ajv accepts a regex engine: a function that also carries the code to recreate it. */
const regExp = Object.assign(
  (pattern: string, flags: string) => {
    const compiled = compilePattern(pattern, flags);
    // Ajv identifies patterns by their text.
    return {
      test: (text: string): boolean => findPattern(compiled, text) !== null,
      toString: () => `/${pattern}/${flags}`,
    };
  },
  { code: 'linearPattern' },
);

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  ownProperties: true,
  logger: false,
  code: { regExp },
});
formats.default(ajv, { mode: 'fast' });

interface Compiled {
  readonly validate: ValidateFunction;
  readonly chars: number;
  readonly expensive: boolean;
}

const cache = new Map<string, Compiled>();

export const jsonSchema = defineCheck({
  name: 'json_schema',
  value: Value,
  expects: 'a JSON Schema',
  describe: (schema) =>
    `Is JSON of the schema${typeof schema === 'object' && typeof schema.title === 'string' ? ` ${JSON.stringify(schema.title.slice(0, 80))}` : ''}`,
  prepare(schema) {
    let compiled: Compiled | null = null;
    return (text) => {
      compiled ??= compileSchema(schema);
      return hold(compiled, text);
    };
  },
});

function hold(compiled: Compiled, text: string): CheckFinding {
  if (text.length > TEXT_CHARS_MAX)
    return found(
      false,
      `the text has ${text.length} characters; at most ${TEXT_CHARS_MAX} are read as JSON`,
    );
  let value: unknown;
  try {
    value = parseNormal(text);
  } catch {
    return found(
      false,
      /^\s*```/.test(text) ? 'the text is a fenced block and not bare JSON' : 'the text is no JSON',
    );
  }
  const validate = (): boolean => compiled.validate(value) === true;
  const valid =
    compiled.expensive || compiled.chars * text.length > FREE_WORK
      ? runWithin(validate, 'comparing the text with the schema')
      : validate();
  return found(
    valid,
    valid ? 'the text is JSON that the schema allows' : problemsOf(compiled.validate.errors ?? []),
  );
}

/** @throws Error with a readable reason */
function compileSchema(schema: z.infer<typeof Value>): Compiled {
  const text = JSON.stringify(schema).normalize('NFC');
  if (text.length > SCHEMA_CHARS_MAX)
    throw new Error(`the schema must have at most ${SCHEMA_CHARS_MAX} characters`);
  const known = cache.get(text);
  if (known !== undefined) return known;
  if (/"\$async"/.test(text))
    throw new Error('the schema cannot be used: "$async" is not supported');
  if (/"\$id":"https?:\/\/json-schema\.org/.test(text))
    throw new Error('the schema cannot be used: its "$id" belongs to the standard');
  // The draft does not matter for the keywords that all drafts share, and keywords of old drafts
  // are supported too.
  const own =
    typeof schema === 'boolean'
      ? schema
      : withoutDialect(JSON.parse(text) as Record<string, unknown>);
  let validate: ValidateFunction;
  try {
    validate = runWithin(() => ajv.compile(own), 'reading the schema');
  } catch (error) {
    if (error instanceof OverTime) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the schema cannot be used: ${reason.slice(0, 300)}`);
  } finally {
    if (typeof own === 'object') ajv.removeSchema(own);
  }
  const compiled = { validate, chars: text.length, expensive: EXPENSIVE.test(text) };
  if (cache.size >= CACHED_MAX)
    for (const oldest of [...cache.keys()].slice(0, CACHED_MAX / 2)) cache.delete(oldest);
  cache.set(text, compiled);
  return compiled;
}

/**
 * JSON in composed form, so that a constant, a pattern and a length of the schema compare equal
 * letters as equal.
 */
function parseNormal(text: string): unknown {
  const normal = text.normalize('NFC');
  if (!normal.includes('\\u')) return JSON.parse(normal);
  return JSON.parse(normal, (_key, value: unknown) =>
    typeof value === 'string' ? value.normalize('NFC') : value,
  );
}

function withoutDialect({
  $schema: _dialect,
  ...schema
}: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

function problemsOf(errors: readonly ErrorObject[]): string {
  const shown = errors.slice(0, ERRORS_SHOWN).map(({ instancePath, message, params }) => {
    const extra =
      'additionalProperty' in params
        ? ` (${JSON.stringify(String(params.additionalProperty).slice(0, 80))})`
        : '';
    return `${instancePath.slice(0, 120) || 'the value'} ${message ?? 'is not allowed'}${extra}`;
  });
  const more = errors.length > shown.length ? ` and ${errors.length - shown.length} more` : '';
  return `the schema does not allow it: ${shown.join('; ')}${more}`.toWellFormed();
}
