import { z } from '@hono/zod-openapi';
import type { Route } from '../route';
import { httpRoutes } from '../routes';

/** A tool of the Model Context Protocol: a route of the HTTP API under a name for agents. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly route: Route;
  /** JSON schema of the arguments: parameters, query and body of the route, as one object. */
  readonly inputSchema: { readonly type: 'object'; readonly [member: string]: unknown };
  /** The members of the arguments that belong to the query. */
  readonly queryMembers: ReadonlySet<string>;
  /**
   * Whether the body is the argument `body`, because it is not an object or a member has a second
   * meaning.
   */
  readonly hasBodyMember: boolean;
}

/** Name, route, and information for an agent besides the summary of the route. */
const named: readonly (readonly [name: string, route: string, more: string])[] = [
  ['search_traces', 'get /v1/traces', '`name` finds a part of the name.'],
  ['get_trace', 'get /v1/traces/{id}', 'With `content` also inputs and outputs of the spans.'],
  ['list_turns', 'get /v1/turns', 'A turn is one answer of a model with its sources.'],
  ['get_turn', 'get /v1/turns/{id}', ''],
  ['list_sessions', 'get /v1/sessions', ''],
  ['list_verdicts', 'get /v1/verifications', 'Begin with `outcome` failed.'],
  [
    'explain_verdict',
    'get /v1/verifications/{id}',
    'Criteria, figures and quotes with their evidence, issues, threshold and rulings.',
  ],
  ['list_findings', 'get /v1/findings', 'What got worse, since when, and what to do.'],
  ['acknowledge_finding', 'post /v1/findings/{id}/acknowledge', ''],
  ['measure_verifiers', 'get /v1/metrics/verifiers', 'Catch rate, false positive rate, trust.'],
  ['measure_models', 'get /v1/metrics/models', ''],
  ['list_verifiers', 'get /v1/verifiers', ''],
  ['list_datasets', 'get /v1/datasets', ''],
  ['get_dataset_items', 'get /v1/datasets/{slug}/versions/{version}/items', ''],
  ['add_turns_to_dataset', 'post /v1/datasets/{slug}/items/from', ''],
  ['list_experiments', 'get /v1/experiments', ''],
  ['get_experiment', 'get /v1/experiments/{id}', ''],
  ['compare_experiments', 'get /v1/experiments/compare', ''],
  ['start_experiment', 'post /v1/experiments', 'It calls models, which costs money: set a budget.'],
  [
    'verify_figures',
    'post /v1/verify/integrity',
    'Checks that every figure of a text is in its sources.',
  ],
  ['verify_text', 'post /v1/verify/{verifier}', 'For verifiers of kind checks, judge or function.'],
  [
    'label',
    'post /v1/labels',
    'Rule on a verdict: `verification_id`, `verdict` (pass or fail) and, to overrule it, `reason`.',
  ],
  ['list_prompts', 'get /v1/prompts', ''],
  ['get_prompt', 'get /v1/prompts/{slug}', ''],
  ['save_prompt_draft', 'post /v1/prompts/{slug}/versions', 'It is not promoted.'],
];

/** All tools, in the order in which they are listed. */
export const mcpTools: readonly McpTool[] = named.map(([name, key, hint]) => {
  const route = httpRoutes.find(({ method, path }) => `${method} ${path}` === key);
  if (route === undefined) throw new Error(`no route ${key} for the tool ${name}`);
  return toolOf(name, route, hint);
});

function toolOf(name: string, route: Route, hint: string): McpTool {
  const ofPath = Object.keys(route.params?.shape ?? {});
  const ofQuery = Object.keys(route.query?.shape ?? {});
  const body = route.body === undefined ? null : schemaOf(route.body);
  const bodyMembers = Object.keys(body?.properties ?? {});
  const hasBodyMember =
    body !== null &&
    (body.properties === undefined ||
      bodyMembers.some((member) => ofPath.includes(member) || ofQuery.includes(member)));
  const parts = [
    schemaOf(route.params ?? z.object({})),
    schemaOf(route.query ?? z.object({})),
    ...(body === null
      ? []
      : [hasBodyMember ? { properties: { body }, required: ['body'], $defs: body.$defs } : body]),
  ];
  return {
    name,
    description: hint === '' ? `${route.summary}.` : `${route.summary}. ${hint}`,
    route,
    inputSchema: {
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as object,
      required: parts.flatMap(({ required }) => required ?? []),
      $defs: Object.assign({}, ...parts.map(({ $defs }) => $defs)) as object,
      additionalProperties: false,
    },
    queryMembers: new Set(ofQuery),
    hasBodyMember,
  };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, unknown>>;
}

/** As the client writes it. The route refuses input that JSON schema cannot describe. */
function schemaOf(schema: z.ZodType): ObjectSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
