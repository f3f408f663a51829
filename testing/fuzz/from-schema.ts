import type { Random } from '../seed';
import { pick } from './mutate';

/** A JSON schema of an OpenAPI document, as far as examples are created from it. */
type Schema = Readonly<Record<string, unknown>>;

export interface Described {
  readonly method: string;
  readonly path: string;
  readonly body: Schema | null;
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
}

export interface ApiDescription {
  readonly operations: readonly Described[];
  /** A value of a schema, often but not always valid. */
  example(schema: Schema, random: Random): unknown;
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listAt = (schema: Schema, name: string): readonly unknown[] =>
  Array.isArray(schema[name]) ? (schema[name] as unknown[]) : [];
const numberAt = (schema: Schema, name: string, otherwise: number): number =>
  typeof schema[name] === 'number' ? schema[name] : otherwise;

const words = [
  't-1',
  's-1',
  'integrity',
  'task',
  'web-1 is at 91.4%',
  'pass',
  'openai/gpt-4o',
  'a',
];
const times = ['2026-01-01T00:00:00Z', '2026-05-01T10:00:00+02:00'];

function exampleText(schema: Schema, random: Random): string {
  if (schema.format === 'date-time') return pick(times, random);
  if (schema.format === 'uri')
    return pick(['https://ci.example.org/a', 'http://127.0.0.1:1'], random);
  const text = pick(words, random);
  const max = numberAt(schema, 'maxLength', 1_000);
  return text.padEnd(Math.min(max, numberAt(schema, 'minLength', 0)), 'a').slice(0, max);
}

function exampleNumber(schema: Schema, random: Random): number {
  const low = numberAt(schema, 'minimum', numberAt(schema, 'exclusiveMinimum', 0));
  const high = numberAt(schema, 'maximum', low + 100);
  const value = pick([low, high, low + (high - low) * random.next()], random);
  return schema.type === 'integer' ? Math.round(value) : value;
}

class Examples {
  constructor(private readonly document: Schema) {}

  private resolve(schema: Schema): Schema {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    let at: unknown = this.document;
    for (const name of $ref.split('/').slice(1)) at = isObject(at) ? at[name] : undefined;
    return isObject(at) ? this.resolve(at) : {};
  }

  create(from: Schema, random: Random, depth = 0): unknown {
    const schema = this.resolve(from);
    const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].filter(isObject);
    if (choices.length > 0 && depth < 8)
      return this.create(pick(choices, random), random, depth + 1);
    const parts = listAt(schema, 'allOf').filter(isObject);
    if (parts.length > 0) {
      const examples = parts.map((part) => this.create(part, random, depth + 1));
      return Object.assign({}, ...examples.filter(isObject)) as unknown;
    }
    if ('const' in schema) return schema.const;
    const values = listAt(schema, 'enum');
    if (values.length > 0) return pick(values, random);
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    const type = pick(types as unknown[], random);
    if (type === 'object' || isObject(schema.properties))
      return this.members(schema, random, depth);
    if (type === 'array') return this.items(schema, random, depth);
    if (type === 'string') return exampleText(schema, random);
    if (type === 'number' || type === 'integer') return exampleNumber(schema, random);
    if (type === 'boolean') return random.next() < 0.5;
    return type === 'null' ? null : pick([1, 'a', null, { a: [1] }], random);
  }

  private members(schema: Schema, random: Random, depth: number): unknown {
    const required = new Set(listAt(schema, 'required'));
    const share = depth > 4 ? 0 : 0.4;
    const properties = Object.entries(isObject(schema.properties) ? schema.properties : {}).filter(
      ([name]) => required.has(name) || random.next() < share,
    );
    const named =
      isObject(schema.additionalProperties) && depth < 5 ? schema.additionalProperties : null;
    return Object.fromEntries([
      ...properties.map(([name, member]) => [
        name,
        isObject(member) ? this.create(member, random, depth + 1) : null,
      ]),
      ...(named === null ? [] : [['a', this.create(named, random, depth + 1)]]),
    ]) as unknown;
  }

  private items(schema: Schema, random: Random, depth: number): unknown {
    const places = listAt(schema, 'prefixItems').filter(isObject);
    if (places.length > 0) return places.map((place) => this.create(place, random, depth + 1));
    const item = isObject(schema.items) ? schema.items : {};
    const length = depth > 5 ? 0 : random.between(numberAt(schema, 'minItems', 0), 2);
    return Array.from({ length }, () => this.create(item, random, depth + 1));
  }
}

/** Reads a server's OpenAPI document. */
export function readDescription(document: Schema): ApiDescription {
  const examples = new Examples(document);
  const paths = isObject(document.paths) ? document.paths : {};
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).map(([method, operation]): Described => {
      const declared = isObject(operation) ? operation : {};
      const query = listAt(declared, 'parameters').flatMap((parameter) =>
        isObject(parameter) && parameter.in === 'query' && isObject(parameter.schema)
          ? [{ name: String(parameter.name), schema: parameter.schema }]
          : [],
      );
      return { method: method.toUpperCase(), path, body: bodySchema(declared), query };
    }),
  );
  return { operations, example: (schema, random) => examples.create(schema, random) };
}

function bodySchema({ requestBody }: Schema): Schema | null {
  const content = isObject(requestBody) ? requestBody.content : undefined;
  const json = isObject(content) ? content['application/json'] : undefined;
  return isObject(json) && isObject(json.schema) ? json.schema : null;
}
