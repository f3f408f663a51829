import { z } from '@hono/zod-openapi';
import type { ProjectCtx } from '../../access';
import { promotePrompt } from '../../experiments';
import { GateWord } from '../../experiments/input';
import {
  getPrompt,
  getPromptBody,
  listPrompts,
  moveLabel,
  type PromptDefaults,
  type PromptDetail,
  type PromptSummary,
  type PromptVersion,
  savePrompt,
} from '../../prompts';
import { LabelBody, PromptLabel, SaveBody } from '../../prompts/input';
import { notFound } from '../../platform';
import { answerRequestOnce } from '../../ingest';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { readIdempotencyKey } from './idempotency';
import { webIncoming } from './web-incoming';

/**
 * Why the release's text is used although `version` is promoted; null if the promoted one is used.
 */
const FellBack = z
  .object({
    version: z.number().int(),
    why: z.enum(['missing', 'empty', 'invalid']),
    message: z.string(),
  })
  .nullable();

const Shared = {
  slug: z.string(),
  kind: z.string(),
  title: z.string(),
  description: z.string(),
  output: z.string(),
  production_version: z.number().int(),
  latest_version: z.number().int(),
  fell_back: FellBack,
};

/** Version 0 is the text of the release, which has no author. */
const Version = z
  .object({
    version: z.number().int(),
    message: z.string(),
    created_by: z.string().nullable(),
    created_at: z.string().nullable(),
    labels: z.array(z.string()),
  })
  .openapi('PromptVersion');
const VersionText = Version.extend({ slug: z.string(), body: z.string() }).openapi(
  'PromptVersionText',
);
const Summary = z.object(Shared).openapi('PromptSummary');
const Detail = z
  .object({
    ...Shared,
    variables: z.array(z.string()),
    optional: z.array(z.string()),
    labels: z.record(z.string(), z.number().int()),
    versions: z.array(Version),
  })
  .openapi('Prompt');

const BySlug = z.object({ slug: z.string() });
const ByVersion = z.object({ slug: z.string(), version: z.string() });
const ByLabel = z.object({ slug: z.string(), label: z.string() });
const Labelled = z
  .object({ slug: z.string(), label: z.string(), version: z.number().int() })
  .openapi('PromptLabel');
/** The version is not in production yet: another person must approve in the console. */
const Waiting = z
  .object({
    slug: z.string(),
    label: z.string(),
    version: z.number().int(),
    waiting_promotion: z.string(),
  })
  .openapi('PromptLabelWaits');
/** `force` and `reason` apply to `production` only. */
const MoveBody = LabelBody.extend(GateWord.shape);

export const promptRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/prompts',
    scope: 'read',
    summary: 'List the prompts of judges and of applications',
    answers: {
      200: z.object({ data: z.array(Summary), next_cursor: z.null() }).openapi('Prompts'),
    },
    handle: async (c, project, { prompts }) =>
      c.json({ data: (await listPrompts(project, prompts)).map(summaryReply), next_cursor: null }),
  },
  {
    method: 'get',
    path: '/v1/prompts/{slug}',
    scope: 'read',
    summary: 'One prompt, its labels and its versions, the newest first',
    params: BySlug,
    answers: { 200: Detail },
    handle: async (c, project, { prompts }) =>
      c.json(detailReply(await getPrompt(project, prompts, c.req.param('slug') ?? ''))),
  },
  {
    method: 'get',
    path: '/v1/prompts/{slug}/versions/{version}',
    scope: 'read',
    summary: 'One version with its text, front matter included',
    params: ByVersion,
    answers: { 200: VersionText },
    handle: async (c, project, { prompts }) => {
      const version = c.req.param('version') ?? '';
      if (!/^\d{1,7}$/.test(version)) throw notFound('version');
      return c.json(await textReply(project, prompts, c.req.param('slug') ?? '', Number(version)));
    },
  },
  {
    method: 'post',
    path: '/v1/prompts/{slug}/versions',
    scope: 'write',
    summary:
      'Save a text as the next version (200 if it is already the latest), which takes effect on promotion; an unknown slug becomes a prompt of an application',
    params: BySlug,
    body: SaveBody,
    answers: { 200: VersionText, 201: VersionText },
    handle: async (c, project, { prompts }) => {
      const slug = c.req.param('slug') ?? '';
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const input = parse(SaveBody, readJsonBody(bytes), 'body');
      const answer = await answerRequestOnce(
        project,
        key,
        `/v1/prompts/${slug}/versions`,
        bytes,
        async () => {
          const { version, isNew } = await savePrompt(project, prompts, { slug, ...input });
          return {
            status: isNew ? 201 : 200,
            body: await textReply(project, prompts, slug, version),
          };
        },
      );
      return c.json(answer.body as object, answer.status === 201 ? 201 : 200);
    },
  },
  {
    method: 'put',
    path: '/v1/prompts/{slug}/labels/{label}',
    scope: 'write',
    summary:
      'Assign a label to a version: `production` promotes it through the promotion gate (202 if another person must approve), or rolls back',
    params: ByLabel,
    body: MoveBody,
    answers: { 200: Labelled, 202: Waiting },
    handle: async (c, project, { prompts }) => {
      const slug = c.req.param('slug') ?? '';
      const label = parse(PromptLabel, c.req.param('label'), 'label');
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const { version, ...word } = parse(MoveBody, readJsonBody(bytes), 'body');
      if (label !== 'production') {
        await moveLabel(project, prompts, { slug, label, version });
        return c.json({ slug, label, version });
      }
      const promotion = await promotePrompt(project, prompts, { slug, version, ...word });
      if (promotion?.state !== 'waiting') return c.json({ slug, label, version });
      return c.json({ slug, label, version, waiting_promotion: promotion.id }, 202);
    },
  },
];

function summaryReply(prompt: PromptSummary): z.infer<typeof Summary> {
  const { slug, kind, title, description, output, production, latest, fellBack } = prompt;
  return {
    slug,
    kind,
    title,
    description,
    output,
    production_version: production.version,
    latest_version: latest.version,
    fell_back: fellBack,
  };
}

function detailReply(prompt: PromptDetail): z.infer<typeof Detail> {
  const { versions, variables, optional, labels, production } = prompt;
  return {
    ...summaryReply({
      ...prompt,
      latest: { version: versions[0]?.version ?? 0, by: null, at: null },
    }),
    variables: [...variables],
    optional: [...optional],
    labels: {
      production: production.version,
      ...Object.fromEntries(labels.map(({ label, version }) => [label, version])),
    },
    versions: versions.map(versionReply),
  };
}

function versionReply({
  version,
  message,
  by,
  at,
  labels,
}: PromptVersion): z.infer<typeof Version> {
  return {
    version,
    message,
    created_by: by,
    created_at: at?.toISOString() ?? null,
    labels: [...labels],
  };
}

async function textReply(
  project: ProjectCtx,
  prompts: PromptDefaults,
  slug: string,
  version: number,
): Promise<z.infer<typeof VersionText>> {
  const [prompt, body] = await Promise.all([
    getPrompt(project, prompts, slug),
    getPromptBody(project, prompts, slug, version),
  ]);
  const found = prompt.versions.find((each) => each.version === version);
  if (found === undefined) throw notFound('version');
  return { slug, ...versionReply(found), body };
}
