import { z } from '@hono/zod-openapi';
import type { ProjectCtx } from '../../access';
import type { Contract, ModelTier } from '../../domain';
import { extractContract, promptBlock, readTier } from '../../code';
import { listThresholds } from '../../thresholds';
import { answerRequestOnce } from '../../ingest';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { readIdempotencyKey } from './idempotency';
import { webIncoming } from './web-incoming';

/** Limits of `POST /v1/contracts`. */
const limits = { requestChars: 200_000, modelChars: 300 } as const;

const ContractBody = z
  .object({
    request: z
      .string()
      .max(limits.requestChars, `must have at most ${limits.requestChars} characters`),
    /**
     * The model that will write the code: its size sets the threshold. Unknown or missing: medium,
     * and `tier_assumed`.
     */
    model: z.string().max(limits.modelChars).nullish(),
  })
  .openapi('ContractRequest');

const ContractReply = z
  .object({
    active: z.boolean(),
    reason: z.string().nullable(),
    confidence: z.enum(['low', 'medium', 'high']),
    deliverables: z.array(z.string()),
    framework: z.string().nullable(),
    hard_patterns: z.array(z.string()),
    soft_patterns: z.array(z.string()),
    /** Both lists again, with the file that each is expected in; null means any of them. */
    patterns: z.array(
      z.object({
        pattern: z.string(),
        kind: z.enum(['hard', 'soft']),
        path: z.string().nullable(),
      }),
    ),
    /** Functions, classes and routes that the request counts or names, by file. */
    expected_elements: z.record(z.string(), z.number().int()),
    gates: z.array(z.string()),
    /** Text for the system prompt; empty when there are no obligations. */
    prompt_block: z.string(),
    tier: z.enum(['tiny', 'small', 'medium', 'large', 'xlarge']),
    tier_assumed: z.boolean(),
    /** The lowest passing score out of 100, as the project has set it. */
    pass_threshold: z.number(),
    /** Duration of the extraction. */
    elapsed_ms: z.number(),
  })
  .openapi('CodeContract');

export const contractRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/contracts',
    scope: 'verify',
    summary:
      'Read what a request for code requires: files, framework, patterns, proof; no model is called',
    body: ContractBody,
    answers: { 200: ContractReply },
    handle: async (c, project) => {
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const { request, model } = parse(ContractBody, readJsonBody(bytes), 'body');
      const answer = await answerRequestOnce(
        project,
        readIdempotencyKey(incoming),
        '/v1/contracts',
        bytes,
        async () => {
          const began = project.clock.monotonicMs();
          const contract = extractContract(request);
          const elapsedMs = project.clock.monotonicMs() - began;
          const { tier, assumed } = readTier(model ?? null);
          const passThreshold = await passThresholdOf(project, tier);
          return {
            status: 200,
            body: contractReply(contract, { tier, assumed, passThreshold, elapsedMs }),
          };
        },
      );
      return c.json(answer.body as object);
    },
  },
];

/** The project's own threshold for a tier, else the tier's default (QEL-26). */
async function passThresholdOf(project: ProjectCtx, tier: ModelTier): Promise<number> {
  const found = (await listThresholds(project, 'code')).find(({ key }) => key === tier);
  if (found === undefined) throw new Error(`no threshold of the tier ${tier}`);
  return found.value;
}

interface ReplyContext {
  readonly tier: ModelTier;
  readonly assumed: boolean;
  readonly passThreshold: number;
  readonly elapsedMs: number;
}

function contractReply(
  contract: Contract,
  { tier, assumed, passThreshold, elapsedMs }: ReplyContext,
): z.infer<typeof ContractReply> {
  const ofKind = (kind: 'hard' | 'soft'): string[] =>
    contract.patterns.filter((each) => each.kind === kind).map(({ pattern }) => pattern);
  return {
    active: contract.active,
    reason: contract.reason,
    confidence: contract.confidence,
    deliverables: [...contract.deliverables],
    framework: contract.framework,
    hard_patterns: ofKind('hard'),
    soft_patterns: ofKind('soft'),
    patterns: contract.patterns.map(({ pattern, kind, path }) => ({ pattern, kind, path })),
    expected_elements: contract.expectedElements,
    gates: [...contract.gates],
    prompt_block: promptBlock(contract),
    tier,
    tier_assumed: assumed,
    pass_threshold: passThreshold,
    elapsed_ms: Math.round(elapsedMs * 1_000) / 1_000,
  };
}
