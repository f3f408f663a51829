// Tables of members, generated from the schemas of the OpenAPI description.
import { z } from 'zod';

/** The parts of a JSON Schema that a table shows. */
const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  allOf: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  description: z.string().optional(),
});
type Schema = z.infer<typeof Schema>;

const Parameters = z.array(
  z.looseObject({
    name: z.string(),
    in: z.string(),
    required: z.boolean().optional(),
    schema: z.unknown(),
  }),
);
const Content = z.looseObject({
  content: z.record(z.string(), z.looseObject({ schema: z.unknown() })),
});
const Components = z.looseObject({
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()).optional() }).optional(),
});

interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/**
 * A table of the query parameters or of the body's members; null if there are none.
 * @param description the whole OpenAPI description, for its components
 */
export function membersTable(
  description: unknown,
  of: { readonly parameters?: unknown; readonly content?: unknown },
): string | null {
  const { components } = Components.parse(description);
  const resolve = (value: unknown): Schema => {
    const schema = Schema.parse(value ?? {});
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : Schema.parse(components?.schemas?.[name] ?? {});
  };
  const members =
    of.parameters === undefined
      ? bodyMembers(of.content, resolve)
      : Parameters.parse(of.parameters)
          .filter((one) => one.in === 'query')
          .map(({ name, required = false, schema }) => ({
            name,
            required,
            schema: resolve(schema),
          }));
  if (members.length === 0) return null;
  const rows = members.map((member) => {
    const { name, type, limits } = rowOf(member, resolve);
    return `| \`${name}\` | ${type} | ${limits} |`;
  });
  return ['| Name | Type | |', '| --- | --- | --- |', ...rows].join('\n');
}

/** One member of a schema as cells of a table. */
export interface MemberRow {
  readonly name: string;
  readonly type: string;
  readonly limits: string;
  /** The description of the schema; empty if it has none. */
  readonly meaning: string;
}

/** The members of a JSON Schema without references. */
export function memberRows(schema: unknown): readonly MemberRow[] {
  const resolve = (value: unknown): Schema => Schema.parse(value ?? {});
  return membersOf(resolve(schema), resolve).map((member) => rowOf(member, resolve));
}

function rowOf({ name, required, schema }: Member, resolve: (value: unknown) => Schema): MemberRow {
  return {
    name,
    type: typeOf(schema, resolve),
    limits: [required ? 'required' : '', ...limitsOf(schema)]
      .filter((text) => text !== '')
      .join('; '),
    meaning: schema.description ?? '',
  };
}

function bodyMembers(content: unknown, resolve: (value: unknown) => Schema): readonly Member[] {
  const read = Content.safeParse(content);
  const json = read.data?.content['application/json'];
  return json === undefined ? [] : membersOf(resolve(json.schema), resolve);
}

/** Members of an object and of all its combined schemas; for each name the first one wins. */
function membersOf(schema: Schema, resolve: (value: unknown) => Schema): readonly Member[] {
  const ownMembers = Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    required: schema.required?.includes(name) ?? false,
    schema: resolve(member),
  }));
  const joined = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const all = [...ownMembers, ...joined.flatMap((part) => membersOf(resolve(part), resolve))];
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
}

function typeOf(schema: Schema, resolve: (value: unknown) => Schema): string {
  if (schema.enum !== undefined)
    return schema.enum
      .map((value) => `\`${JSON.stringify(value)}\``.replaceAll('"', ''))
      .join(', ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (parts.length > 0)
    return [...new Set(parts.map((part) => typeOf(resolve(part), resolve)))].join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(resolve(schema.items), resolve)}`;
  if (schema.format === 'date-time') return 'time (RFC 3339)';
  const types = [schema.type ?? (schema.properties ? 'object' : 'any JSON')].flat();
  return types.join(' or ');
}

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, maxLength, maxItems, default: standard } = schema;
  const isLimit = (limit: number | undefined): limit is number =>
    limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  return [
    isLimit(minimum) && isLimit(maximum) ? `${minimum} to ${maximum}` : '',
    isLimit(minimum) && !isLimit(maximum) ? `at least ${minimum}` : '',
    !isLimit(minimum) && isLimit(maximum) ? `at most ${maximum}` : '',
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    maxItems === undefined ? '' : `at most ${maxItems} items`,
    standard === undefined ? '' : `default \`${JSON.stringify(standard)}\``,
  ];
}
