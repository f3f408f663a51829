import { z } from '@hono/zod-openapi';
import { type ConfigState, getConfig, putConfig } from '../../catalog';
import { ConfigBody } from '../../catalog/input';
import { listVerifiers } from '../../verdicts';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { webIncoming } from './web-incoming';

const Value = z.union([z.boolean(), z.number(), z.string(), z.array(z.string())]);

const Verifier = z
  .object({
    slug: z.string(),
    kind: z.string(),
    /** Version of the current config; a verdict names it: `task@4`. */
    version: z.number().int(),
    config: z.record(z.string(), Value),
    fields: z.array(
      z.object({
        key: z.string(),
        type: z.enum(['choice', 'choices', 'number', 'switch', 'texts']),
        name: z.string(),
        meaning: z.string(),
        default: Value,
        min: z.number().nullable(),
        max: z.number().nullable(),
        options: z.array(z.object({ value: z.string(), meaning: z.string() })).nullable(),
      }),
    ),
    /** The history of changes, latest first. */
    versions: z.array(
      z.object({
        version: z.number().int(),
        by: z.string(),
        at: z.string(),
        changes: z.array(z.object({ key: z.string(), from: Value, to: Value })),
      }),
    ),
  })
  .openapi('Verifier');

const Named = z.object({ verifier: z.string() });

export const verifierRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/verifiers',
    scope: 'read',
    summary: 'List verifiers with their versions and configuration',
    answers: {
      200: z.object({ data: z.array(Verifier), next_cursor: z.null() }).openapi('Verifiers'),
    },
    handle: async (c, project, { subjects }) => {
      const verifiers = await listVerifiers(project, { kinds: subjects.kinds });
      const data = await Promise.all(
        verifiers.map(async ({ slug }) =>
          verifierReply(await getConfig(project, subjects.kinds, slug)),
        ),
      );
      return c.json({ data, next_cursor: null });
    },
  },
  {
    method: 'get',
    path: '/v1/verifiers/{verifier}',
    scope: 'read',
    summary: 'One verifier',
    params: Named,
    answers: { 200: Verifier },
    handle: async (c, project, { subjects }) =>
      c.json(
        verifierReply(await getConfig(project, subjects.kinds, c.req.param('verifier') ?? '')),
      ),
  },
  {
    method: 'put',
    path: '/v1/verifiers/{verifier}',
    scope: 'write',
    summary:
      'Change the configuration of a verifier, which creates its next version; null restores the default',
    params: Named,
    body: ConfigBody,
    answers: { 200: Verifier },
    handle: async (c, project, { subjects }) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const slug = c.req.param('verifier') ?? '';
      await putConfig(
        project,
        subjects.kinds,
        slug,
        parse(ConfigBody, readJsonBody(bytes), 'body'),
      );
      return c.json(verifierReply(await getConfig(project, subjects.kinds, slug)));
    },
  },
];

function verifierReply({
  slug,
  kind,
  version,
  fields,
  versions,
}: ConfigState): z.infer<typeof Verifier> {
  return {
    slug,
    kind,
    version,
    config: Object.fromEntries(fields.map(({ key, value }) => [key, value])),
    fields: fields.map((field) => ({
      key: field.key,
      type: field.type,
      name: field.name,
      meaning: field.meaning,
      default: field.standard,
      min: field.type === 'number' ? field.min : null,
      max: field.type === 'number' ? field.max : field.type === 'texts' ? field.itemsMax : null,
      options:
        'options' in field ? field.options.map(({ value, meaning }) => ({ value, meaning })) : null,
    })),
    versions: versions.map(({ at, by, changes, ...rest }) => ({
      ...rest,
      by,
      at: at.toISOString(),
      changes: [...changes],
    })),
  };
}
