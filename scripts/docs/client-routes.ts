// The types of the HTTP API for the TypeScript client (sdk/client/routes.ts), generated from the
// OpenAPI description, so that they cannot differ from the routes.
import { compile } from 'json-schema-to-typescript';
import { describeApi } from '../../server/api/http';

type Schema = NonNullable<Parameters<typeof compile>[0]>;

/** The parts of the description that are read here. */
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

const head = `// \`npm run docs -- --reference\` generates this file from the routes. Do not edit it.

`;

/** The text of sdk/client/routes.ts: every route that takes and answers JSON. */
export async function clientRoutes(): Promise<string> {
  const { paths, components } = JSON.parse(
    JSON.stringify(describeApi()).replaceAll('#/components/schemas/', '#/definitions/'),
  ) as Described;
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    path.startsWith('/v1/')
      ? Object.entries(operations).flatMap(([method, operation]) => {
          const route = routeSchema(operation);
          return route === null ? [] : [[`${method.toUpperCase()} ${path}`, route] as const];
        })
      : [],
  );
  const schema: Schema = {
    ...objectOf(routes, true),
    title: 'ApiRoutes',
    description: 'The parts of the request of each route, and its answer.',
    definitions: components.schemas,
  };
  const text = await compile(schema, 'ApiRoutes', {
    bannerComment: '',
    additionalProperties: false,
    unreachableDefinitions: false,
    // A tuple type for each allowed length would convey less than the limit in the comment.
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 100 },
  });
  // Names such as Turn would otherwise be those of the client's own types too.
  return head + text.replace(/^export (?!interface ApiRoutes\b)/gm, '');
}

/** Null if the route answers no JSON. */
function routeSchema({ parameters = [], requestBody, responses }: Operation): Schema | null {
  const ok = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const answer = jsonOf(ok?.[1].content);
  if (answer === undefined) return null;
  const named = (where: string): Schema | undefined => {
    const found = parameters.filter((each) => each.in === where);
    return found.length === 0
      ? undefined
      : objectOf(
          found.map(({ name, schema }) => [name, schema]),
          found.filter(({ required }) => required === true).map(({ name }) => name),
        );
  };
  const members = Object.entries({
    params: named('path'),
    query: named('query'),
    body: jsonOf(requestBody?.content),
    answer,
  }).flatMap(([name, schema]) => (schema === undefined ? [] : [[name, schema] as const]));
  const optional = members.filter(
    ([name, { required }]) =>
      name === 'query' && (!Array.isArray(required) || required.length === 0),
  );
  return objectOf(
    members,
    members.map(([name]) => name).filter((name) => !optional.some(([each]) => each === name)),
  );
}

const jsonOf = (content: Content | undefined): Schema | undefined =>
  content?.['application/json']?.schema;

/** @param required names; true means all members */
function objectOf(
  members: readonly (readonly [string, Schema])[],
  required: readonly string[] | true,
): Schema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(members),
    required: required === true ? members.map(([name]) => name) : [...required],
  };
}
