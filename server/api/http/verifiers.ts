import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type ProjectCtx, requireScope } from '../../access';
import {
  archiveVerifier,
  completeDefinition,
  type ConfigState,
  type DescribedVerifier,
  describeDefinition,
  describeDefinitions,
  findVerifier,
  getConfig,
  listBuiltInVerifiers,
  listOverridden,
  listCustomVerifiers,
  putConfig,
  putVerifier,
  readDefinition,
  type ReadDefinition,
  type Verifier as NamedVerifier,
} from '../../catalog';
import { ConfigBody, DefinitionBody } from '../../catalog/input';
import {
  hasProgram,
  programCheckMs,
  requireSoundProgram,
  startDraft,
  takeDraft,
} from '../../experiments';
import { notFound, refused } from '../../platform';
import { applyThresholds } from '../../thresholds';
import { awaitedJob } from './awaited-job';
import { readBody } from './body';
import type { HttpDeps } from './deps';
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

/** A verifier that the project defined. */
const OwnVerifier = z
  .looseObject({
    slug: z.string(),
    kind: z.string(),
    version: z.number().int(),
    name: z.string(),
    archived: z.boolean(),
    /** Keys of thresholds that were tuned for the project, in place of the definition's. */
    overridden: z.array(z.string()),
    by: z.string(),
    at: z.string(),
  })
  .openapi('OwnVerifier');

const StoredVerifier = z
  .object({
    slug: z.string(),
    version: z.number().int(),
    /** Whether this call stored a version; false if the definition was stored already. */
    created: z.boolean(),
    prompt: z
      .object({ version: z.number().int(), state: z.enum(['production', 'draft']) })
      .nullable(),
    overridden: z.array(z.string()),
  })
  .openapi('StoredVerifier');

const triedMax = 20;
const TryBody = z.strictObject({
  /** Ids of stored turns and traces, or subjects (online.md 1). */
  subjects: z
    .array(z.union([z.string().min(1).max(300), z.looseObject({})]))
    .min(1)
    .max(triedMax),
  /** A definition, which needs the scope `write`; omitted: the stored one. */
  draft: z.looseObject({ kind: z.string() }).optional(),
  wait_ms: z.number().int().min(0).max(120_000).default(30_000),
});

const TryReply = z
  .object({
    /** A verdict for each subject, or `reason` if there is none; nothing is stored. */
    data: z.array(z.looseObject({ subject_id: z.string().nullable() })),
    /** Faults of a function, which was then called on no subject. */
    faults: z.array(z.object({ message: z.string(), line: z.number().int().nullable() })),
  })
  .openapi('TriedVerdicts');

const PutQuery = z.strictObject({
  /** True drops the tuned thresholds, so that those of the definition apply. */
  reset_thresholds: z.enum(['true', 'false']).optional(),
  /** True stores nothing, and returns the definition with the defaults of all omitted members. */
  dry_run: z.enum(['true', 'false']).optional(),
});

/** A definition as it would be stored. */
const Definition = z
  .looseObject({ slug: z.string(), kind: z.string(), name: z.string() })
  .openapi('VerifierDefinition');

const Named = z.object({ verifier: z.string() });

export const verifierRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/verifiers',
    scope: 'read',
    summary: 'List the verifiers of the release, then those that the project defined',
    answers: {
      200: z
        .object({ data: z.array(z.union([Verifier, OwnVerifier])), next_cursor: z.null() })
        .openapi('Verifiers'),
    },
    handle: async (c, project, deps) => {
      const ofRelease = await Promise.all(
        listBuiltInVerifiers().map(({ slug }) => describeBuiltIn(project, deps, slug)),
      );
      const custom = await describeDefinitions(
        project,
        deps.subjects.prompts,
        await listCustomVerifiers(project, project.projectId),
      );
      return c.json({ data: [...ofRelease, ...custom.map(ownReply)], next_cursor: null });
    },
  },
  {
    method: 'get',
    path: '/v1/verifiers/{verifier}',
    scope: 'read',
    summary: 'Get a verifier: its config, or the definition that the project stored',
    params: Named,
    answers: { 200: z.union([Verifier, OwnVerifier]) },
    handle: async (c, project, deps) => {
      const found = await getNamed(c, project);
      return c.json(
        found.custom === null
          ? await describeBuiltIn(project, deps, found.slug)
          : ownReply(await describeDefinition(project, deps.subjects.prompts, found)),
      );
    },
  },
  {
    method: 'put',
    path: '/v1/verifiers/{verifier}',
    scope: 'write',
    summary: 'Configure a verifier of the release, or define one of the project: its next version',
    params: Named,
    query: PutQuery,
    body: z.union([ConfigBody, DefinitionBody]).openapi('VerifierBody'),
    answers: { 200: z.union([Verifier, StoredVerifier, Definition]) },
    handle: async (c, project, deps) => {
      const query = parse(PutQuery, c.req.query(), 'query');
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const slug = c.req.param('verifier') ?? '';
      const body = readJsonBody(bytes);
      if (!isBuiltIn(slug)) {
        if (isConfig(body)) throw notFound('verifier');
        const read = readDefinition(slug, body);
        if (query.dry_run === 'true') return c.json(completeDefinition(read));
        if (hasProgram(read)) {
          const awaited = await awaitedJob(c, project, deps, {
            start: () => startDraft(project, { slug, definition: body, subjects: [] }),
            waitMs: programCheckMs,
          });
          if ('answer' in awaited) return awaited.answer;
          await requireSoundProgram(project, awaited.job);
        }
        return c.json(await define(project, deps, read, query.reset_thresholds === 'true'));
      }
      if (Object.keys(query).length > 0)
        throw refused(
          `"${slug}" is a verifier of the release: its config takes no query parameters`,
        );
      await putConfig(project, deps.subjects.kinds, slug, parse(ConfigBody, body, 'body'));
      return c.json(await describeBuiltIn(project, deps, slug));
    },
  },
  {
    method: 'post',
    path: '/v1/verifiers/{verifier}/try',
    scope: 'verify',
    summary: 'Try a definition on some subjects; the verdicts are not stored',
    params: Named,
    body: TryBody.openapi('TryBody'),
    answers: { 200: TryReply, 202: z.object({ job_id: z.string(), state: z.string() }) },
    handle: tryDraft,
  },
  {
    method: 'delete',
    path: '/v1/verifiers/{verifier}',
    scope: 'write',
    summary: 'Archive a verifier of the project; its verdicts stay, and a PUT restores it',
    params: Named,
    answers: { 200: z.object({ slug: z.string(), archived: z.literal(true) }) },
    handle: async (c, project, { rules }) => {
      const { slug, custom } = await getNamed(c, project);
      if (custom === null)
        throw refused(`"${slug}" is a verifier of the release: disable its rules`);
      await archiveVerifier(project, slug);
      rules.forget(project.projectId);
      return c.json({ slug, archived: true });
    },
  },
];

/** A configuration is meant for a verifier of the release. */
const isConfig = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'config' in body && !('kind' in body);

async function tryDraft(c: Context, project: ProjectCtx, deps: HttpDeps): Promise<Response> {
  const slug = c.req.param('verifier') ?? '';
  const { bytes } = await readBody(webIncoming(c.req.raw));
  const { draft, subjects, wait_ms: waitMs } = parse(TryBody, readJsonBody(bytes), 'body');
  if (draft !== undefined) requireScope(project, 'write', 'try a draft');
  const stored = draft === undefined ? await getNamed(c, project) : null;
  if (stored !== null && stored.custom === null)
    throw refused(`"${slug}" is a verifier of the release: call its route of /v1/verify`);
  const definition =
    stored === null
      ? draft
      : (await describeDefinition(project, deps.subjects.prompts, stored)).definition;
  const awaited = await awaitedJob(c, project, deps, {
    start: () => startDraft(project, { slug, definition, subjects }),
    waitMs,
  });
  if ('answer' in awaited) return awaited.answer;
  const { job } = awaited;
  if (job.finishedAt === null) return c.json({ job_id: job.id, state: job.state }, 202);
  const { faults, data } = await takeDraft(project, job);
  return c.json({ data, faults });
}

const isBuiltIn = (slug: string): boolean =>
  listBuiltInVerifiers().some((each) => each.slug === slug);

/** @throws AssayError not_found */
async function getNamed(c: Context, project: ProjectCtx): Promise<NamedVerifier> {
  const found = await findVerifier(project, project.projectId, c.req.param('verifier') ?? '');
  if (found === null) throw notFound('verifier');
  return found;
}

async function define(
  project: ProjectCtx,
  { subjects, rules }: HttpDeps,
  read: ReadDefinition,
  isReset: boolean,
): Promise<z.infer<typeof StoredVerifier>> {
  const stored = await putVerifier(project, subjects.prompts, read);
  rules.forget(project.projectId);
  const overridden = await listOverridden(project, read.slug);
  if (!isReset || overridden.length === 0) return { ...stored, overridden: [...overridden] };
  await applyThresholds(project, {
    verifier: read.slug,
    missionId: null,
    taskId: null,
    reason: 'The thresholds of the definition apply again',
    changes: overridden.map((key) => ({ key, value: null })),
  });
  return { ...stored, overridden: [] };
}

const describeBuiltIn = async (project: ProjectCtx, { subjects }: HttpDeps, slug: string) =>
  verifierReply(await getConfig(project, subjects.kinds, slug));

function ownReply(described: DescribedVerifier): z.infer<typeof OwnVerifier> {
  const { definition, slug, kind, version, archivedAt, overridden, by, at } = described;
  return {
    name: slug,
    ...definition,
    slug,
    kind,
    version,
    archived: archivedAt !== null,
    overridden: [...overridden],
    by,
    at: at.toISOString(),
  };
}

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
